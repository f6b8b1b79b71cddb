import { describe, expect, it } from '@jest/globals';
import { Controller } from 'holdfast';
import type { Codec } from 'holdfast/indexeddb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { Store } from '../../../src/store/Store.ts';
import { decodeText, encodeText } from 'holdfast';
import {
  answering,
  Article,
  bytes,
  DATABASE,
  freshIndexedDB,
  openApp,
  records,
  requests,
} from '../../support/indexedDB.ts';
import { inspect } from 'node:util';
import { serialize } from 'node:v8';

freshIndexedDB();

const SECRET = 'the secret of Ada';

/** Turns every bit around, in its own time. */
const toy: Codec = {
  encode: async (record) => new TextEncoder().encode(record).map((byte) => byte ^ 0xff),
  decode: async (bytes) => new TextDecoder().decode(new Uint8Array(bytes).map((byte) => byte ^ 0xff)),
};

const list = Array.from({ length: 200 }, (_, index) => ({
  id: `${SECRET} ${index}`,
  title: SECRET,
  at: new Date(index),
  author: { id: `u${index % 3}`, name: SECRET },
}));
const getList = answering(`getList ${SECRET}`, [Article], list);

async function rawText(): Promise<string> {
  const stores = ['log', 'shards', 'results', 'outbox', 'meta'];
  const all = await Promise.all(stores.map((store) => records(store)));
  return serialize(all).toString('latin1');
}

describe('a codec', () => {
  it.each(['before', 'after'] as const)(
    'a codec leaves no plain text on disk %s a compaction',
    async (when) => {
      const plugin = new IndexedDBPluginImpl(
        { name: DATABASE, codec: toy },
        { compactAt: { records: when === 'after' ? 1 : 99, rows: 1e6 } },
      );
      const controller = new Controller({ plugins: [plugin] });
      await controller.fetch(getList);
      await controller.flush();
      if (when === 'after')
        while ((await records('log')).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await controller.stop();
      expect(await records(when === 'after' ? 'shards' : 'log')).not.toEqual([]);
      const raw = await rawText();
      expect(raw).not.toContain(SECRET);
      expect(raw).not.toContain('Ada');

      requests.length = 0;
      const next = await openApp({ codec: toy });
      const articles = await next.controller.fetchIfStale(getList);
      expect(articles.map(({ id, at, author }) => ({ id, at, name: author.name }))).toEqual(
        list.map(({ id, at, author }) => ({ id, at, name: author.name })),
      );
      await next.controller.restored;
      expect(requests).toEqual([]);
      expect(next.errors).toEqual([]);
    },
  );

  it('a codec encodes the records of other plugins', async () => {
    const first = await openApp({ codec: toy });
    const store = new Store({
      changed: () => undefined,
      committed: (commit) => first.plugin.commit?.(commit),
    });
    const side = { p: [['k', { text: SECRET }]] as const };
    store.commit(() => undefined, { action: { type: 'fetch' }, origin: 'p', side });
    await first.controller.flush();
    expect(await rawText()).not.toContain(SECRET);
    expect(await first.plugin.side('p')).toEqual([['k', { text: SECRET }]]);
  });

  it('a codec that rejects stored data leaves it out', async () => {
    const first = await openApp({ codec: toy });
    await first.controller.fetch(getList);
    await first.leave();
    const other: Codec = { ...toy, decode: () => Promise.reject(new Error('wrong key')) };
    const next = await openApp({ codec: other });
    await next.controller.fetchIfStale(getList);
    expect(requests).toHaveLength(2);
    expect(next.errors[0]?.code).toBe('HF_STORAGE');
  });

  it('an encode that returns nothing is reported, and nothing is overwritten', async () => {
    const forgetful: Codec = { ...toy, encode: () => undefined as never };
    const { controller, errors } = await openApp({ codec: forgetful });
    await controller.fetch(getList);
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(errors[0]?.message).toContain('encode()');
  });

  it('a codec reports a row that cannot be serialized, and keeps the others', async () => {
    const { controller, errors } = await openApp({ codec: toy, persist: 'all' });
    await controller.fetch(getList);
    controller.set(Article, { id: 'odd' }, { tags: [new Blob(['x'])] });
    await controller.flush();
    expect(errors.map(({ code }) => code)).toEqual(['HF_ROW_NOT_CLONABLE']);
  });
});

describe('the text of a record', () => {
  it('the text of a record keeps everything that structured clone keeps', () => {
    const record = {
      ...{ nan: NaN, infinite: -Infinity, none: undefined, nothing: null, big: 2n ** 70n, text: '$🦀' },
      at: new Date(5),
      never: new Date(NaN),
      map: new Map<unknown, unknown>([[1, new Set(['a', undefined])]]),
      list: [undefined, [null], { $: ['Date', 3] }],
      bytes: Uint8Array.of(1, 255),
      hidden: Object.fromEntries([['__proto__', { own: true }]]) as unknown,
    };
    expect(inspect(decodeText(encodeText(record)), { depth: 9 })).toBe(inspect(record, { depth: 9 }));
    expect(Object.keys((decodeText(encodeText(record)) as typeof record).hidden as object)).toEqual([
      '__proto__',
    ]);
    expect(bytes(encodeText({ plain: [1, 'a', { b: true }] }))).toBeLessThan(60);
  });

  it.each([[() => 1], [Symbol('s')], [new Error('e')]])('the text of a record refuses %p', (value) => {
    expect(() => encodeText({ value })).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  });
});
