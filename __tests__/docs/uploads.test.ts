/** @jest-environment jest-fixed-jsdom */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Entity, NetworkError, RestEndpoint } from 'holdfast';
import { delay, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { sendWithProgress } from '../../docs/examples/sendWithProgress.ts';

class Upload extends Entity {
  id = '';
  name = '';
  static override key = 'Upload';
}
const upload = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/files/:status',
  method: 'POST',
  body: '',
  schema: Upload,
  requestInit: { headers: { 'X-Token': 'salt' } },
  fetchResponse: sendWithProgress(() => undefined),
});

const server = setupServer(
  http.post<{ status: string }>('https://api.example.com/files/:status', async ({ params, request }) => {
    const status = Number(params.status);
    if (status === 0) return HttpResponse.error();
    if (status === 204 || status === 205) return new HttpResponse(null, { status });
    if (status === 403)
      return HttpResponse.html('<!doctype html><form>Sign in to the network</form>', { status });
    if (status === 429) return new HttpResponse(null, { status, headers: { 'Retry-After': '20' } });
    if (status === 202) await delay(500);
    const name = request.headers.get('X-Token');
    return HttpResponse.json(status < 300 ? { id: '1', name } : { problem: 'too large' }, { status });
  }),
);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const send = (status: number, endpoint = upload): Promise<unknown> =>
  new Controller().fetch(endpoint, { status }, 'sea');

describe('the upload with progress in docs/uploads.md', () => {
  it('an upload sends the headers of the endpoint and stores the response', async () => {
    expect(await send(201)).toMatchObject({ name: 'salt' });
  });

  it.each([204, 205])('an upload without a response body resolves: %i', async (status) => {
    expect(await send(status)).toBeNull();
  });

  it('an upload that the server rejects fails with its status and body', async () => {
    const error = await send(413).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 413, body: { problem: 'too large' } });
  });

  it('an upload that a captive portal answers fails as without a connection', async () => {
    await expect(send(403)).rejects.toMatchObject({ status: 403, isFromApi: false });
  });

  it('an upload that is to be sent later fails with the time', async () => {
    const error = await send(429).catch((reason: unknown) => reason);
    expect((error as NetworkError).response?.headers.get('Retry-After')).toBe('20');
  });

  it('an upload without a connection fails with status 0', async () => {
    const error = await send(0).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 0, isFromApi: false });
  });

  it('an upload whose signal aborts rejects with the reason of the signal', async () => {
    const giveUp = new AbortController();
    const sending = send(202, upload.extend({ signal: giveUp.signal }));
    setTimeout(() => giveUp.abort(new Error('Changed my mind')), 20);
    await expect(sending).rejects.toThrow('Changed my mind');
  });
});
