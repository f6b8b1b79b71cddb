import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeBatch } from '../../../plugins/indexeddb/records/batchRecord.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { WriteAheadLog } from '../../../plugins/indexeddb/writing/WriteAheadLog.ts';
import type { WriteBatch } from '../../../plugins/indexeddb/records/records.ts';
import { DATABASE, decodingInto, freshIndexedDB, metaAt } from '../../support/indexedDB.ts';

freshIndexedDB();

function batchOf(pk: string, order: number): WriteBatch {
  return { rows: [{ table: 'Row', pk, value: { id: pk }, meta: metaAt(order), refs: [] }], results: [] };
}

describe('Log', () => {
  const parts = [batchOf('a', 1), batchOf('b', 2), batchOf('a', 3)];
  let storage: IdbStorage;
  let foreign: WriteBatch[];
  let log: WriteAheadLog;

  beforeEach(async () => {
    storage = new IdbStorage(DATABASE);
    foreign = [];
    const ignore = (): void => undefined;
    log = new WriteAheadLog(decodingInto([]), {
      onForeign: (batch) => foreign.push(batch),
      onMissed: ignore,
      onEvicted: ignore,
      lost: ignore,
    });
    await storage.read((view) => log.refresh(view));
    const records = parts.map((part) => encodeBatch(part, 0));
    const guard = { identity: undefined, epoch: 0, evictions: 0, version: 0, lastSeen: 0 };
    await storage.append(records, [], { guard, version: 0, durability: 'relaxed', isUnloading: false });
    log.onAppended(3);
  });
  afterEach(() => storage.close());

  it('the log merges records of this tab one at a time', () => {
    expect(log.lastSeen).toBe(3);
    expect(log.rowCount).toBe(0);
    log.merge(1, parts[0]!);
    expect(log.row('Row', 'a')?.meta.order).toBe(1);
    expect(log.row('Row', 'b')).toBeUndefined();
    log.merge(2, parts[1]!);
    log.merge(3, parts[2]!);
    expect(log.row('Row', 'a')?.meta.order).toBe(3);
    expect(log.size).toEqual({ records: 3, rows: 3 });
    expect(log.rowCount).toBe(2);
  });

  it('a read merges the records of this tab that are not merged yet, and finds none of others', async () => {
    log.merge(1, parts[0]!);
    await storage.read((view) => log.refresh(view));
    expect(log.row('Row', 'a')?.meta.order).toBe(3);
    for (const [index, part] of parts.entries()) log.merge(index + 1, part);
    expect(log.size).toEqual({ records: 3, rows: 3 });
    expect(log.rowCount).toBe(2);
    expect(foreign).toEqual([]);
  });

  it('after a compaction, the log has only what was appended during it', async () => {
    for (const [index, part] of parts.entries()) log.merge(index + 1, part);
    const plan = {
      identity: undefined,
      header: { ...log.header, revision: 1, foldedThrough: 2 },
      shards: [],
      results: [],
      dropLogThrough: 2,
    };
    expect(await storage.rewrite(plan, log.header)).toBe(true);
    await storage.read((view) => log.refresh(view));
    expect(log.size).toEqual({ records: 1, rows: 1 });
    expect(log.row('Row', 'a')?.meta.order).toBe(3);
    expect(log.row('Row', 'b')).toBeUndefined();
    expect(log.lastSeen).toBe(3);
    expect(foreign).toEqual([]);
  });

  it('a cleared log does not merge records from before', () => {
    log.clear();
    for (const [index, part] of parts.entries()) log.merge(index + 1, part);
    expect(log.size).toEqual({ records: 0, rows: 0 });
    expect(log.rowCount).toBe(0);
  });
});
