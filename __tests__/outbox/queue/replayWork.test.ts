import { expect, it } from '@jest/globals';
import { Controller, type SideRecords } from 'holdfast';
import { Queue } from '../../../plugins/outbox/queue/Queue.ts';
import { Registry } from '../../../plugins/outbox/queue/Registry.ts';
import { Sync } from '../../../plugins/outbox/queue/Sync.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import type { EntryRecord } from '../../../plugins/outbox/storage/record.ts';
import { Device, endpointsOf, freshDatabases, Server } from '../../support/outbox.ts';

freshDatabases();

const CHUNK = 10;

/** The records of so many creates, from this place on. */
function creates(count: number, from = 1): SideRecords {
  return Array.from({ length: count }, (_, index) => {
    const place = from + index;
    const record: EntryRecord = {
      name: 'Note.create',
      args: [{ text: String(place) }],
      order: place,
      revision: 1,
      createdAt: 1,
      attempts: 0,
      idempotencyKey: String(place),
      temporaryPk: `optimistic-${place}-a`,
      isAwaited: false,
      status: 'queued',
      scope: null,
    };
    return [String(place).padStart(6, '0'), record];
  });
}

/** How often members of entries are read to show so many that another tab has announced, and then one more. */
async function looksOf(count: number): Promise<Readonly<Record<'all' | 'oneMore', number>>> {
  const notes = endpointsOf(new Server());
  const controller = new Controller({ environment: new Device() });
  const database = new OutboxDatabase('box');
  const queue = new Queue({ endpoints: [notes] }, new Registry([notes]), controller, database);
  const pacing = { size: CHUNK, pause: () => Promise.resolve() };
  const sync = new Sync(queue, pacing, 0, () => undefined);
  let looks = 0;
  const counted = new Set<object>();
  const looksOfReplay = async (records: SideRecords): Promise<number> => {
    const replayed = new Promise<void>((resolve) => void sync.applyFromTab(records, true, resolve));
    for (const entry of queue.entries.all()) {
      if (counted.has(entry)) continue;
      counted.add(entry);
      for (const name of Object.keys(entry)) {
        let current = Reflect.get(entry, name) as unknown; // of any type
        Object.defineProperty(entry, name, {
          get: () => ((looks += 1), current),
          set: (changed: unknown) => {
            current = changed;
          },
        });
      }
    }
    looks = 0;
    await replayed;
    return looks;
  };
  const all = await looksOfReplay(creates(count));
  const oneMore = await looksOfReplay(creates(1, count + 1));
  expect([...queue.entries.all()].filter(({ mutation }) => mutation?.layer !== undefined)).toHaveLength(
    count + 1,
  );
  await controller.stop();
  await database.close();
  return { all, oneMore };
}

it('the replay of a long queue costs no more for each entry than that of a short one', async () => {
  const few = await looksOf(5 * CHUNK);
  const many = await looksOf(100 * CHUNK);
  expect(many.all).toBeLessThan(30 * few.all);
  expect(many.oneMore).toBeLessThan(2 * few.oneMore);
});
