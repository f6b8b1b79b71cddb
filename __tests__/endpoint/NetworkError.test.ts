import { describe, expect, it } from '@jest/globals';
import { HttpResponse } from 'msw';
import { NetworkError } from '../../src/endpoint/http/NetworkError.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { HoldfastError } from '../../src/util/errors.ts';
import { answer, prefix, startServer } from '../support/server.ts';

const server = startServer();

/** The error of an endpoint that is answered with this. */
async function failure(response: Response, options: { readonly name?: string } = {}): Promise<NetworkError> {
  answer(server, () => response);
  const create = new RestEndpoint({ urlPrefix: prefix, path: '/articles', method: 'POST', ...options });
  const error: unknown = await create({ title: '' }).catch((reason: unknown) => reason);
  return error as NetworkError; // or the test fails
}

describe('the body of a NetworkError', () => {
  it.each([
    [
      'JSON parsed',
      HttpResponse.json({ errors: { title: ['is empty'] } }, { status: 422 }),
      { errors: { title: ['is empty'] } },
    ],
    [
      'a problem parsed',
      new HttpResponse('{"title":"No"}', {
        status: 400,
        headers: { 'content-type': 'application/problem+json' },
      }),
      { title: 'No' },
    ],
    ['JSON parsed that is said to be text', HttpResponse.text(' {"a":1}', { status: 400 }), { a: 1 }],
    ['the text of what is no JSON', HttpResponse.text('Not here', { status: 404 }), 'Not here'],
    [
      'the text of broken JSON',
      new HttpResponse('{"a":', { status: 500, headers: { 'content-type': 'application/json' } }),
      '{"a":',
    ],
    ['undefined for nothing', new HttpResponse(null, { status: 500 }), undefined],
    [
      'undefined for what is no text',
      new HttpResponse(new Uint8Array([255]), { status: 500, headers: { 'content-type': 'image/png' } }),
      undefined,
    ],
  ])('the body of a NetworkError is %s', async (_, response, body) => {
    const error = await failure(response);
    expect(error.body).toEqual(body);
    expect(error.isFromApi).toBe(true);
    expect(error.response?.bodyUsed).toBe(false);
  });
});

describe('the message of a NetworkError', () => {
  it('the message of a NetworkError has method and URL once', async () => {
    const { message } = await failure(HttpResponse.json({}, { status: 404 }));
    expect(message).toBe(
      `[holdfast] POST ${prefix}/articles was answered with 404 Not Found; see error.body (HF_NETWORK)`,
    );
  });

  it('the message of a NetworkError names the endpoint if it has a name', async () => {
    const { message } = await failure(HttpResponse.json({}, { status: 404 }), { name: 'Article.create' });
    expect(message).toContain(`POST ${prefix}/articles (Article.create) was answered with 404`);
  });

  it('the message of a NetworkError is kept by JSON, with what is known but the response', async () => {
    const error = await failure(HttpResponse.json({ a: 1 }, { status: 400 }));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'NetworkError',
      code: 'HF_NETWORK',
      message: error.message,
      status: 400,
      url: `${prefix}/articles`,
      method: 'POST',
      body: { a: 1 },
      isFromApi: true,
    });
    expect(JSON.parse(JSON.stringify(new HoldfastError('HF_SHAPE', 'a list')))).toEqual({
      name: 'HoldfastError',
      code: 'HF_SHAPE',
      message: '[holdfast] a list (HF_SHAPE)',
    });
  });
});

describe('a custom NetworkError', () => {
  it('a custom NetworkError can be created from a response', () => {
    const response = Response.json({}, { status: 404, statusText: 'Not Found' });
    Object.defineProperty(response, 'url', { value: 'https://a.test/b' });
    const error = new NetworkError(response);
    expect(error).toMatchObject({ status: 404, url: 'https://a.test/b', isFromApi: true, body: undefined });
    expect(error.response).toBe(response);
    expect(error.message).toContain('https://a.test/b was answered with 404 Not Found');
    expect(new NetworkError(response, { method: 'PUT', body: { a: 1 } })).toMatchObject({
      method: 'PUT',
      body: { a: 1 },
    });
  });

  it('a custom NetworkError can be created from a message and details', () => {
    const cause = new TypeError('fetch failed');
    const error = new NetworkError('no connection', { status: 0, url: '', method: 'GET', cause });
    expect(error).toMatchObject({ status: 0, isFromApi: false, cause, response: undefined });
  });
});
