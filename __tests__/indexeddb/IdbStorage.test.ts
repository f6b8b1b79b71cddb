import { describe, expect, it } from '@jest/globals';
import { openDB } from 'idb';
import { IdbStorage } from '../../plugins/indexeddb/IdbStorage.ts';
import { DATABASE, freshIndexedDB, records } from './support.ts';

freshIndexedDB();

describe('IdbStorage', () => {
  const batch = {
    rows: { names: [], metas: [], table: [], pk: [], value: [], meta: [], refs: [] },
    results: [],
  };

  it('writes nothing for an epoch that has passed', async () => {
    const storage = new IdbStorage(DATABASE);
    expect(await storage.append(batch, [], { epoch: 0, after: 9, durability: 'relaxed' })).toEqual({
      place: expect.any(Number),
    });
    expect(await storage.clear()).toBe(1);
    expect(await storage.append(batch, [], { epoch: 0, after: 9, durability: 'relaxed' })).toBe('emptied');
    expect(await storage.fold(0, async (view) => view.dropLog(9))).toBeUndefined();
    expect(await storage.append(batch, [], { epoch: 1, after: 9, durability: 'relaxed' })).toEqual({
      place: expect.any(Number),
    });
    expect(await records('log')).toHaveLength(1);
    storage.close();
  });

  it('undoes a fold that fails', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.append(batch, [], { epoch: 0, after: 9, durability: 'relaxed' });
    const failing = storage.fold(0, async (view) => {
      await view.dropLog(9);
      throw new Error('halfway');
    });
    await expect(failing).rejects.toThrow('halfway');
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
