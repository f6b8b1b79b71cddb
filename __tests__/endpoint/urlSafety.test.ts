import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HoldfastError } from '../../src/util/errors.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';

/** A part of a pattern, and what it makes of a value in the finished URL. */
interface Segment {
  readonly pattern: string;
  /** Names of the parameters in it, in order. */
  readonly names: readonly string[];
  /** The decoded segment for given values. */
  readonly expected: (values: Readonly<Record<string, string>>) => string;
}

const literal = fc.stringMatching(/^[a-z0-9.~_-]{1,6}$/).filter((text) => text !== '.' && text !== '..');
const edge = fc.constantFrom('', '', 'v', '.', '..', '-', 'a.', '%2e');
const name = fc.constantFrom('a', 'b', 'id', '"my name"', '__proto__', 'constructor');

const segment: fc.Arbitrary<Segment> = fc.oneof(
  literal.map((text): Segment => ({ pattern: text, names: [], expected: () => text })),
  fc.tuple(edge, name, edge).map(([before, quoted, after]): Segment => {
    const key = quoted.replaceAll('"', '');
    // The next character must not continue the name.
    const safeAfter = /^[a-z0-9]/i.test(after) ? `-${after}` : after;
    return {
      pattern: `${before}:${quoted}${safeAfter}`,
      names: [key],
      expected: (values) => decodeURIComponent(before) + (values[key] ?? '') + decodeURIComponent(safeAfter),
    };
  }),
);

/** What attackers and accidents put into a URL, beside any string. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    '..',
    '.',
    '',
    '%2e',
    '%2E%2e',
    '/',
    '\\',
    '//evil.com',
    '?a=b',
    '#',
    '@evil.com',
    ':80',
    '\t',
    '\n',
    '..\\',
    ' ',
    '%',
    '%00',
  ),
);

/** Text as URLs can carry it: half of a surrogate pair becomes U+FFFD. */
function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

function isWellFormed(text: string): boolean {
  return wellFormed(text) === text;
}

const prefixes = fc.constantFrom(
  'https://api.example.com',
  'https://api.example.com/',
  'https://api.example.com/v1',
  '/api',
  '',
);

describe('no value changes the structure of a URL', () => {
  it('values of path and query parameters keep the structure of the URL', () => {
    fc.assert(
      fc.property(
        prefixes,
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.dictionary(
          name.map((quoted) => quoted.replaceAll('"', '')),
          value,
          { minKeys: 6, maxKeys: 6 },
        ),
        value,
        value,
        (urlPrefix, segments, values, page, extra) => {
          const path = `/${segments.map(({ pattern }) => pattern).join('/')}\\?page=:page`;
          const names = segments.flatMap((one) => one.names);
          const params: Record<string, string> = Object.fromEntries([
            ...names.map((key) => [key, values[key] ?? 'x']),
            ['page', page],
            ['extra', extra],
          ]) as Record<string, string>;
          const endpoint = new RestEndpoint({ urlPrefix, path });
          const wanted = segments.map(({ expected }) => expected(params));
          let built: string;
          try {
            built = endpoint.url(params);
          } catch (error) {
            expect(error).toBeInstanceOf(HoldfastError);
            // Only what no URL can say is refused: a segment that browsers remove, nothing at all, broken text.
            const refusable =
              wanted.some((text) => text === '.' || text === '..') ||
              names.some((key) => params[key] === '') ||
              [page, ...names.map((key) => params[key] ?? '')].some((text) => !isWellFormed(text));
            expect(refusable).toBe(true);
            return;
          }
          const url = new URL(built, 'https://api.example.com/base/');
          const base = new URL(urlPrefix === '' ? '/' : urlPrefix, 'https://api.example.com/base/');
          expect(url.origin).toBe('https://api.example.com');
          expect(url.username + url.password + url.hash).toBe('');
          const before = base.pathname.replace(/\/$/, '');
          expect(url.pathname.startsWith(`${before}/`)).toBe(true);
          expect(
            url.pathname
              .slice(before.length + 1)
              .split('/')
              .map(decodeURIComponent),
          ).toEqual(wanted);
          expect([...url.searchParams.keys()]).toEqual(['page', 'extra']);
          expect(url.searchParams.get('page')).toBe(page);
          expect(url.searchParams.get('extra')).toBe(wellFormed(extra));
          expect(endpoint.testKey(endpoint.key(params))).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('values of wildcards keep the structure of the URL', () => {
    fc.assert(
      fc.property(fc.array(value.filter(isWellFormed), { minLength: 1, maxLength: 4 }), (path) => {
        const endpoint = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/files/*path/end' });
        const isRefused = path.some((text) => text === '' || text === '.' || text === '..');
        if (isRefused) {
          expect(() => endpoint.url({ path })).toThrow(HoldfastError);
          return;
        }
        const url = new URL(endpoint.url({ path }));
        expect(url.host).toBe('api.example.com');
        expect(url.pathname.split('/').slice(1).map(decodeURIComponent)).toEqual(['files', ...path, 'end']);
        expect(endpoint.testKey(endpoint.key({ path }))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
