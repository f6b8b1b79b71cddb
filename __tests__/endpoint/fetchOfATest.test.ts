/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { Article } from './models.ts';

const get = new RestEndpoint({ urlPrefix: 'https://api.example', path: '/articles/:id', schema: Article });

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'fetch');
});

describe("in Jest's jsdom, which lacks Request and Response", () => {
  it('a read uses the fetch that the test defines', async () => {
    expect(typeof Request).toBe('undefined');
    const body = JSON.stringify({ id: '5', title: 'Five' });
    const response = { ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(body) };
    Object.assign(globalThis, { fetch: () => Promise.resolve(response) });
    await expect(get({ id: 5 })).resolves.toEqual({ id: '5', title: 'Five' });
  });

  it('a read without any fetch fails with an error that names fetch', async () => {
    await expect(get({ id: 5 })).rejects.toThrow('fetch is not defined');
  });
});
