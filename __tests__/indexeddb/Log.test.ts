import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeBatch } from '../../plugins/indexeddb/batchRecord.ts';
import { IdbStorage } from '../../plugins/indexeddb/IdbStorage.ts';
import { Log } from '../../plugins/indexeddb/Log.ts';
import type { Batch } from '../../plugins/indexeddb/records.ts';
import { DATABASE, decodingInto, freshIndexedDB, metaAt } from './support.ts';

freshIndexedDB();

function batchOf(pk: string, order: number): Batch {
  return { rows: [{ table: 'Row', pk, value: { id: pk }, meta: metaAt(order), refs: [] }], results: [] };
}

describe('Log', () => {
  const parts = [batchOf('a', 1), batchOf('b', 2), batchOf('a', 3)];
  let storage: IdbStorage;
  let foreign: Batch[];
  let log: Log;

  beforeEach(async () => {
    storage = new IdbStorage(DATABASE);
    foreign = [];
    const ignore = (): void => undefined;
    log = new Log(decodingInto([]), {
      foreign: (batch) => foreign.push(batch),
      missed: ignore,
      evicted: ignore,
    });
    await storage.read((view) => log.refresh(view));
    const records = parts.map((part) => encodeBatch(part, 0));
    const known = { epoch: 0, evictions: 0, version: 0, after: 0 };
    await storage.append(records, [], { known, version: 0, durability: 'relaxed', isHasty: false });
    log.appended([1, 2, 3], parts);
  });
  afterEach(() => storage.close());

  it('sorts in what this tab has written a record at a time', () => {
    expect(log.known).toBe(3);
    expect(log.size).toEqual({ records: 3, rows: 0 });
    expect(log.sortIn()).toBe(true);
    expect(log.row('Row', 'a')?.meta.order).toBe(1);
    expect(log.row('Row', 'b')).toBeUndefined();
    expect(log.sortIn()).toBe(true);
    expect(log.sortIn()).toBe(false);
    expect(log.row('Row', 'a')?.meta.order).toBe(3);
    expect(log.size).toEqual({ records: 3, rows: 2 });
    expect(log.sortIn()).toBe(false);
  });

  it('has all of it sorted in before a look at the disk, which finds nothing of others', async () => {
    log.sortIn();
    await storage.read(async (view) => {
      const looking = log.refresh(view);
      expect(log.row('Row', 'a')?.meta.order).toBe(3);
      await looking;
    });
    expect(log.size).toEqual({ records: 3, rows: 2 });
    expect(foreign).toEqual([]);
  });

  it('forgets what is not sorted in with the rest', () => {
    log.clear();
    expect(log.sortIn()).toBe(false);
    expect(log.size).toEqual({ records: 0, rows: 0 });
  });
});
