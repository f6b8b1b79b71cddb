import { describe, expect, it } from '@jest/globals';
import { NetworkError, RestEndpoint } from 'holdfast';
import { HttpResponse } from 'msw';
import { sendWithAxios } from '../../docs/examples/sendWithAxios.ts';
import { failure } from '../support/failure.ts';
import { answer, prefix, startServer } from '../support/server.ts';

const server = startServer();

/** What the example uses of axios, with its forms of a request and a response. */
interface Config extends Omit<RequestInit, 'body'> {
  readonly url: string;
  readonly data?: BodyInit | undefined;
}
const axios = {
  async request(config: object) {
    const { url, method, headers, data, signal } = config as Config; // as the example passes it
    const response = await fetch(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      body: data ?? null,
      signal: signal ?? null,
    });
    const { status } = response;
    return { status, data: await response.arrayBuffer(), headers: Object.fromEntries(response.headers) };
  },
};
const save = new RestEndpoint({
  urlPrefix: prefix,
  path: '/notes',
  method: 'POST',
  body: {} as { text: string },
  requestInit: { headers: { 'Idempotency-Key': 'k' } },
  fetchResponse: sendWithAxios(axios),
});

describe('the endpoint with axios in docs/realApi.md', () => {
  it('sends the headers and the body, and parses the response', async () => {
    const received = answer(server, () => HttpResponse.json({ id: '1' }));
    expect(await save({ text: 'one' })).toEqual({ id: '1' });
    expect(received[0]?.headers.get('Idempotency-Key')).toBe('k');
    expect(received[0]?.text).toBe('{"text":"one"}');
  });

  it('an empty response resolves with null', async () => {
    answer(server, () => new HttpResponse(null, { status: 204 }));
    expect(await save({ text: 'one' })).toBeNull();
  });

  it('an error response rejects with its status, body and headers', async () => {
    answer(server, () =>
      HttpResponse.json({ text: ['No'] }, { status: 429, headers: { 'Retry-After': '7' } }),
    );
    const error = await failure(save({ text: 'one' }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 429, body: { text: ['No'] } });
    expect((error as NetworkError).response?.headers.get('Retry-After')).toBe('7');
  });

  it('a web page in place of the API is recognized', async () => {
    answer(server, () => HttpResponse.html('<!doctype html>', { status: 403 }));
    expect(await failure(save({ text: 'one' }))).toMatchObject({ isFromApi: false });
  });
});
