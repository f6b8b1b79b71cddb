import { describe, expect, it } from '@jest/globals';
import { openDB } from 'idb';
import { EMPTY_HEADER } from '../../plugins/indexeddb/header.ts';
import { IdbStorage } from '../../plugins/indexeddb/IdbStorage.ts';
import type { Plan } from '../../plugins/indexeddb/Plan.ts';
import type { ResultRecord } from '../../plugins/indexeddb/resultRecord.ts';
import { DATABASE, freshIndexedDB, records } from './support.ts';

freshIndexedDB();

describe('IdbStorage', () => {
  const batch = {
    rows: { names: [], metas: [], table: [], pk: [], value: [], meta: [], refs: [] },
    results: [],
  };

  const nothing: Plan = { header: EMPTY_HEADER, shards: [], results: [], dropLogThrough: 0 };

  it('writes nothing for an epoch that has passed', async () => {
    const storage = new IdbStorage(DATABASE);
    expect(
      await storage.append([batch], [], {
        epoch: 0,
        version: 0,
        after: 9,
        evictions: 0,
        durability: 'relaxed',
      }),
    ).toEqual({
      places: [expect.any(Number)],
    });
    expect(await storage.clear()).toBe(1);
    expect(
      await storage.append([batch], [], {
        epoch: 0,
        version: 0,
        after: 9,
        evictions: 0,
        durability: 'relaxed',
      }),
    ).toBe('emptied');
    expect(await storage.rewrite({ ...nothing, dropLogThrough: 9 }, EMPTY_HEADER)).toBe(false);
    expect(
      await storage.append([batch], [], {
        epoch: 1,
        version: 0,
        after: 9,
        evictions: 0,
        durability: 'relaxed',
      }),
    ).toEqual({
      places: [expect.any(Number)],
    });
    expect(await records('log')).toHaveLength(1);
    storage.close();
  });

  it('undoes a rewrite that fails', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.append([batch], [], {
      epoch: 0,
      version: 0,
      after: 9,
      evictions: 0,
      durability: 'relaxed',
    });
    const unclonable = (() => undefined) as unknown as ResultRecord; // no result, on purpose
    const failing = storage.rewrite(
      { ...nothing, results: [['r', unclonable]], dropLogThrough: 9 },
      EMPTY_HEADER,
    );
    await expect(failing).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await records('log')).toHaveLength(1);
    storage.close();
  });

  it('writes many records together or not at all, and no rewrite over another', async () => {
    const storage = new IdbStorage(DATABASE);
    const options = { epoch: 0, version: 0, after: 9, evictions: 0, durability: 'relaxed' } as const;
    const three = [batch, batch, batch];
    expect(await storage.append(three, [], options)).toEqual({ places: [1, 2, 3] });
    expect(await storage.append(three, [], { ...options, after: 0 })).toBe('moved');
    expect(await records('log')).toHaveLength(3);
    const header = { ...EMPTY_HEADER, revision: 1 };
    expect(await storage.rewrite({ ...nothing, header }, EMPTY_HEADER)).toBe(true);
    expect(await storage.rewrite({ ...nothing, header, dropLogThrough: 9 }, EMPTY_HEADER)).toBe(false);
    expect(await records('log')).toHaveLength(3);
    storage.close();
  });

  it('leaves alone what a newer version of the app has written', async () => {
    const storage = new IdbStorage(DATABASE);
    const options = { epoch: 0, version: 2, after: 9, evictions: 0, durability: 'relaxed' } as const;
    expect(await storage.append([batch], [], options)).toEqual({ places: [1] });
    expect(await storage.append([batch], [], { ...options, version: 1 })).toBe('newer');
    expect(await storage.rewrite({ ...nothing, dropLogThrough: 9 }, EMPTY_HEADER)).toBe(false);
    expect(await records('log')).toHaveLength(1);
    storage.close();
  });

  it('refuses to work once closed', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.open();
    storage.close();
    await expect(storage.open()).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(storage.read(async () => 1)).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('gives up where another tab has upgraded the database', async () => {
    const holder = await openDB(DATABASE, 1);
    const newer = openDB(DATABASE, 3); // waits for the holder, and the storage waits for both
    const storage = new IdbStorage(DATABASE);
    const opening = storage.open();
    holder.close();
    await expect(opening).rejects.toMatchObject({ name: 'VersionError' });
    (await newer).close();
  });
});
