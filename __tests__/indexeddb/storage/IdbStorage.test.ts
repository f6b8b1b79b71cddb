import { describe, expect, it, jest } from '@jest/globals';
import { openDB } from 'idb';
import { decodeHeader, EMPTY_HEADER, type Header } from '../../../plugins/indexeddb/records/header.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { VERSION } from '../../../plugins/indexeddb/storage/stores.ts';
import type { RewritePlan } from '../../../plugins/indexeddb/maintenance/RewritePlan.ts';
import type { ResultRecord } from '../../../plugins/indexeddb/records/resultRecord.ts';
import type { AppendOptions, AppendGuard } from '../../../plugins/indexeddb/storage/Storage.ts';
import { clearSiteData, tasks } from '../../support/diskFaults.ts';
import { DATABASE, freshIndexedDB, records } from '../../support/indexedDB.ts';
import { reactionsLeft } from '../../support/reactions.ts';

freshIndexedDB();

/** The sequence numbers of the log, after this one. */
function sequences(storage: IdbStorage, after = 0): Promise<number[]> {
  return storage.read(async (view) => (await view.log(after, 100)).map(([sequence]) => sequence));
}

describe('IdbStorage', () => {
  const batch = {
    rows: { names: [], metas: [], table: [], pk: [], value: [], meta: [], refs: [] },
    results: [],
  };
  const nothing: RewritePlan = { identity: undefined, header: EMPTY_HEADER, shards: [], results: [], dropLogThrough: 0 }; // oxfmt-ignore
  const guard: AppendGuard = { identity: undefined, epoch: 0, evictions: 0, version: 0, lastSeen: 0 };
  const options: AppendOptions = { guard, version: 0, durability: 'relaxed', isUnloading: false };
  const knowing = (rest: Partial<AppendGuard>): AppendOptions => ({
    ...options,
    guard: { ...guard, ...rest },
  });
  const entry = { plugin: 'outbox', key: 'entry', record: 1 };

  it('IdbStorage writes nothing for a past epoch', async () => {
    const storage = new IdbStorage(DATABASE);
    expect(await storage.append([batch], [entry], options)).toBe(true);
    expect(await sequences(storage)).toEqual([1]);
    expect(await storage.clear([{ at: 5, keepsSide: false }])).toMatchObject({ epoch: 1, foldedThrough: 1 });
    expect(await storage.append([batch], [entry], knowing({ lastSeen: 1 }))).toBe(false);
    expect(await storage.rewrite({ ...nothing, dropLogThrough: 9 }, EMPTY_HEADER)).toBe(false);
    expect(await storage.clear([{ at: 6, keepsSide: false }])).toMatchObject({ epoch: 2, foldedThrough: 1 });
    for (const epoch of [0, 1])
      expect(await storage.append([batch], [entry], knowing({ epoch, lastSeen: 1 }))).toBe(false);
    expect(await Promise.all([records('log'), records('outbox')])).toEqual([[], []]);
    expect(await storage.append([batch], [entry], knowing({ epoch: 2, lastSeen: 1 }))).toBe(true);
    expect(await sequences(storage)).toEqual([2]);
    storage.close();
  });

  it('IdbStorage leaves nothing of a write on promises that are pending as long as the page is open', async () => {
    const storage = new IdbStorage(DATABASE);
    const left = await reactionsLeft(async () => {
      for (let lastSeen = 0; lastSeen < 20; lastSeen++)
        expect(await storage.append([batch], [], knowing({ lastSeen }))).toBe(true);
    });
    expect(left).toBeLessThan(10);
    storage.close();
  });

  it('IdbStorage rolls back a rewrite that fails', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.append([batch], [], options);
    const unclonable = (() => undefined) as unknown as ResultRecord; // no result, on purpose
    const failing = storage.rewrite(
      { ...nothing, results: [['r', unclonable]], dropLogThrough: 9 },
      EMPTY_HEADER,
    );
    await expect(failing).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await records('log')).toHaveLength(1);
    storage.close();
  });

  it.each([false, true])(
    'IdbStorage writes many records atomically, in unload mode: %s',
    async (isUnloading) => {
      const storage = new IdbStorage(DATABASE);
      const ten = Array.from({ length: 10 }, (_, place) => ({ ...batch, place }));
      expect(await storage.append(ten, [], { ...options, isUnloading })).toBe(true);
      expect(await sequences(storage)).toEqual(ten.map((_, place) => place + 1));
      expect(await storage.append(ten, [entry], { ...knowing({ lastSeen: 9 }), isUnloading })).toBe(false);
      expect(await records('log')).toEqual(ten);
      expect(await records('outbox')).toEqual([]);
      await expect(storage.append([...ten, () => 1], [], { ...knowing({ lastSeen: 10 }), isUnloading })).rejects.toMatchObject({ name: 'DataCloneError' }); // oxfmt-ignore
      expect(await storage.append(ten, [], { ...knowing({ lastSeen: 10 }), isUnloading })).toBe(true);
      expect(await sequences(storage)).toEqual([...ten, ...ten].map((_, place) => place + 1));
      storage.close();
    },
  );

  it('IdbStorage has two of many records in flight at a time', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.open();
    const { add } = IDBObjectStore.prototype;
    const onTheirWay: number[] = [];
    let unanswered = 0;
    IDBObjectStore.prototype.add = function (this: IDBObjectStore, ...args) {
      const request = add.apply(this, args);
      if (this.name !== 'log') return request;
      onTheirWay.push(++unanswered);
      request.addEventListener('success', () => (unanswered -= 1));
      return request;
    };
    try {
      const ten = Array.from({ length: 10 }, () => batch);
      await storage.append(ten, [], options);
    } finally {
      IDBObjectStore.prototype.add = add;
    }
    expect(onTheirWay).toEqual([1, ...Array.from({ length: 9 }, () => 2)]);
    storage.close();
  });

  it('IdbStorage finishes an append that is in progress when the page unloads', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.append([batch], [], options);
    const ten = Array.from({ length: 10 }, () => batch);
    const appending = storage.append(ten, [], knowing({ lastSeen: 1 }));
    await tasks(3);
    storage.prepareUnload();
    // No later attempt gets a connection.
    storage.close();
    expect(await appending).toBe(true);
    expect(await records('log')).toHaveLength(11);
  });

  it('IdbStorage does not overwrite another rewrite', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.append([batch], [], options);
    const header = { ...EMPTY_HEADER, revision: 1 };
    expect(await storage.rewrite({ ...nothing, header }, EMPTY_HEADER)).toBe(true);
    expect(await storage.rewrite({ ...nothing, header, dropLogThrough: 9 }, EMPTY_HEADER)).toBe(false);
    expect(await records('log')).toHaveLength(1);
    storage.close();
  });

  it('IdbStorage finds all result keys, whether there are few enough to be listed in one record or not', async () => {
    const storage = new IdbStorage(DATABASE);
    const result: ResultRecord = { value: 1, meta: {}, shape: '' } as unknown as ResultRecord; // any record will do
    let header: Header = EMPTY_HEADER;
    const rewrite = async (results: RewritePlan['results']): Promise<void> => {
      const next = { ...header, revision: header.revision + 1 };
      expect(await storage.rewrite({ ...nothing, header: next, results }, header)).toBe(true);
      header = decodeHeader(await storage.read((view) => view.header()));
    };
    const keys = Array.from({ length: 2_001 }, (_, index) => `key ${index}`);
    const found = async (): Promise<readonly string[]> =>
      [...(await storage.read((view) => view.resultKeys()))].sort();
    const listed = async (): Promise<readonly string[] | undefined> => {
      const database = await openDB(DATABASE);
      const list = (await database.get('meta', 'result keys')) as string[] | undefined; // as written
      database.close();
      return list?.toSorted();
    };

    await rewrite(keys.slice(0, 2_000).map((key) => [key, result]));
    expect(await listed()).toEqual(keys.slice(0, 2_000).sort());
    expect(await found()).toEqual(keys.slice(0, 2_000).sort());
    await rewrite([['key 2000', result]]);
    expect(await listed()).toBeUndefined();
    expect(await found()).toEqual([...keys].sort());
    await rewrite([['key 0', undefined]]);
    const list = await listed();
    expect(list).toHaveLength(2_000);
    // The same keys: the list is not written again.
    const put = jest.spyOn(IDBObjectStore.prototype, 'put');
    await rewrite([['key 1', result]]);
    expect(put.mock.calls.map(([, key]) => key)).not.toContain('result keys');
    put.mockRestore();
    expect(await listed()).toEqual(list);
    expect(await found()).toEqual(keys.slice(1).sort());
    await storage.clear([{ at: 5, keepsSide: false }]);
    expect(await listed()).toBeUndefined();
    expect(await found()).toEqual([]);
    storage.close();
  });

  it('a reset that another tab has carried out deletes nothing, even after a later one', async () => {
    const storage = new IdbStorage(DATABASE);
    const discarding = { at: 5, keepsSide: false };
    await storage.clear([discarding]);
    // The clock was set back in between.
    const header = await storage.clear([{ at: 3, keepsSide: true }]);
    await storage.append([batch], [entry], knowing({ epoch: 2 }));
    expect(await storage.clear([discarding])).toEqual(header);
    expect(await Promise.all([records('log'), records('outbox')])).toEqual([[batch], [1]]);
    // Only records of other plugins were kept, so a reset that discards them is not carried out yet.
    expect(await storage.clear([{ at: 3, keepsSide: false }])).toMatchObject({ epoch: 3 });
    expect(await Promise.all([records('log'), records('outbox')])).toEqual([[], []]);
    storage.close();
  });

  it('a reset of a tab is carried out with a later one of it, and discards what that kept', async () => {
    const storage = new IdbStorage(DATABASE);
    const [first, discarding, last] = [
      { at: 5, keepsSide: true },
      { at: 6, keepsSide: false },
      { at: 7, keepsSide: true },
    ];
    const header = await storage.clear([last]);
    expect(await storage.clear([first, last])).toEqual(header);
    await storage.append([], [entry], knowing({ epoch: 1 }));
    expect(await storage.clear([first, discarding, last])).toMatchObject({ epoch: 2 });
    expect(await records('outbox')).toEqual([]);
    storage.close();
  });

  it('the mark of a reset goes when it is carried out, also if that came first', async () => {
    const storage = new IdbStorage(DATABASE);
    const reset = { at: 5, keepsSide: true };
    await storage.markReset(reset);
    await storage.markReset({ at: 6, keepsSide: false });
    expect(await storage.readUnfinishedResets()).toEqual([reset, { at: 6, keepsSide: false }]);
    // The later one is not this tab's: what this tab stores from now on may be from before that.
    await storage.clear([reset]);
    expect(await storage.readUnfinishedResets()).toEqual([{ at: 6, keepsSide: false }]);
    await storage.markReset({ at: 7, keepsSide: true });
    await storage.clear([{ at: 7, keepsSide: true }]);
    expect(await storage.readUnfinishedResets()).toEqual([]);
    await storage.markReset(reset);
    expect(await storage.readUnfinishedResets()).toEqual([]);
    await storage.clear([reset]);
    for (let at = 8; at < 48; at++) await storage.clear([{ at, keepsSide: true }]);
    expect(await storage.readUnfinishedResets()).toEqual([]);
    storage.close();
  });

  it('append reports that other tabs have appended and compacted', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.append([batch, batch], [], options);
    const header = { ...EMPTY_HEADER, revision: 1, foldedThrough: 2 };
    await storage.rewrite({ ...nothing, header, dropLogThrough: 2 }, EMPTY_HEADER);
    expect(await storage.append([batch], [], options)).toBe(false);
    expect(await storage.append([batch], [], knowing({ lastSeen: 2 }))).toBe(true);
    expect(await sequences(storage, 2)).toEqual([3]);
    storage.close();
  });

  it('append reports that other tabs have evicted rows', async () => {
    const storage = new IdbStorage(DATABASE);
    const header = { ...EMPTY_HEADER, revision: 1, evictions: 1 };
    await storage.rewrite({ ...nothing, header }, EMPTY_HEADER);
    expect(await storage.append([batch], [], options)).toBe(false);
    expect(await storage.append([batch], [], knowing({ evictions: 1 }))).toBe(true);
    expect(await sequences(storage)).toEqual([1]);
    storage.close();
  });

  it('IdbStorage leaves alone what a newer version of the app has written', async () => {
    const storage = new IdbStorage(DATABASE);
    expect(await storage.append([batch], [], { ...options, version: 2 })).toBe(true);
    expect(await sequences(storage)).toEqual([1]);
    const older = { ...knowing({ lastSeen: 1 }), version: 1 };
    expect(await storage.append([batch], [], older)).toBe(false);
    expect(await storage.rewrite({ ...nothing, dropLogThrough: 9 }, EMPTY_HEADER)).toBe(false);
    expect(await records('log')).toHaveLength(1);
    expect(await storage.append([batch], [], { ...knowing({ version: 2, lastSeen: 1 }), version: 2 })).toBe(
      true,
    );
    expect(await sequences(storage)).toEqual([1, 2]);
    storage.close();
  });

  it('IdbStorage continues with the sequence numbers on disk when the header is lost', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.clear([{ at: 5, keepsSide: false }]);
    const database = await openDB(DATABASE);
    await database.delete('meta', 'header');
    database.close();
    expect(await storage.append([batch], [], options)).toBe(false);
    expect(await storage.append([batch], [], options)).toBe(true);
    expect(await sequences(storage)).toEqual([1]);
    storage.close();
  });

  it.each(['this tab', 'another tab'])(
    'IdbStorage refuses a batch for a database that the browser has deleted and %s has recreated',
    async (who) => {
      const storage = new IdbStorage(DATABASE);
      const other = new IdbStorage(DATABASE);
      await storage.append([batch], [], options);
      const { identity } = storage;
      clearSiteData(DATABASE, { isWritten: false, isSilent: false });
      if (who === 'another tab') await other.open();
      // It says what follows the first record, which is in no database that exists.
      for (const isOpen of [false, true])
        expect([isOpen, await storage.append([batch], [entry], knowing({ identity, lastSeen: 1 }))]).toEqual([
          isOpen,
          false,
        ]);
      expect(await Promise.all([records('log'), records('outbox')])).toEqual([[], []]);
      storage.close();
      other.close();
    },
  );

  it('IdbStorage refuses to work once closed', async () => {
    const storage = new IdbStorage(DATABASE);
    await storage.open();
    storage.close();
    await expect(storage.open()).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(storage.read(async () => 1)).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('IdbStorage stops when another tab has upgraded the database', async () => {
    const holder = await openDB(DATABASE, 1);
    const newer = openDB(DATABASE, VERSION + 1); // waits for the holder, and the storage waits for both
    const storage = new IdbStorage(DATABASE);
    const opening = storage.open();
    holder.close();
    await expect(opening).rejects.toMatchObject({ name: 'VersionError' });
    (await newer).close();
  });
});
