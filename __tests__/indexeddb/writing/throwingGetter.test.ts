import { expect, it } from '@jest/globals';
import { Endpoint } from 'holdfast';
import { aesGcm } from 'holdfast/indexeddb';
import { Article, freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';

freshIndexedDB();

/** An instance of a library whose getter cannot answer yet. */
class Unready {
  constructor() {
    Object.defineProperty(this, 'value', {
      enumerable: true,
      get() {
        throw new TypeError('not ready');
      },
    });
  }
}

const getArticle = new Endpoint(
  async ({ id }: { id: string }) => {
    requests.push(id);
    return { id, title: id, tags: id === 'unready' ? [new Unready()] : [] };
  },
  { name: 'get', schema: Article, dataExpiryLength: Infinity },
);

it.each(['without', 'with'])(
  'a row whose getter throws is left out, and all others are stored, %s a codec',
  async (codec) => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]);
    const options = codec === 'with' ? { codec: aesGcm(key) } : {};
    const app = await openApp(options);
    await app.controller.fetch(getArticle, { id: 'unready' });
    await app.controller.fetch(getArticle, { id: 'good' });
    await app.controller.flush();
    expect(app.errors.map(({ code }) => code)).toEqual(['HF_ROW_NOT_CLONABLE']);
    await app.leave();

    requests.length = 0;
    const next = await openApp(options);
    expect(await next.controller.fetchIfStale(getArticle, { id: 'good' })).toMatchObject({ title: 'good' });
    expect(requests).toEqual([]);
  },
);
