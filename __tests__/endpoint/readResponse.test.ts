import { describe, expect, it } from '@jest/globals';
import { HttpResponse } from 'msw';
import { RestEndpoint } from '../../src/endpoint/RestEndpoint.ts';
import type { RestEndpointOptions } from '../../src/endpoint/RestEndpointOptions.ts';
import { Article } from './models.ts';
import { answer, prefix, startServer } from './server.ts';

const server = startServer();
const page = '<!doctype html><html><body>Welcome</body></html>';

/** What an endpoint with these options makes of a response. */
function read(response: Response, options: Partial<RestEndpointOptions> = {}): Promise<unknown> {
  answer(server, () => response);
  return new RestEndpoint({
    urlPrefix: prefix,
    path: '/a',
    name: 'getA',
    ...options,
  })();
}

function typed(body: BodyInit | null, contentType: string, status = 200): Response {
  return new HttpResponse(body, { status, headers: { 'content-type': contentType } });
}

describe('by its content type, a response is', () => {
  it.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json; charset=utf-8', '[1]', [1]],
    ['application/problem+json', '{"a":1}', { a: 1 }],
    ['APPLICATION/JSON', 'null', null],
    ['application/json', '0', 0],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['text/html', page, page],
    ['application/jsonp', 'x', 'x'],
    ['text/plain; note=application/json', 'x', 'x'],
  ])('%s: %s', async (type, body, expected) => {
    await expect(read(typed(body, type))).resolves.toEqual(expected);
  });

  it.each([
    [typed('', 'application/json')],
    [typed(null, 'text/plain')],
    [typed(null, 'application/json', 204)],
  ])('null when empty', async (response) => {
    await expect(read(response)).resolves.toBeNull();
  });
});

describe('by the option content, a response is', () => {
  it('JSON whatever its type', async () => {
    await expect(read(typed('{"a":1}', 'text/plain'), { content: 'json' })).resolves.toEqual({ a: 1 });
    await expect(read(typed('', 'text/plain'), { content: 'json' })).resolves.toBeNull();
  });

  it('text, also when empty', async () => {
    await expect(read(typed('{"a":1}', 'application/json'), { content: 'text' })).resolves.toBe('{"a":1}');
    await expect(read(typed('', 'application/json'), { content: 'text' })).resolves.toBe('');
  });

  it('a blob, a buffer or a stream', async () => {
    const blob = (await read(typed('abc', 'text/csv'), { content: 'blob' })) as Blob;
    expect([await blob.text(), blob.type]).toEqual(['abc', 'text/csv']);
    const buffer = (await read(typed('abc', 'text/csv'), { content: 'arrayBuffer' })) as ArrayBuffer;
    expect(new TextDecoder().decode(buffer)).toBe('abc');
    const stream = (await read(typed('abc', 'text/csv'), {
      content: 'stream',
    })) as ReadableStream<Uint8Array>;
    await expect(new Response(stream).text()).resolves.toBe('abc');
  });
});

describe('what is not JSON although it should be', () => {
  it('is named with endpoint, status and what arrived', async () => {
    await expect(read(typed('{"a":', 'application/json'))).rejects.toMatchObject({
      code: 'HF_RESPONSE_PARSE',
      message: expect.stringMatching(
        /getA \(GET .*\/a, status 200\).*the string "\{\\"a\\":".*application\/json/,
      ),
      cause: expect.objectContaining({ name: 'SyntaxError' }),
    });
    await expect(read(typed(page, 'application/json'))).rejects.toMatchObject({
      message: expect.stringContaining('the string "<!doctype'),
    });
  });

  it.each([
    [typed(page, 'text/html'), /an HTML page.*no API answers at this URL/],
    [typed('{"a":1}', 'text/plain'), /application\/json, or set `content: 'json'`/],
    [typed('Hello', 'text/plain'), /the string "Hello".*override parseResponse/],
  ])('by its schema is an error', async (response, message) => {
    await expect(read(response.clone(), { schema: Article })).rejects.toMatchObject({
      code: 'HF_RESPONSE_PARSE',
      message: expect.stringMatching(message),
    });
    await expect(read(response.clone(), { schema: [Article] })).rejects.toMatchObject({
      code: 'HF_RESPONSE_PARSE',
    });
    await expect(read(response, { schema: { results: [Article] } })).rejects.toMatchObject({
      code: 'HF_RESPONSE_PARSE',
    });
  });

  it('goes through to a process of the endpoint, and to schemas that text does for', async () => {
    const process = (value: unknown): unknown => ({ id: value });
    await expect(read(typed('5', 'text/plain'), { schema: Article, process })).resolves.toEqual({ id: '5' });
    await expect(read(typed('2026-01-01', 'text/plain'), { schema: Date })).resolves.toBe('2026-01-01');
    await expect(read(typed('x', 'text/plain'), { schema: '' })).resolves.toBe('x');
  });
});
