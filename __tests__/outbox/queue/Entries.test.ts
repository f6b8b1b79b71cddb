import { describe, expect, it } from '@jest/globals';
import { Entries } from '../../../plugins/outbox/queue/Entries.ts';
import { Entry } from '../../../plugins/outbox/queue/Entry.ts';
import type { EntryRecord } from '../../../plugins/outbox/storage/record.ts';
import { stepsOf } from '../../support/steps.ts';

/** How often orders have been compared. */
let looks = 0;

function entryOf(order: number): Entry {
  const record: EntryRecord = {
    name: 'Note.create',
    args: [],
    get order() {
      looks += 1;
      return order;
    },
    revision: 1,
    createdAt: 0,
    attempts: 0,
    idempotencyKey: String(order),
    temporaryPk: `optimistic-${order}-a`,
    isAwaited: false,
    scope: null,
    status: 'failed',
  };
  return new Entry(String(order).padStart(6, '0'), '', record, undefined);
}

/** What it takes to add so many that came before the one that is here, and to try all of them again. */
function workOf(count: number): Readonly<Record<'added' | 'revived', number>> {
  const entries = new Entries();
  entries.add(entryOf(count + 1));
  const others = Array.from({ length: count }, (_, place) => entryOf(count - place));
  looks = 0;
  for (const entry of others) entries.add(entry);
  const added = looks;
  looks = 0;
  for (const entry of others) entries.handle(entry, 'requeue');
  expect([...entries.all()].map(({ key }) => Number(key))).toEqual(
    Array.from({ length: count + 1 }, (_, place) => place + 1),
  );
  return { added, revived: looks };
}

describe('entries that arrive out of order', () => {
  it('inserting an entry out of order costs little more in a long queue than in a short one', () => {
    const few = workOf(500);
    const many = workOf(5_000);
    // A search in ten times as many takes half as long again.
    expect(many.added).toBeLessThan(16 * few.added);
    expect(many.revived).toBeLessThan(16 * few.revived);
  });
});

/** What each request asks of entries: so many dead letters, and as many whose responses wait to be stored together. */
async function stepsOfRequest(count: number): Promise<number> {
  const entries = new Entries();
  const all = Array.from({ length: 2 * count }, (_, place) => entryOf(place));
  for (const entry of all) entries.add(entry);
  for (const entry of all.slice(count))
    for (const event of ['requeue', 'send', 'answer'] as const) entries.handle(entry, event);
  const ask = (): Promise<boolean[]> => Promise.resolve([entries.needsAuth, entries.hasBacklog]);
  expect(await ask()).toEqual([false, true]);
  return stepsOf(ask);
}

describe('many dead letters, and many responses that wait to be stored', () => {
  it('a request looks at none of them', async () => {
    const few = await stepsOfRequest(5);
    expect(few).toBeGreaterThan(0);
    expect(await stepsOfRequest(500)).toBeLessThanOrEqual(few + 5);
  });
});
