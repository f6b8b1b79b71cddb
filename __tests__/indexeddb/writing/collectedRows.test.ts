import { describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { type StoredRow } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { deleteDB } from 'idb';
import type { ControllerApi } from '../../../plugins/indexeddb/ControllerApi.ts';
import { mergeRows } from '../../../src/store/writeEntity.ts';
import { Store } from '../../../src/store/Store.ts';
import { DATABASE, freshIndexedDB, metaAt, pause, records } from '../../support/indexedDB.ts';
import { Note } from '../../support/entities.ts';
import { holdIdle } from '../../support/idle.ts';
import { silently } from '../../support/silently.ts';

freshIndexedDB();

/** A store with the plugin on it, of which rows can be collected. */
async function open() {
  const plugin = indexedDB({ name: DATABASE });
  const store = new Store({
    changed: () => undefined,
    committed: (commit) => plugin.commit?.(commit),
  });
  const put = (origin: string, pk: string, row: StoredRow): void =>
    store.commit((writer) => writer.setRow('Note', pk, mergeRows(Note, writer.row('Note', pk), row)), {
      action: { type: 'fetch' },
      origin,
    });
  const core: ControllerApi = {
    now: () => 0,
    apply: ({ rows }, { origin }) => rows.forEach(([, pk, row]) => put(origin, pk, row)),
    entitiesOf: () => [Note],
    mountedKeys: () => [],
    queriedRows: () => [],
    plugins: [],
    reset: async () => undefined,
    witness: () => undefined,
    schemaOf: () => undefined,
    currentList: (list) => list,
    schedule: () => () => undefined,
  };
  await plugin.start?.(core as never); // what the plugin asks of its controller
  return {
    plugin,
    put: (pk: string, order: number, value: object, expiresAt = Infinity) =>
      put('network', pk, { value: { id: pk, ...value }, meta: metaAt(order, { expiresAt }) }),
    putResult: (key: string, value: string) =>
      store.commit((writer) => writer.setResult(key, { value, meta: metaAt(1) }), {
        action: { type: 'fetch' },
        origin: 'network',
      }),
    collect: (pk: string, type: 'batch' | 'collect' = 'batch', result?: string) =>
      store.commit(
        (writer) => {
          writer.deleteRow('Note', pk);
          if (result !== undefined) writer.deleteResult(result);
        },
        { action: { type }, origin: 'gc' },
      ),
    restore: async (pk: string) => {
      const found = await plugin.restore({ rows: [['Note', pk]] });
      if (found !== undefined) core.apply(found, { origin: plugin.name, type: 'restore' });
    },
    value: (pk: string) => store.base.tables['Note']?.get(pk)?.value,
  };
}

describe('a row that memory has dropped', () => {
  it('a collected row stays on disk', async () => {
    const first = await open();
    first.put('n', 1, { text: 'kept' });
    await first.plugin.flush?.();
    first.collect('n');
    await first.plugin.flush?.();
    expect(await records('log')).toHaveLength(1);
    const answer = await first.plugin.restore({ rows: [['Note', 'n']] });
    expect(answer?.rows).toMatchObject([['Note', 'n', { value: { text: 'kept' } }]]);
    await first.plugin.stop?.();
  });

  it('a collected row with pending changes is written to the next database if the browser deletes this one', async () => {
    const release = holdIdle();
    const first = await open();
    first.put('n', 1, { text: 'old' });
    await first.plugin.flush?.();
    first.put('n', 2, { text: 'new' });
    first.collect('n');
    await deleteDB(DATABASE);
    await first.plugin.flush?.();
    const answer = await first.plugin.restore({ rows: [['Note', 'n']] });
    expect(answer?.rows).toMatchObject([['Note', 'n', { value: { text: 'new' } }]]);
    release();
    await first.plugin.stop?.();
  });

  it('a collected row with pending changes is still written', async () => {
    const first = await open();
    first.put('n', 1, { text: 'old' });
    await first.plugin.flush?.();
    first.put('n', 2, { text: 'new' });
    first.collect('n');
    await first.plugin.flush?.();
    const answer = await first.plugin.restore({ rows: [['Note', 'n']] });
    expect(answer?.rows).toMatchObject([['Note', 'n', { value: { text: 'new' } }]]);
    await first.plugin.stop?.();
  });

  it('a collected row is read in its last state, also before that is written', async () => {
    const first = await open();
    first.put('n', 1, { text: 'old' });
    await first.plugin.flush?.();
    first.put('n', 2, { text: 'new' });
    first.collect('n', 'collect');
    await first.restore('n');
    expect(first.value('n')).toEqual({ id: 'n', text: 'new' });
    await first.plugin.stop?.();
  });

  it('a collected row is written in its last state, even if an older version was restored concurrently', async () => {
    const release = holdIdle();
    const first = await open();
    first.put('n', 1, { text: 'old' });
    await first.plugin.flush?.();
    first.put('n', 2, { text: 'new' });
    first.collect('n');
    await first.restore('n');
    expect(first.value('n')).toEqual({ id: 'n', text: 'old' });
    release();
    await first.plugin.stop?.();

    const second = await open();
    await second.restore('n');
    expect(second.value('n')).toEqual({ id: 'n', text: 'new' });
    await second.plugin.stop?.();
  });

  it('a collected row is merged with the disk when it is stored again, also if not persisted by itself', async () => {
    const first = await open();
    first.put('n', 1, { text: 'kept', detail: 'long' });
    await first.plugin.flush?.();
    first.collect('n');
    first.put('n', 2, { text: 'newer' }, 5);
    await first.plugin.flush?.();
    expect(first.value('n')).toEqual({ id: 'n', text: 'newer', detail: 'long' });
    await first.plugin.stop?.();

    const second = await open();
    await second.plugin.restored;
    expect(second.value('n')).toEqual({ id: 'n', text: 'newer', detail: 'long' });
    await second.plugin.stop?.();
  });

  it('a row and a result that are collected while a write of them fails are written later', async () => {
    const release = holdIdle();
    const first = await open();
    first.put('n', 1, { text: 'new' });
    first.putResult('r', 'of the server');
    const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      first.collect('n', 'collect', 'r');
      throw new DOMException('full', 'QuotaExceededError');
    });
    await silently(() => expect(first.plugin.flush?.()).rejects.toMatchObject({ code: 'HF_STORAGE' }));
    expect(first.value('n')).toBeUndefined();
    add.mockRestore();
    await first.plugin.flush?.();
    await first.restore('n');
    expect(first.value('n')).toEqual({ id: 'n', text: 'new' });
    const found = await first.plugin.restore({ results: ['r'] });
    expect(found?.results).toMatchObject([['r', { value: 'of the server' }]]);
    release();
    await first.plugin.stop?.();
  });

  it('a collected row that was never on disk costs no disk access', async () => {
    const first = await open();
    first.put('n', 1, { text: 'passing' }, 5);
    first.collect('n');
    await first.plugin.flush?.();
    await pause(50);
    expect(await records('log')).toEqual([]);
    await first.plugin.stop?.();
  });
});
