import { describe, expect, it, jest } from '@jest/globals';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import type { RestEndpointOptions } from '../../src/endpoint/rest/RestEndpointOptions.ts';

const prefix = 'https://api.example.com';

/** The URL of a path with these parameters; untyped, so that what types refuse can be tried. */
function url(
  path: string,
  params?: object,
  options: Partial<RestEndpointOptions> = { urlPrefix: prefix },
): string {
  return new RestEndpoint({ ...options, path }).url(params as Record<string, unknown>);
}

function code(expected: string, message: RegExp = /./): unknown {
  return expect.objectContaining({ code: expected, message: expect.stringMatching(message) });
}

describe('the URL of a path pattern', () => {
  it.each([
    ['/articles/:id', { id: 5 }, '/articles/5'],
    ['/articles/:id', { id: 'a b/c?d#e&f%g' }, '/articles/a%20b%2Fc%3Fd%23e%26f%25g'],
    ['/articles/:id', { id: 10n }, '/articles/10'],
    ['/articles/:id', { id: '😀' }, '/articles/%F0%9F%98%80'],
    ['/articles{/:id}', {}, '/articles'],
    ['/articles{/:id}', { id: undefined }, '/articles'],
    ['/articles{/:id}', { id: 'x' }, '/articles/x'],
    ['/a{/b/:x{/c/:y}}', { x: 1 }, '/a/b/1'],
    ['/a{/b/:x{/c/:y}}', { x: 1, y: 2 }, '/a/b/1/c/2'],
    ['/a/:x{/again/:x/:y}', { x: 1 }, '/a/1'],
    ['/files/*path', { path: ['a', 'b c', 3] }, '/files/a/b%20c/3'],
    ['/files/*path', { path: 'a/b c?' }, '/files/a/b%20c%3F'],
    ['/:"first name"/x', { 'first name': 'Ann' }, '/Ann/x'],
    ['/a\\:b/:id', { id: 1 }, '/a:b/1'],
    ['/articles\\?page=:page', { page: 2 }, '/articles?page=2'],
    ['/articles\\?page=:page', { page: '2&admin=1' }, '/articles?page=2%26admin%3D1'],
    ['/articles\\?q=:q', { q: '' }, '/articles?q='],
    ['/articles\\?q=:q', { q: '..' }, '/articles?q=..'],
    ['/articles{\\?page=:page}', {}, '/articles'],
    ['/:__proto__/:constructor/:toString', { ['__proto__']: 'a', constructor: 'b', toString: 'c' }, '/a/b/c'],
  ])('the URL of %s with %j has each value in its place, encoded', (path, params, expected) => {
    expect(url(path, params)).toBe(prefix + expected);
  });

  it.each([
    ['', '/a', '/a'],
    ['', 'a', 'a'],
    ['/api', '/a', '/api/a'],
    ['/', '/a', '/a'],
    [prefix, '/a', `${prefix}/a`],
    [`${prefix}/`, '/a', `${prefix}/a`],
    [`${prefix}/`, 'a', `${prefix}/a`],
    [prefix, 'a', `${prefix}/a`],
    [prefix, '\\?a=1', `${prefix}?a=1`],
    [`${prefix}/rpc?method=`, 'a', `${prefix}/rpc?method=a`],
    [undefined, '/a', '/a'],
  ])('the path is appended to the prefix %j: %s', (urlPrefix, path, expected) => {
    expect(url(path, undefined, { urlPrefix })).toBe(expected);
  });

  it('unnamed parameters go into the query, sorted', () => {
    expect(url('/a/:id', { z: 1, id: 2, b: 'x y' })).toBe(`${prefix}/a/2?b=x%20y&z=1`);
    expect(url('/a\\?page=:page', { page: 2, q: 'x' })).toBe(`${prefix}/a?page=2&q=x`);
    expect(url('/a', { ['__proto__']: 'x', q: undefined })).toBe(`${prefix}/a?__proto__=x`);
    expect(url('/a', { q: undefined })).toBe(`${prefix}/a`);
  });

  it('a query may contain lists, booleans, dates and null', () => {
    expect(url('/a', { tag: ['b', 'a', undefined], none: [] })).toBe(`${prefix}/a?tag=b&tag=a`);
    expect(url('/a', { done: false, at: new Date(0), who: null })).toBe(
      `${prefix}/a?at=1970-01-01T00%3A00%3A00.000Z&done=false&who=`,
    );
  });

  it('query values without a text form are refused', () => {
    expect(() => url('/a', { filter: { a: 1 } })).toThrow(
      code('HF_PATH_PARAMETER', /`filter`.*searchToString/),
    );
    expect(() => url('/a', { at: new Date(NaN) })).toThrow(code('HF_PATH_PARAMETER', /`at`/));
  });

  it('the URL of a path pattern has its query written by searchToString', () => {
    const endpoint = new RestEndpoint({
      path: '/a',
      searchParams: {} as { filter: object },
      searchToString: (search) => `json=${encodeURIComponent(JSON.stringify(search))}`,
    });
    expect(endpoint.url({ filter: { a: 1 } })).toBe('/a?json=%7B%22filter%22%3A%7B%22a%22%3A1%7D%7D');
    expect(endpoint.extend({ searchToString: () => '' }).url({ filter: {} })).toBe('/a');
  });
});

describe('a parameter', () => {
  it('the error names a missing parameter', () => {
    expect(() => url('/a/:id')).toThrow(code('HF_PATH_PARAMETER', /`id` of GET .*\/a\/:id is missing/));
    expect(() => url('/a/:id', { id: undefined })).toThrow(code('HF_PATH_PARAMETER', /`id`/));
    expect(() => url('/a/:id', { id: null })).toThrow(code('HF_PATH_PARAMETER', /`id`/));
    expect(() => url('/a/:toString', {})).toThrow(code('HF_PATH_PARAMETER', /`toString`.*is missing/));
    expect(() => url('/a/:__proto__', {})).toThrow(code('HF_PATH_PARAMETER', /`__proto__`.*is missing/));
  });

  it('a parameter whose optional group lacks another one is an error', () => {
    expect(() => url('/a{/:x/:y}', { x: 1 })).toThrow(code('HF_PATH_PARAMETER', /`x`.*group/));
  });

  it.each([[{}], [['a']], [NaN], [Infinity], [() => 1], [Symbol('x')], ['\ud800']])(
    'a parameter cannot be %p',
    (id) => {
      expect(() => url('/a/:id', { id })).toThrow(code('HF_PATH_PARAMETER', /`id`/));
    },
  );

  it.each([[[]], [3], [['a', {}]], [['a', '']], [['a', '..', 'b']], [['.']], [''], ['/a'], ['a/../b']])(
    'the value of a wildcard cannot be %j',
    (path) => {
      expect(() => url('/files/*path', { path })).toThrow(code('HF_PATH_PARAMETER', /`path`/));
    },
  );

  it.each([
    ['/a/:x', ''],
    ['/a/:x', '.'],
    ['/a/:x', '..'],
    ['/a/:x/b', '..'],
    ['/a/:x.', '.'],
    ['/a/.:x', '.'],
    ['/a/.:x', ''],
    ['/a/%2e:x', '.'],
    ['/a/:x%2E/b', '.'],
    ['/a/:x\\?q=1', '..'],
    ['/a/:x#top', '..'],
    ['/a\\\\:x', '..'],
    ['/a{/:x}', ''],
    ['/a/*x/b', ['..']],
    ['/a/*x.', ['b', '.']],
  ])('a parameter of %s cannot be %j: the URL would have another path', (path, x) => {
    expect(() => url(path, { x })).toThrow(code('HF_PATH_PARAMETER', /`x`/));
  });

  it.each([
    ['/a/:x', '...', '/a/...'],
    ['/a/:x', '%2e%2e', '/a/%252e%252e'],
    ['/a/:x.json', '.', '/a/..json'],
    ['/a/v:x', '.', '/a/v.'],
  ])('a parameter of %s may be %j', (path, x, expected) => {
    expect(new URL(url(path, { x })).pathname).toBe(expected);
  });

  it.each([
    ['https\\://:tenant.example.com/a', ''],
    ['https\\:/:tenant/a', ''],
    ['//:tenant/a', ''],
    [':tenant/a', 'https://'],
    [':tenant\\:a', ''],
    ['/{:absent}/:tenant', ''],
  ])('a parameter does not change the host: %s', (path, urlPrefix) => {
    expect(() => url(path, { tenant: 'evil' }, { urlPrefix })).toThrow(code('HF_PATH_PATTERN', /host/));
  });

  it.each(['https://a.test/#', 'https://a.test/#/v1', '/api?key=1#', '#'])(
    'a prefix whose fragment would swallow the path is an error: %s',
    (urlPrefix) => {
      expect(() => url('/a/:id', { id: 1 }, { urlPrefix })).toThrow(code('HF_PATH_PATTERN', /urlPrefix.*#/));
    },
  );

  it('a parameter is in an object', () => {
    expect(() => url('/a/:id', 'x' as never)).toThrow(code('HF_PATH_PARAMETER', /first argument/));
  });
});

describe('a pattern that cannot be read', () => {
  it.each([['/a?b'], ['/a/:'], ['/a/{:id'], ['/a/:"id'], ['/a/(x)'], ['/a/:id+'], ['/a\\']])(
    'a pattern that cannot be parsed is refused: %s',
    (path) => {
      expect(() => new RestEndpoint({ path })).toThrow(code('HF_PATH_PATTERN'));
    },
  );

  it.each([
    ['/a/{id}', '/a/:id'],
    ['/a/{id}/b/{b_id}', '/a/:id/b/{b_id}'],
    ['/a/:id/{pet-id}.json', '/a/:id/:"pet-id".json'],
  ])('a segment in braces is warned about, with the right form: %s', (path, right) => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(new RestEndpoint({ path }).pathParams).toBeDefined();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(`write ${right} for a parameter`));
    warn.mockRestore();
  });

  it('text in braces is not warned about if it cannot be meant as a parameter', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(url('/a{/b}/:id{.json}', { id: 1 }, {})).toBe('/a/b/1.json');
    expect(url('/user{s}')).toBe(`${prefix}/users`);
    expect(url('/a/\\{id\\}')).toBe(`${prefix}/a/{id}`);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('a pattern that cannot be read is refused by extend too', () => {
    expect(() => new RestEndpoint({ path: '/a' }).extend({ path: '/a?b' })).toThrow(code('HF_PATH_PATTERN'));
    expect(() => new RestEndpoint({ path: 'https://a.test/b' })).toThrow(
      /The path pattern "https:\/\/a\.test\/b" cannot be parsed.* pass the origin as urlPrefix/,
    );
  });
});
