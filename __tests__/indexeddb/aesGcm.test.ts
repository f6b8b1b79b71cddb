import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, type HoldfastError, NetworkError, RestEndpoint } from 'holdfast';
import { aesGcm, WrongKeyError, type Codec } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { openDB } from 'idb';
import { serialize } from 'node:v8';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
} from '../support/indexedDB.ts';
import { Note } from '../support/entities.ts';

freshIndexedDB();

const SECRET = 'the diary of Ada';
const STORES = ['log', 'shards', 'results', 'outbox', 'meta'];

const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

const list = Array.from({ length: 50 }, (_, index) => ({ id: String(index), title: `${SECRET} ${index}` }));
const getList = answering(`getList ${SECRET}`, [Article], list);

/** Everything on disk, as bytes. */
async function onDisk(): Promise<string> {
  const all = await Promise.all(STORES.map((store) => records(store)));
  return serialize(all).toString('latin1');
}

/** Fetches the list and closes the page. */
async function stored(codec: Codec): Promise<void> {
  const { controller, leave } = await openApp({ codec });
  await controller.fetch(getList);
  await leave();
  requests.length = 0;
}

/** Moves everything from the log into shards. */
async function compacted(codec: Codec): Promise<void> {
  const plugin = new IndexedDBPluginImpl({ name: DATABASE, codec }, { compactAt: { records: 1, rows: 1 } });
  const controller = new Controller({ plugins: [plugin] });
  await controller.restored;
  controller.set(Article, { id: 'last' }, { title: 'last' });
  await controller.flush();
  while ((await records('log')).length > 0) await pause(5);
  await controller.stop();
}

describe('aesGcm', () => {
  it('aesGcm leaves nothing readable on disk, and restores everything with the same key', async () => {
    const codec = aesGcm(await newKey());
    await stored(codec);
    expect(await onDisk()).not.toContain('Ada');
    await compacted(codec);
    expect(await onDisk()).not.toContain('Ada');

    const { controller, errors } = await openApp({ codec });
    const articles = await controller.fetchIfStale(getList);
    expect(articles.map(({ title }) => title)).toEqual(list.map(({ title }) => title));
    expect(requests).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('aesGcm encrypts equal records differently', async () => {
    const codec = aesGcm(await newKey());
    const [one, other] = [await codec.encode('same'), await codec.encode('same')];
    expect(one).not.toEqual(other);
    expect([await codec.decode(one), await codec.decode(other)]).toEqual(['same', 'same']);
  });

  it.each(['log', 'shards'])(
    'aesGcm leaves %s unchanged if the key is wrong, and reports it once',
    async (store) => {
      const codec = aesGcm(await newKey());
      await stored(codec);
      if (store === 'shards') await compacted(codec);
      const before = await onDisk();

      const { controller, errors, leave } = await openApp({ codec: aesGcm(await newKey()) });
      await controller.fetchIfStale(getList);
      expect(requests).toHaveLength(1);
      controller.set(Article, { id: '1' }, { title: 'in memory only' });
      await controller.flush().catch(() => undefined);
      expect(controller.get(Article, { id: '1' })?.title).toBe('in memory only');
      await leave();
      expect(errors.map(({ code, cause }) => [code, cause])).toEqual([
        ['HF_STORAGE', expect.any(WrongKeyError)],
      ]);
      expect(await onDisk()).toBe(before);

      requests.length = 0;
      const next = await openApp({ codec });
      expect((await next.controller.fetchIfStale(getList)).map(({ title }) => title)).toEqual(
        list.map(({ title }) => title),
      );
      expect(requests).toEqual([]);
    },
  );

  it('a reset makes a database with another key usable again', async () => {
    await stored(aesGcm(await newKey()));
    const codec = aesGcm(await newKey());
    const { controller, leave } = await openApp({ codec });
    await controller.reset();
    await controller.fetch(getList);
    await leave();
    requests.length = 0;
    const next = await openApp({ codec });
    expect(await next.controller.fetchIfStale(getList)).toHaveLength(50);
    expect(requests).toEqual([]);
  });

  it('aesGcm encrypts with the first of several keys, and decrypts with any of them', async () => {
    const [former, current] = [await newKey(), await newKey()];
    await stored(aesGcm(former));
    const { controller, errors, leave } = await openApp({ codec: aesGcm([current, former]) });
    expect(await controller.fetchIfStale(getList)).toHaveLength(50);
    controller.set(Article, { id: '1' }, { title: 'encrypted with the new key' });
    await leave();
    expect([requests, errors]).toEqual([[], []]);

    const next = await openApp({ codec: aesGcm(former) });
    expect(next.errors[0]?.cause).toBeInstanceOf(WrongKeyError);
    await next.leave();
    const both = await openApp({ codec: aesGcm([current, former]) });
    await both.controller.restored;
    expect(both.controller.get(Article, { id: '1' })?.title).toBe('encrypted with the new key');
  });

  it('aesGcm skips a damaged record, and keeps the others', async () => {
    const codec = aesGcm(await newKey());
    await stored(codec);
    const app = await openApp({ codec, persist: 'all' });
    await app.controller.restored;
    app.controller.set(Article, { id: 'later' }, { title: 'later' });
    await app.leave();
    const database = await openDB(DATABASE);
    const [first] = await database.getAllKeys('log');
    const bytes = (await database.get('log', first!)) as Uint8Array;
    bytes[bytes.length - 1] = bytes.at(-1)! ^ 1;
    await database.put('log', bytes, first);
    database.close();

    const next = await openApp({ codec, persist: 'all' });
    await next.controller.restored;
    expect(next.errors.map(({ code }) => code)).toContain('HF_STORAGE');
    expect(next.controller.get(Article, { id: 'later' })?.title).toBe('later');
  });

  it('aesGcm keeps unsent mutations for the right key', async () => {
    let isOnline = false;
    const sent: unknown[] = [];
    const notes = createResource({
      urlPrefix: 'https://example.com',
      path: '/notes/:id',
      schema: Note,
      optimistic: true,
      Endpoint: class extends RestEndpoint {
        override fetchResponse(url: string, init: RequestInit): Promise<Response> {
          if (!isOnline)
            return Promise.reject(new NetworkError('offline', { url, method: 'POST', status: 0 }));
          sent.push(JSON.parse(init.body as string)); // JSON
          return Promise.resolve(Response.json({ id: '1', text: SECRET }));
        }
      },
    });
    const open = async (codec: Codec) => {
      const errors: HoldfastError[] = [];
      const box = outbox({ endpoints: [notes], onError: (error) => errors.push(error) });
      const plugin = new IndexedDBPluginImpl({
        name: DATABASE,
        codec,
        onError: (error) => errors.push(error),
      });
      const controller = new Controller({ plugins: [plugin, box] });
      await controller.ready;
      return { controller, box };
    };
    const codec = aesGcm(await newKey());
    const first = await open(codec);
    void first.controller.fetch(notes.create, { text: SECRET });
    await first.controller.flush();
    await first.controller.stop();
    expect(await onDisk()).not.toContain('Ada');

    isOnline = true;
    const wrong = await open(aesGcm(await newKey()));
    expect(await wrong.box.drain()).toBe(false);
    await wrong.controller.stop();
    expect(sent).toEqual([]);

    const right = await open(codec);
    expect(await right.box.drain()).toBe(true);
    expect(sent).toEqual([{ text: SECRET }]);
    await right.controller.stop();
  });

  it('aesGcm refuses keys that cannot encrypt and decrypt', async () => {
    const wrong = await crypto.subtle.generateKey({ name: 'AES-CBC', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]);
    const halved = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    for (const keys of [wrong, halved, []])
      expect(() => aesGcm(keys)).toThrow(expect.objectContaining({ code: 'HF_STORAGE' }));
  });
});
