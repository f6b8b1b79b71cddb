import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { IDBDatabase, IDBObjectStore } from 'fake-indexeddb';
import { Collection, Delete, Endpoint, Mutations, type Schedule } from 'holdfast';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
  type App,
} from '../support/indexedDB.ts';
import { clearSiteData } from '../support/diskFaults.ts';
import { User } from '../support/entities.ts';
import { until } from '../support/turns.ts';

freshIndexedDB();
afterEach(() => {
  jest.restoreAllMocks();
});

const kept = answering('kept', Article, { id: 'a1', title: 'one', author: { id: 'u1', name: 'Ann' } });
const later = answering('later', Article, { id: 'a2', title: 'two', author: { id: 'u1', name: 'Ann' } });

const all = { testKey: () => true };

/** Timers that run when the test says so. */
class Timers {
  readonly #waiting = new Map<() => void, number>();

  readonly schedule: Schedule = (run, delay) => {
    this.#waiting.set(run, delay);
    return () => this.#waiting.delete(run);
  };

  /** The delays of those that wait, in ms. */
  get delays(): number[] {
    return [...this.#waiting.values()];
  }

  /** Runs all that wait, once there are any. */
  async run(): Promise<void> {
    await until(() => this.#waiting.size > 0);
    const due = [...this.#waiting.keys()];
    this.#waiting.clear();
    for (const run of due) run();
  }
}

const stateOf = ({ plugin }: App): string => plugin.status.get().state;

function failing(name = 'QuotaExceededError'): () => never {
  return () => {
    throw new DOMException('no', name);
  };
}

/** An app that starts with a stored result, which it has not read yet. */
async function reopened(): Promise<{ app: App; timers: Timers }> {
  const first = await openApp();
  await first.controller.fetch(kept);
  await first.leave();
  const timers = new Timers();
  return { app: await openApp({ schedule: timers.schedule, restore: 'lazy' }), timers };
}

/** That another start finds it without asking the network. */
async function isKept(): Promise<void> {
  requests.length = 0;
  const next = await openApp();
  expect(await next.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
  expect(requests).toEqual([]);
}

describe('after a storage failure', () => {
  it('a write is retried without another change, after pauses that grow from a second to a minute', async () => {
    const timers = new Timers();
    const app = await openApp({ schedule: timers.schedule });
    await app.controller.fetch(kept);
    const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(failing());
    await expect(app.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    const pauses: number[] = [];
    for (let nth = 0; nth < 8; nth++) {
      await until(() => timers.delays.length > 0);
      pauses.push(...timers.delays);
      await timers.run();
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(stateOf(app)).toBe('degraded');
    expect(app.errors).toHaveLength(1);
    await until(() => timers.delays.length > 0);
    add.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    expect(app.plugin.status.get()).not.toHaveProperty('problem');
    expect(timers.delays).toEqual([]);
    await isKept();
  });

  it('the next failed write is retried after a second again', async () => {
    const timers = new Timers();
    const { controller } = await openApp({ schedule: timers.schedule });
    for (const endpoint of [kept, later]) {
      await controller.fetch(endpoint);
      const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(failing());
      await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
      expect(timers.delays).toEqual([1_000]);
      await timers.run();
      await until(() => timers.delays.length > 0);
      expect(timers.delays).toEqual([2_000]);
      add.mockRestore();
      await timers.run();
      await controller.flush();
      await pause(20);
    }
  });

  it('the status is working again once a read succeeds, with nothing to write', async () => {
    const { app, timers } = await reopened();
    const transaction = jest
      .spyOn(IDBDatabase.prototype, 'transaction')
      .mockImplementation(failing('NotAllowedError'));
    expect(await app.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(requests).toEqual(['kept', 'kept']);
    expect(stateOf(app)).toBe('degraded');
    transaction.mockRestore();
    await app.controller.flush();
    await timers.run();
    await until(() => stateOf(app) === 'working');
  });

  it('a read that succeeds does not say that all is well while a failed write is pending', async () => {
    const { app } = await reopened();
    await app.controller.fetch(later);
    jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(failing('NotAllowedError'));
    await expect(app.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(await app.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(requests).toEqual(['kept', 'later']);
    expect(stateOf(app)).toBe('degraded');
  });

  it('a write that still fails after evicting half of the data evicts nothing more', async () => {
    const timers = new Timers();
    const { controller } = await openApp({ schedule: timers.schedule });
    const users = Array.from({ length: 1_100 }, (_, id) => ({ id: `u${id}` }));
    for (const name of ['first', 'second', 'third', 'fourth'])
      await controller.fetch(answering(name, [User], users.map(({ id }) => ({ id: `${name} ${id}` })))); // oxfmt-ignore
    await controller.flush();
    while ((await records('log')).length > 0) await pause();
    const stored = await records('results');
    jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(failing());
    await controller.fetch(kept);
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    const left = await records('results');
    expect(left.length).toBeLessThan(stored.length);
    expect(left).not.toEqual([]);
    for (let nth = 0; nth < 5; nth++) await timers.run();
    await until(() => timers.delays.length > 0);
    expect(await records('results')).toEqual(left);
  });

  it('opening the database is retried, and memory is then written', async () => {
    const timers = new Timers();
    const open = jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(failing('UnknownError'));
    const app = await openApp({ schedule: timers.schedule });
    await app.controller.fetch(kept);
    await timers.run();
    await until(() => timers.delays.length > 0);
    expect(stateOf(app)).toBe('degraded');
    open.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    await app.controller.flush();
    await isKept();
  });

  it('a list on disk has what was added while the database could not be opened', async () => {
    const list = new Endpoint(() => Promise.resolve([{ id: 'a1', name: 'Ann' }]), {
      name: 'list',
      schema: new Collection([User]),
      dataExpiryLength: Infinity,
    });
    const first = await openApp();
    await first.controller.fetch(list);
    await first.controller.stop();
    const timers = new Timers();
    const open = jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(failing('UnknownError'));
    const app = await openApp({ schedule: timers.schedule, restore: 'lazy' });
    app.controller.set(list.schema.push, { id: 'a2', name: 'Ben' });
    await timers.run();
    await until(() => timers.delays.length > 0);
    expect(stateOf(app)).toBe('degraded');
    open.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    await app.controller.stop();
    const next = await openApp();
    expect((await next.controller.fetchIfStale(list)).map(({ id }) => id)).toEqual(['a1', 'a2']);
  });

  it('flush() does not fail because of a list that was changed while the database could not be opened', async () => {
    const list = new Endpoint(() => Promise.resolve([{ id: 'a1', name: 'Ann' }]), {
      name: 'list',
      schema: new Collection([User]),
    });
    jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(failing('UnknownError'));
    const { controller } = await openApp({ schedule: new Timers().schedule });
    await controller.fetch(kept);
    await controller.flush();
    controller.set(list.schema.push, { id: 'a2', name: 'Ben' });
    await controller.flush();
    expect(controller.get(User, { id: 'a2' })?.name).toBe('Ben');
  });

  it('an entity that was deleted and created again while the database could not be opened has nothing of the old one', async () => {
    const remove = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id }), {
      name: 'remove',
      schema: new Delete(Article),
      sideEffect: true,
    });
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.controller.stop();
    const timers = new Timers();
    const open = jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(failing('UnknownError'));
    const app = await openApp({ schedule: timers.schedule, restore: 'lazy' });
    await app.controller.fetch(remove, { id: 'a1' });
    app.controller.set(Article, { id: 'a1' }, { id: 'a1', body: 'new' });
    await timers.run();
    await until(() => timers.delays.length > 0);
    open.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    await app.controller.stop();
    const next = await openApp();
    await next.plugin.restored;
    expect(next.controller.get(Article, { id: 'a1' })).toMatchObject({ title: '', body: 'new' });
  });

  it('a read that has failed does not keep a deleted database from being written again', async () => {
    const broken = new Endpoint((): Promise<string> => Promise.reject(new Error('503')), { name: 'broken' });
    const app = await openApp();
    await app.controller.fetch(kept);
    await expect(app.controller.fetch(broken)).rejects.toThrow('503');
    await app.controller.flush();
    clearSiteData(DATABASE, { isWritten: true, isSilent: false });
    await app.controller.fetch(later);
    await app.controller.flush();
    await app.controller.stop();
    await isKept();
  });

  it('an invalidation of results on disk that could not be read is written by a retry', async () => {
    const { app, timers } = await reopened();
    const transaction = jest
      .spyOn(IDBDatabase.prototype, 'transaction')
      .mockImplementation(failing('NotAllowedError'));
    app.controller.invalidateAll(all);
    await until(() => stateOf(app) === 'degraded');
    transaction.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    expect(timers.delays).toEqual([]);
    // Nothing else has written it: the page crashes.
    const next = await openApp();
    requests.length = 0;
    await next.controller.fetchIfStale(kept);
    expect(requests).toEqual(['kept']);
  });

  it('an invalidation that is never written is retried after pauses that grow', async () => {
    const { app, timers } = await reopened();
    // Of reads, only those of results fail.
    const read = IDBObjectStore.prototype.get;
    jest.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
      return this.name === 'results' ? failing('NotAllowedError')() : read.call(this, key);
    });
    app.controller.invalidateAll(all);
    const pauses: number[] = [];
    for (let nth = 0; nth < 4; nth++) {
      await until(() => timers.delays.length > 0);
      pauses.push(...timers.delays);
      await timers.run();
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(app.errors).toHaveLength(1);
  });

  it('compaction is retried', async () => {
    const timers = new Timers();
    const app = await openApp({ schedule: timers.schedule });
    const users = Array.from({ length: 1_100 }, (_, id) => ({ id: `u${id}` }));
    const put = jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(failing());
    await app.controller.fetch(answering('list', [User], users));
    await app.controller.flush();
    await until(() => stateOf(app) === 'degraded');
    await timers.run();
    await until(() => timers.delays.length > 0);
    expect(await records('shards')).toEqual([]);
    put.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    expect(await records('log')).toEqual([]);
  });

  it('nothing is retried once the controller is stopped', async () => {
    const timers = new Timers();
    const { controller } = await openApp({ schedule: timers.schedule });
    await controller.fetch(kept);
    jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(failing());
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    await controller.stop().catch(() => undefined);
    expect(timers.delays).toEqual([]);
  });
});

describe('a reset that could not empty the database', () => {
  it('a failed reset is repeated later, and data stored since is written', async () => {
    const timers = new Timers();
    const app = await openApp({ schedule: timers.schedule });
    await app.controller.fetch(later);
    await app.controller.flush();
    const clear = jest
      .spyOn(IDBObjectStore.prototype, 'clear')
      .mockImplementation(failing('NotAllowedError'));
    await expect(app.controller.reset()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(JSON.stringify(await records('log'))).toContain('two');
    await app.controller.fetch(kept);
    clear.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    await app.controller.flush();
    expect(JSON.stringify(await records('log'))).not.toContain('two');
    await isKept();
  });

  it('a failed reset does not hide the records of other plugins that it keeps', async () => {
    const timers = new Timers();
    const app = await openApp({ schedule: timers.schedule });
    new Mutations(app.controller).commit({ origin: 'outbox', side: { outbox: [['e1', 1]] } });
    await app.controller.flush();
    const clear = jest
      .spyOn(IDBObjectStore.prototype, 'clear')
      .mockImplementation(failing('NotAllowedError'));
    await expect(app.controller.reset({ unsent: 'keep' })).rejects.toMatchObject({ code: 'HF_STORAGE' });
    // An outbox takes what is no longer there for sent.
    await expect(app.plugin.side('outbox')).rejects.toMatchObject({ code: 'HF_STORAGE' });
    clear.mockRestore();
    await timers.run();
    await until(() => stateOf(app) === 'working');
    expect(await app.plugin.side('outbox')).toEqual([['e1', 1]]);
  });

  it('a reset delayed by a late opening runs before anything is read from the database', async () => {
    const first = await openApp();
    await first.controller.fetch(later);
    await first.leave();
    const holder = await new Promise<globalThis.IDBDatabase>((resolve) => {
      const opening = indexedDB.open(DATABASE);
      opening.onsuccess = () => resolve(opening.result);
    });
    const upgrade = indexedDB.open(DATABASE, 99);
    upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
    await new Promise((resolve) => (upgrade.onblocked = resolve));
    const app = await openApp();
    await expect(app.controller.reset()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    holder.close();
    await until(() => stateOf(app) === 'working');
    await app.controller.flush();
    expect(app.controller.get(Article, { id: 'a2' })).toBeUndefined();
    expect(await records('log')).toEqual([]);
  });
});
