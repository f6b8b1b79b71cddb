import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TRANSITIONS, type EntryEvent, type EntryStatus } from '../../../plugins/outbox/queue/entryStatus.ts';
import { Entry } from '../../../plugins/outbox/queue/Entry.ts';
import type { EntryRecord } from '../../../plugins/outbox/storage/record.ts';

const guide = readFileSync(path.join(__dirname, '../../../docs/offline.md'), 'utf8');
const section = guide.slice(
  guide.indexOf('## The states of an entry'),
  guide.indexOf('## Why an attempt failed'),
);
/** The cells of each row of the section's tables. */
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim().replaceAll('`', ''))); // oxfmt-ignore

const statuses = Object.keys(TRANSITIONS) as EntryStatus[]; // its keys

function entryWith(status: EntryRecord['status']): Entry {
  const record: EntryRecord = {
    name: 'Note.create',
    args: [],
    order: 1,
    revision: 1,
    createdAt: 0,
    attempts: 0,
    idempotencyKey: 'key',
    temporaryPk: 'optimistic-1',
    isAwaited: false,
    scope: null,
    status,
  };
  return new Entry('key', '', record, undefined);
}

describe('the states of an entry', () => {
  it('the guide explains each status', () => {
    const end = rows.findIndex(([first]) => first === 'event');
    expect(rows.slice(2, end).map(([status]) => status).sort()).toEqual([...statuses].sort()); // oxfmt-ignore
  });

  it('the table of transitions in the guide is the one of the code', () => {
    const begin = rows.findIndex(([first]) => first === '');
    const [, ...events] = rows[begin]!;
    const written = rows.slice(begin + 1).map(([status, ...cells]) => {
      const next = cells.flatMap((cell, place) => (cell === '' ? [] : [[events[place], cell]]));
      return [status, Object.fromEntries(next) as unknown] as const;
    });
    expect(Object.fromEntries(written)).toEqual(TRANSITIONS);
    expect(events.sort()).toEqual([...new Set(Object.values(TRANSITIONS).flatMap(Object.keys))].sort());
  });

  const events = [...new Set(Object.values(TRANSITIONS).flatMap(Object.keys))] as EntryEvent[]; // its keys
  const pairs = statuses.flatMap((from) =>
    events.map((event) => [from, event, TRANSITIONS[from][event] ?? from] as const),
  );

  it.each(pairs)('an entry that is %s meets the event %s: it is %s then', (from, event, to) => {
    const isAttempt = from === 'sending' || from === 'answered';
    const stored = isAttempt ? 'retrying' : from;
    const entry = entryWith(stored);
    if (isAttempt) entry.handle('send');
    if (from === 'answered') entry.handle('answer');
    expect(entry.status).toBe(from);
    entry.handle(event);
    expect(entry.status).toBe(to === 'stored' ? stored : to);
  });

  it('another tab can end an attempt only by a final failure', () => {
    const entry = entryWith('queued');
    entry.handle('send');
    entry.applyRecord({ ...entry.record, status: 'retrying', attempts: 1 });
    expect(entry.status).toBe('sending');
    entry.applyRecord({ ...entry.record, status: 'failed', attempts: 2 });
    expect(entry.status).toBe('failed');
    entry.handle('requeue');
    expect(entry.status).toBe('queued');
  });
});
