import { afterEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, Endpoint, Entity } from 'holdfast';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { CountingStorage, type Work } from '../storage/CountingStorage.ts';
import { DATABASE, freshIndexedDB } from '../../support/indexedDB.ts';

freshIndexedDB();

// Much is stored: on a busy machine that takes its time.
const LIST = 100;

class TitledRow extends Entity {
  id = '';
  title = '';
  static override key = 'Row';
}
const getList = new Endpoint(
  (_: { list: number }): Promise<TitledRow[]> =>
    Promise.reject(new Error('nothing is asked of the network here')),
  { name: 'getList', schema: [TitledRow], dataExpiryLength: Infinity },
);

const NEVER = { records: Infinity, rows: Infinity };
const AT_ONCE = { records: 1, rows: 1 };

const open: Controller[] = [];
afterEach(async () => {
  for (const controller of open.splice(0)) await controller.stop();
});

/** An app on the test's disk, which counts what it does there. Its clock stands still, so that times take as many bytes. */
async function openApp(compactAt: typeof NEVER, restore: 'progressive' | 'lazy' = 'progressive') {
  const storage = new CountingStorage(DATABASE);
  const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore }, { storage, compactAt });
  const controller = new Controller({ plugins: [plugin], now: () => 1_700_000_000_000 });
  open.push(controller);
  await controller.restored;
  return { storage, controller };
}

/** Stores lists of 100 rows each in one flush. */
async function fill(controller: Controller, rows: number): Promise<void> {
  controller.batch(() => {
    for (let list = 0; list * LIST < rows; list++)
      controller.setResponse(
        getList,
        { list },
        Array.from({ length: LIST }, (_, index) => ({
          id: `row-${list * LIST + index}`,
          title: 'as it came',
        })),
      );
  });
  await controller.flush();
}

/** Has the disk hold so many rows, all of them in shards. */
async function fold(rows: number): Promise<void> {
  const { controller, storage } = await openApp(AT_ONCE);
  const folded = storage.rewritten();
  await fill(controller, rows);
  await folded;
  await controller.stop();
}

/** What one change of one row takes beside so many others. */
async function changeBeside(rows: number): Promise<Work> {
  globalThis.indexedDB = new IDBFactory();
  const { controller, storage } = await openApp(NEVER);
  await fill(controller, rows);
  storage.take();
  controller.set(TitledRow, { id: 'row-77' }, { title: 'changed' });
  await controller.flush();
  return storage.take();
}

describe('the work on disk', () => {
  it('the work of one change is the same for 1,000 and 100,000 rows', async () => {
    const few = await changeBeside(1_000);
    expect(few).toMatchObject({ transactions: 1, looks: 0, read: 0, written: 1 });
    expect(few.bytesWritten).toBeLessThan(700);
    expect(await changeBeside(100_000)).toEqual(few);
  });

  it('the work of a change right after the start is one look-up of that row', async () => {
    const looked: Work[] = [];
    for (const rows of [2_000, 20_000]) {
      globalThis.indexedDB = new IDBFactory();
      await fold(rows);
      const { controller, storage } = await openApp(NEVER, 'lazy');
      storage.take();
      controller.set(TitledRow, { id: 'row-77' }, { id: 'row-77', title: 'changed' });
      await controller.flush();
      looked.push(storage.take());
    }
    expect(looked[0]).toMatchObject({ transactions: 2, written: 1 });
    expect(looked[0]?.read).toBeLessThanOrEqual(2);
    expect(looked[1]).toEqual(looked[0]);
  });

  it('a flush is one transaction with a record for each 256 rows', async () => {
    const { controller, storage } = await openApp(NEVER);
    await fill(controller, 1_000);
    expect(storage.take()).toMatchObject({ written: 4 });
    controller.batch(() => {
      for (let index = 0; index < 600; index++)
        controller.set(TitledRow, { id: `row-${index}` }, { title: 'changed' });
    });
    await controller.flush();
    expect(storage.take()).toMatchObject({ transactions: 1, looks: 0, written: 3 });
  });

  it('the work of a first screen depends on its rows, not on the table', async () => {
    for (const rows of [2_000, 20_000]) {
      globalThis.indexedDB = new IDBFactory();
      await fold(rows);
      const { controller, storage } = await openApp(NEVER, 'lazy');
      // Marks of resets and the header; then header, log, the keys of the results, and the last screen.
      expect(storage.take()).toMatchObject({ transactions: 2, looks: 6, read: 1 + rows / LIST });
      const list = await controller.fetchIfStale(getList, { list: 7 });
      expect(list).toHaveLength(LIST);
      const { transactions, looks, read, written } = storage.take();
      expect({ transactions, written }).toEqual({ transactions: 1, written: 0 });
      // Header, log and result; then each shard once.
      expect(looks).toBeLessThanOrEqual(3 + LIST);
      expect(read).toBeLessThanOrEqual(2 + LIST);
    }
  });

  it('a full restore reads 256 shards or 128 results at a time', async () => {
    await fold(20_000);
    const { controller, storage } = await openApp(NEVER);
    expect(controller.getState().tables['Row']?.size).toBe(20_000);
    // Start-up, 1,024 shards and 200 results.
    expect(storage.take()).toMatchObject({ transactions: 2 + 1_024 / 256 + 2, written: 0 });
    const rows = [...controller.getState().tables['Row']!.entries()].map(([, row]) => row);
    // Five numbers for each of 200 responses, not for each row.
    expect(new Set(rows.map(({ meta }) => meta)).size).toBe(200);
    expect(rows.every(({ value }) => Object.isFrozen(value))).toBe(true);
  });

  it('a compaction reads and writes only the shards of rows in the log', async () => {
    await fold(20_000);
    const { controller, storage } = await openApp(AT_ONCE, 'lazy');
    storage.take();
    const folded = storage.rewritten();
    controller.set(TitledRow, { id: 'row-77' }, { id: 'row-77', title: 'changed' });
    await controller.flush();
    await folded;
    // The log's record, and one shard.
    expect(storage.take()).toMatchObject({ written: 2 });
  });
});
