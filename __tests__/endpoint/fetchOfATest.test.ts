/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { Article } from './models.ts';

const get = new RestEndpoint({ urlPrefix: 'https://api.example', path: '/articles/:id', schema: Article });

/** Lets `fetch` return a part of a response, as mocks in the tests of apps do. */
function mockFetch(response: Readonly<Record<string, unknown>>): void {
  Object.assign(globalThis, { fetch: () => Promise.resolve(response) });
}

const five = { id: '5', title: 'Five' };

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'fetch');
});

describe("in Jest's jsdom, which lacks Request and Response", () => {
  it('a read uses the fetch that the test defines', async () => {
    expect(typeof Request).toBe('undefined');
    const text = (): Promise<string> => Promise.resolve(JSON.stringify(five));
    mockFetch({ ok: true, status: 200, headers: new Headers(), text });
    await expect(get({ id: 5 })).resolves.toEqual(five);
  });

  it.each([
    ['ok and json()', { ok: true }],
    [
      'status, headers and json()',
      { ok: true, status: 200, headers: new Map([['content-type', 'application/json']]) },
    ],
  ])('a response with only %s is read, with and without a schema', async (_, response) => {
    mockFetch({ ...response, json: () => Promise.resolve(five) });
    await expect(get({ id: 5 })).resolves.toEqual(five);
    await expect(get.extend({ schema: undefined })({ id: 5 })).resolves.toEqual(five);
    await expect(get.extend({ method: 'POST' })({ id: 5 })).resolves.toEqual(five);
  });

  it('an error response with only ok, status and json() rejects with its body', async () => {
    mockFetch({ ok: false, status: 422, json: () => Promise.resolve({ title: ['too short'] }) });
    await expect(get({ id: 5 })).rejects.toMatchObject({
      message: expect.stringMatching(/with 422;/) as unknown,
      status: 422,
      body: { title: ['too short'] },
    });
  });

  it('a read without any fetch fails with an error that names fetch', async () => {
    await expect(get({ id: 5 })).rejects.toThrow('fetch is not defined');
  });
});
