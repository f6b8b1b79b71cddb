import { describe, expect, it, jest } from '@jest/globals';
import { IDBDatabase } from 'fake-indexeddb';
import type { Commit } from 'holdfast';
import { Store } from '../../../src/store/Store.ts';
import { freshIndexedDB, metaAt, openApp, records, type App } from '../../support/indexedDB.ts';

freshIndexedDB();

/** Commits of a store of its own, as the outbox will make them, given to the plugin as the controller does. */
function committer({ plugin }: App): (pk: string, side: Commit['side']) => void {
  const store = new Store({
    changed: () => undefined,
    committed: (commit) => plugin.commit?.(commit),
  });
  return (pk, side) => {
    store.commit((writer) => writer.setRow('Article', pk, { value: { id: pk }, meta: metaAt(1) }), {
      action: { type: 'fetch' },
      origin: 'outbox',
      side,
    });
  };
}

describe('records of other plugins', () => {
  it('records of other plugins are written, changed and deleted under their keys', async () => {
    const app = await openApp();
    const commit = committer(app);
    commit('a1', { outbox: [['e1', { n: 1 }], ['e2', { n: 2 }]], other: [['e1', 'theirs']] }); // oxfmt-ignore
    await app.controller.flush();
    commit('a2', { outbox: [['e1', undefined], ['e2', { n: 3 }]] }); // oxfmt-ignore
    await app.controller.flush();
    expect(await app.plugin.side('outbox')).toEqual([['e2', { n: 3 }]]);
    expect(await app.plugin.side('other')).toEqual([['e1', 'theirs']]);
    expect(await app.plugin.side('out')).toEqual([]);
  });

  it('records of other plugins are written in the transaction of the rows, with strict durability', async () => {
    const app = await openApp();
    const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction');
    committer(app)('a1', { outbox: [['e1', { n: 1 }]] });
    await app.controller.flush();
    const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite');
    expect(writes).toEqual([[['meta', 'log', 'outbox'], 'readwrite', { durability: 'strict' }]]);
    transaction.mockRestore();
    expect(await records('log')).toHaveLength(1);
    expect(await records('outbox')).toEqual([{ n: 1 }]);
  });

  it('records of other plugins fail together with the rows', async () => {
    const app = await openApp();
    await openApp().then(({ controller }) => controller.reset()); // another tab: the epoch has passed
    committer(app)('a1', { outbox: [['e1', { n: 1 }]] });
    await expect(app.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(await records('log')).toEqual([]);
    expect(await records('outbox')).toEqual([]);
  });

  it('records that cannot be cloned make the flush fail, and the rest is written', async () => {
    const app = await openApp();
    committer(app)('a1', { outbox: [['e1', { f: () => 1 }], ['e2', { n: 2 }]] }); // oxfmt-ignore
    await expect(app.controller.flush()).rejects.toMatchObject({ code: 'HF_ROW_NOT_CLONABLE' });
    expect(await records('log')).toHaveLength(1);
    expect(await records('outbox')).toEqual([{ n: 2 }]);
  });

  it('records of other plugins make the flush fail if nothing can be stored', async () => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    const app = await openApp();
    committer(app)('a1', { outbox: [['e1', { n: 1 }]] });
    await expect(app.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(await app.plugin.side('outbox')).toEqual([]);
  });

  it('records of another shape are rejected', async () => {
    const app = await openApp();
    // What a plugin written in JavaScript may do.
    committer(app)('a1', { outbox: { e1: 1 } as never });
    await app.controller.flush();
    expect(app.errors.map(({ code }) => code)).toEqual(['HF_PLUGIN']);
  });

  it('a reset deletes the records of other plugins', async () => {
    const app = await openApp();
    committer(app)('a1', { outbox: [['e1', { n: 1 }]] });
    await app.controller.flush();
    await app.plugin.reset?.('app');
    expect(await records('outbox')).toEqual([]);
  });
});

describe('durability', () => {
  it.each([
    [undefined, 'relaxed'],
    ['strict', 'strict'],
  ] as const)('%s makes cache writes %s', async (option, durability) => {
    const app = await openApp(option === undefined ? {} : { durability: option });
    const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction');
    committer(app)('a1', {});
    await app.controller.flush();
    const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite');
    expect(writes).toEqual([[['meta', 'log'], 'readwrite', { durability }]]);
    transaction.mockRestore();
  });
});
