import { describe, expect, it, jest } from '@jest/globals';
import { HttpResponse } from 'msw';
import type { NetworkError } from '../../src/endpoint/http/NetworkError.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import type { RestEndpointOptions } from '../../src/endpoint/rest/RestEndpointOptions.ts';
import { Collection } from '../../src/schema/collection/Collection.ts';
import { Delete } from '../../src/schema/Delete.ts';
import { Article } from './models.ts';
import { answer, prefix, startServer } from '../support/server.ts';

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

describe('response types by content type', () => {
  it.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json; charset=utf-8', '[1]', [1]],
    ['application/problem+json', '{"a":1}', { a: 1 }],
    ['APPLICATION/JSON', 'null', null],
    ['application/json', '0', 0],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['text/html', page, page],
    ['application/vnd.api+json', '{"a":1}', { a: 1 }],
    ['text/json', '{"a":1}', { a: 1 }],
    ['application/json, application/json', '{"a":1}', { a: 1 }],
    ['application/json', '\uFEFF{"a":1}', { a: 1 }],
    ['application/json-seq', '{"a":1}', '{"a":1}'],
    ['application/x-ndjson', '{"a":1}', '{"a":1}'],
    ['application/xml', '<a/>', '<a/>'],
    ['application/rss+xml', '<a/>', '<a/>'],
    ['application/x-www-form-urlencoded', 'a=1', 'a=1'],
    ['application/javascript', 'x', 'x'],
    ['application/jsonp', 'x', 'x'],
    ['text/plain; note=application/json', 'x', 'x'],
    ['text', 'x', 'x'],
    ['plain/text', 'x', 'x'],
  ])('a response with content type %s: %s', async (type, body, expected) => {
    await expect(read(typed(body, type))).resolves.toEqual(expected);
  });

  // Bytes that are no UTF-8.
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]);

  it.each([
    'image/png',
    'image/svg+xml',
    'application/pdf',
    'application/octet-stream',
    'Audio/MPEG',
    'font/woff2',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/zip',
  ])('a Blob response keeps its bytes unchanged: %s', async (type) => {
    const blob = (await read(typed(bytes, type))) as Blob;
    expect(blob.type).toBe(type.toLowerCase());
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
  });

  it('a response without a content type is text if its bytes are text, else a Blob', async () => {
    const untyped = (body: BodyInit): Response => {
      const response = new HttpResponse(body);
      response.headers.delete('content-type');
      return response;
    };
    await expect(read(untyped('Grüße'))).resolves.toBe('Grüße');
    await expect(read(untyped(''))).resolves.toBeNull();
    await expect(read(untyped('{"id":"1"}'), { schema: Article })).resolves.toEqual({ id: '1' });
    const blob = (await read(untyped(bytes))) as Blob;
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
  });

  it('a response is read as JSON whatever its content type if a schema describes it', async () => {
    for (const type of ['text/plain', 'text/html', 'application/octet-stream'])
      await expect(read(typed('{"id":"1"}', type), { schema: Article })).resolves.toEqual({
        id: '1',
      });
  });

  it('CouchDB sends JSON as text/plain: a process of an endpoint with a schema receives what it contains', async () => {
    const process = ({ rows }: { rows: readonly { doc: object }[] }): unknown => rows.map(({ doc }) => doc);
    const listed = typed('{"rows":[{"doc":{"id":"1"}}]}\n', 'text/plain; charset=utf-8');
    await expect(read(listed, { schema: [Article], process })).resolves.toEqual([{ id: '1' }]);
    const created = typed('{"ok":true,"id":"5","rev":"1-a"}\n', 'text/plain; charset=utf-8');
    const options = {
      method: 'POST',
      schema: Article,
      process: ({ id }: { id: string }): unknown => ({ id }),
    };
    await expect(read(created, options)).resolves.toEqual({ id: '5' });
  });

  it.each(['application/json; charset=iso-8859-1', 'application/json;Charset="ISO-8859-1"; a=b'])(
    'JSON and text are decoded by their charset: %s',
    async (type) => {
      const latin = Uint8Array.from(Buffer.from('{"a":"é"}', 'latin1'));
      await expect(read(typed(latin, type))).resolves.toEqual({ a: 'é' });
      await expect(read(typed(latin, type), { content: 'text' })).resolves.toBe('{"a":"é"}');
      await expect(read(typed(latin, type, 400))).rejects.toMatchObject({ body: { a: 'é' } });
    },
  );

  it.each(['', '; charset=utf-8', '; charset=UTF8', '; charset=unknown', '; charset='])(
    'JSON and text are decoded as UTF-8 without another charset that the platform has: %s',
    async (parameter) => {
      await expect(read(typed('{"a":"é"}', `application/json${parameter}`))).resolves.toEqual({ a: 'é' });
    },
  );

  it.each([
    [typed('', 'application/json')],
    [typed('', 'image/png')],
    [typed(null, 'text/plain')],
    [typed(null, 'application/json', 204)],
  ])('an empty response is null', async (response) => {
    await expect(read(response)).resolves.toBeNull();
  });
});

describe('response types by the option content', () => {
  it('content: json reads a response as JSON whatever its type', async () => {
    await expect(read(typed('{"a":1}', 'text/plain'), { content: 'json' })).resolves.toEqual({ a: 1 });
    await expect(read(typed('', 'text/plain'), { content: 'json' })).resolves.toBeNull();
  });

  it('content: text reads a response as text, also when empty', async () => {
    await expect(read(typed('{"a":1}', 'application/json'), { content: 'text' })).resolves.toBe('{"a":1}');
    await expect(read(typed('', 'application/json'), { content: 'text' })).resolves.toBe('');
  });

  it('content can read a response as a blob, a buffer or a stream', async () => {
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

describe('invalid JSON', () => {
  it('an error for invalid JSON names the endpoint, the status and the body', async () => {
    await expect(read(typed('{"a":', 'application/json'))).rejects.toMatchObject({
      code: 'HF_RESPONSE_PARSE',
      message: expect.stringMatching(
        /getA \(GET .*\/a, status 200\).*the string "\{\\"a\\":".*application\/json/,
      ),
      cause: expect.objectContaining({ name: 'SyntaxError' }),
    });
  });

  it('a read with a schema rejects a response that is not JSON', async () => {
    for (const schema of [Article, [Article], { results: [Article] }])
      await expect(read(typed('Hello', 'text/plain'), { schema })).rejects.toMatchObject({
        code: 'HF_SHAPE',
        message: expect.stringMatching(/the string "Hello".*override parseResponse/),
      });
  });

  it('a mutation with a schema rejects a response that is not JSON', async () => {
    for (const [body, type] of [
      ['Hello', 'application/json'],
      ['{"id":', 'text/plain'],
      ['a;b', 'text/csv'],
    ] as const)
      await expect(read(typed(body, type), { schema: Article, method: 'POST' })).rejects.toMatchObject({
        code: 'HF_RESPONSE_PARSE',
      });
  });

  it.each(['text/plain', 'text/plain; charset=utf-8', 'text/html'])(
    'plain text from a mutation with a schema is an empty response, sent as %s',
    async (type) => {
      for (const method of ['POST', 'PATCH'])
        await expect(read(typed('OK', type), { schema: Article, method })).resolves.toBeNull();
    },
  );

  it('invalid JSON is passed to a process of the endpoint, and to schemas that accept text', async () => {
    const process = (value: unknown): unknown => ({ id: value });
    await expect(read(typed('5', 'text/plain'), { schema: Article, process })).resolves.toEqual({
      id: '5',
    });
    await expect(read(typed('[draft] Kelp', 'text/plain'), { schema: Article, process })).resolves.toEqual({
      id: '[draft] Kelp',
    });
    await expect(read(typed('2026-01-01', 'text/plain'), { schema: Date })).resolves.toBe('2026-01-01');
    await expect(read(typed('x', 'text/plain'), { schema: '' })).resolves.toBe('x');
  });
});

describe('empty responses', () => {
  const empty = [
    typed('', 'application/json'),
    typed(null, 'application/json', 204),
    // What a PHP file has after its last tag.
    typed('\r\n', 'application/json'),
  ];

  it.each(empty)('an empty response rejects a read with a schema', async (response) => {
    for (const schema of [Article, [Article], { results: [Article] }, new Collection([Article])])
      await expect(read(response.clone(), { schema })).rejects.toMatchObject({
        code: 'HF_SHAPE',
        message: expect.stringContaining('getA'),
      });
  });

  it.each(empty)(
    'an empty response is accepted for mutations, and for an endpoint that processes it',
    async (response) => {
      for (const method of ['POST', 'PUT', 'DELETE'])
        await expect(read(response.clone(), { schema: Article, method })).resolves.toBeNull();
      await expect(
        read(response.clone(), { schema: [Article], process: (value) => value ?? [] }),
      ).resolves.toEqual([]);
    },
  );
});

describe('a web page in place of the response', () => {
  const lost = { name: 'NetworkError', status: 0, isFromApi: false, body: page };

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/json',
    'text/plain',
    'application/xhtml+xml',
  ])('a web page is rejected, sent as %s', async (type) => {
    for (const options of [
      { schema: Article },
      { schema: [Article] },
      { schema: Article, process: (value: unknown) => value },
      { method: 'POST' },
      { method: 'DELETE', schema: new Delete(Article) },
      { content: 'json' },
    ] as const)
      await expect(read(typed(page, type), options)).rejects.toMatchObject(lost);
  });

  it('a web page in place of the answer does not have the shape of a read with a schema', async () => {
    const codeFor = async (options: Parameters<typeof read>[1], status = 200): Promise<string> => {
      const error: unknown = await read(typed(page, 'text/html', status), options).catch(
        (reason: unknown) => reason,
      );
      return (error as NetworkError).code; // read() rejects with nothing else
    };
    for (const schema of [Article, [Article]]) expect(await codeFor({ schema })).toBe('HF_SHAPE');
    expect(await codeFor({ schema: Article, process: (value: unknown) => value })).toBe('HF_SHAPE');
    expect(await codeFor({ schema: Article }, 404)).toBe('HF_NETWORK');
    expect(await codeFor({ schema: Article, method: 'POST' })).toBe('HF_NETWORK');
    expect(await codeFor({ content: 'json' })).toBe('HF_NETWORK');
  });

  it('a web page in place of the answer is named with its status, and keeps its response', async () => {
    await expect(read(typed(page, 'text/html', 203), { schema: Article })).rejects.toMatchObject({
      message: expect.stringMatching(/GET .*\/a \(getA\) was answered with 203.*by a web page/),
      response: expect.objectContaining({ status: 203 }),
    });
  });

  it.each([401, 403, 404, 502, 511])(
    'a web page is recognized in place of an API response with status %i, too',
    async (status) => {
      await expect(read(typed(page, 'text/html', status), { schema: Article })).rejects.toMatchObject({
        status,
        isFromApi: false,
        body: page,
      });
    },
  );

  it('a web page is accepted where no schema describes JSON, or where the endpoint allows it', async () => {
    await expect(read(typed(page, 'text/html'))).resolves.toBe(page);
    await expect(read(typed(page, 'text/html'), { content: 'text', method: 'POST' })).resolves.toBe(page);
    await expect(read(typed(page, 'text/html', 404))).rejects.toMatchObject({ isFromApi: true });
  });

  it('a web page in place of the answer is not what Express sends as text/html', async () => {
    await expect(read(typed('ok', 'text/html; charset=utf-8'), { method: 'POST' })).resolves.toBe('ok');
    await expect(
      read(typed('deleted', 'text/html'), { method: 'DELETE', schema: new Delete(Article) }),
    ).resolves.not.toThrow();
  });
});

describe('a schema of an endpoint that reads no JSON', () => {
  it('warns once about a schema of an endpoint that reads no JSON, unless the endpoint processes the response', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const schema = [Article];
    const process = (value: unknown): unknown => value;
    await read(typed('a', 'text/plain'), { content: 'text' });
    await read(typed('a', 'text/plain'), { content: 'text', schema: Date });
    await read(typed('[]', 'text/plain'), { content: 'json', schema });
    await read(typed('a', 'text/plain'), { content: 'blob', schema, process });
    expect(warn).not.toHaveBeenCalled();
    await read(typed('a', 'text/plain'), { content: 'blob', schema });
    await read(typed('a', 'text/plain'), { content: 'blob', schema });
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/getA has a schema.*content: 'blob'[^]*HF_CONTENT/)],
    ]);
    warn.mockRestore();
  });
});
