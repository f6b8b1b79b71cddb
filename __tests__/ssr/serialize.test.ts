import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import {
  Controller,
  createResource,
  Delete,
  deserialize,
  Endpoint,
  Entity,
  HoldfastError,
  serialize,
  type ControllerOptions,
  type State,
} from 'holdfast';
import { IssueWithAuthor, User } from '../support/entities.ts';

const T0 = 1_700_000_000_000;

const requests: string[] = [];
const getIssue = new Endpoint(
  async ({ id }: { id: string }) => {
    requests.push(id);
    return { id, title: 'From the network', author: { id: 'u', name: 'Ann' } };
  },
  { name: 'getIssue', schema: IssueWithAuthor },
);
const getForEver = getIssue.extend({ name: 'getForEver', dataExpiryLength: Infinity });
const getAnything = new Endpoint(async (): Promise<unknown> => undefined, { name: 'getAnything' });

const at = (time: number, options: ControllerOptions = {}) => new Controller({ now: () => time, ...options });
const received = (from: Controller | State, time = T0) =>
  at(time, { initialState: deserialize(serialize(from)) });

/** What a controller has after it went to the page and back. */
function carried(value: unknown): unknown {
  const server = at(T0);
  server.setResponse(getAnything, value);
  return received(server).getResponse(getAnything).data;
}

describe('serialize', () => {
  it('serialize carries rows, results and their relations to another controller', async () => {
    const server = at(T0);
    await server.fetch(getIssue, { id: '1' });
    const page = received(server);
    const issue = page.get(IssueWithAuthor, { id: '1' });
    expect(issue).toBeInstanceOf(IssueWithAuthor);
    expect(issue).toEqual(server.get(IssueWithAuthor, { id: '1' }));
    expect(page.getResponse(getIssue, { id: '1' }).data).toBe(issue);
    expect(issue?.author).toBe(page.get(User, { id: 'u' }));
  });

  it('serialize leaves out what pending mutations are expected to do', async () => {
    const { getList, partialUpdate, create } = createResource({
      path: '/issues/:id',
      schema: IssueWithAuthor,
      optimistic: true,
      fetchResponse: () => new Promise<never>(() => undefined),
    });
    const server = at(T0);
    server.setResponse(getList, [{ id: '1', title: 'Confirmed', author: { id: 'u', name: 'Ann' } }]);
    void server.fetch(partialUpdate, { id: '1' }, { title: 'Expected' });
    void server.fetch(create, { title: 'Not created yet', author: 'u' });
    const titles = (from: Controller) => from.getResponse(getList).data?.map(({ title }) => title);
    expect(titles(server)).toEqual(['Expected', 'Not created yet']);
    expect(titles(received(server))).toEqual(['Confirmed']);
  });

  it('serialize carries renames, so that the former pk still leads to the entity', async () => {
    const rename = new Endpoint(async (_params: { id: string }) => ({ id: 'new', title: 'Renamed' }), {
      name: 'rename',
      schema: IssueWithAuthor,
      sideEffect: true,
      renames: true,
    });
    const server = at(T0);
    await server.fetch(getIssue, { id: 'old' });
    await server.fetch(rename, { id: 'old' });
    const page = received(server);
    for (const controller of [server, page]) {
      expect(controller.get(IssueWithAuthor, { id: 'old' })?.title).toBe('Renamed');
      expect(controller.getResponse(getIssue, { id: 'old' }).data?.id).toBe('new');
    }
  });

  it('serialize keeps times and orders, and shares those of one response', async () => {
    const server = at(T0);
    await server.fetch(getForEver, { id: '1' });
    const before = server.getState();
    const after = received(server).getState();
    const key = getForEver.key({ id: '1' });
    expect(after.results.get(key)?.meta).toEqual(before.results.get(key)?.meta);
    expect(after.results.get(key)?.meta.expiresAt).toBe(Infinity);
    expect(after.tables['Issue']?.get('1')?.meta).toBe(after.tables['User']?.get('u')?.meta);
    expect(after.results.get(key)?.shape).toBe(before.results.get(key)?.shape);
  });

  it('serialize carries tombstones and invalidations', async () => {
    const server = at(T0);
    await server.fetch(getIssue, { id: '1' });
    await server.fetch(
      new Endpoint(async () => ({ id: '2' }), {
        name: 'remove',
        schema: new Delete(IssueWithAuthor),
        sideEffect: true,
      }),
    );
    server.invalidate(getIssue, { id: '1' });
    const { tables, results } = received(server).getState();
    expect(tables['Issue']?.get('2')).toEqual({ value: undefined, meta: expect.anything() });
    expect(results.get(getIssue.key({ id: '1' }))?.invalidated).toBe(true);
  });

  it('a result that never becomes stale by itself is still stale on the page after expireAll', async () => {
    const server = at(T0);
    await server.fetch(getForEver, { id: '1' });
    server.expireAll(getForEver);
    expect(server.getResponse(getForEver, { id: '1' }).expiresAt).toBe(0);
    expect(received(server).getResponse(getForEver, { id: '1' })).toMatchObject({
      data: { id: '1' },
      expiresAt: 0,
    });
  });

  it('serialize leaves out errors, and the page fetches those reads itself', () => {
    const server = at(T0);
    server.setResponse(getAnything, 'data');
    server.setError(getAnything, new Error('secret path /srv/app'));
    server.setError(getIssue, { id: '1' }, new Error('secret path /srv/app'));
    expect(serialize(server)).not.toContain('secret');
    const page = received(server);
    expect(page.getError(getAnything)).toBeUndefined();
    expect(page.getResponse(getAnything).data).toBe('data');
    expect(page.getState().results.get(getIssue.key({ id: '1' }))).toBeUndefined();
  });

  it('serialize accepts a state as well as a controller', async () => {
    const server = new Controller();
    await server.fetch(getIssue, { id: '1' });
    expect(received(server.getState(), Date.now()).get(IssueWithAuthor, { id: '1' })).toEqual(
      server.get(IssueWithAuthor, { id: '1' }),
    );
  });

  it.each([
    Infinity,
    -Infinity,
    NaN,
    -0,
    undefined,
    null,
    false,
    '',
    12n,
    new Date(T0),
    { at: [undefined, { when: new Date(1) }], lost: undefined },
    new Map<unknown, unknown>([[{ key: 1 }, new Set([1n, 'x'])]]),
    { '@': ['n', 'Infinity'] },
    { '@': { '@': 1 }, other: [-0] },
    JSON.parse('{"__proto__":{"polluted":true},"constructor":"x","toString":-1}'),
  ])('serialize carries %p', (value) => {
    // No answer at all is stored as null.
    expect(carried(value)).toStrictEqual(value ?? null);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it('serialize carries an invalid date', () => {
    expect((carried(new Date(NaN)) as Date).getTime()).toBeNaN();
  });

  it('serialize carries any data', () => {
    const member = fc.oneof(
      fc.string(),
      fc.constantFrom('@', '__proto__', 'constructor', 'toJSON', 'length'),
    );
    const { data } = fc.letrec<{ data: unknown }>((tie) => ({
      data: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary' }),
        fc.constantFrom('</script>', '<!--', ']]>', '\u2028', '&lt;', '\\u003c', '"@":', '\n'),
        fc.double(),
        fc.boolean(),
        fc.bigInt(),
        fc.date({ noInvalidDate: true }),
        fc.constantFrom(null, undefined),
        fc.array(tie('data')),
        fc.dictionary(member, tie('data'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => {
        // Jest takes a member named `constructor` for the class.
        expect(isDeepStrictEqual(carried({ value }), { value })).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('serialized text contains no characters that could end its script element', () => {
    const hostile = '</script><script>alert(1)</script><!--<script>-->]]>\u2028\u2029&amp;';
    const server = at(T0);
    server.setResponse(getAnything, { [hostile]: hostile });
    server.set(User, { id: hostile }, { name: hostile });
    server.setResponse(getIssue, { id: hostile }, { id: hostile, title: hostile, author: hostile });
    const text = serialize(server);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/);
    const page = at(T0, { initialState: deserialize(text) });
    expect(page.getResponse(getAnything).data).toEqual({ [hostile]: hostile });
    expect(page.get(IssueWithAuthor, { id: hostile })?.author.name).toBe(hostile);
  });

  it('serialize carries tables and rows of any name', () => {
    class Odd extends Entity {
      id = '';
      static override key = '__proto__';
    }
    const server = at(T0);
    for (const id of ['__proto__', 'constructor', '👋']) server.set(Odd, { id }, {});
    const page = received(server);
    for (const id of ['__proto__', 'constructor', '👋']) expect(page.get(Odd, { id })?.id).toBe(id);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('serialize leaves out a result that cannot be serialized', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const server = at(T0);
    server.setResponse(getAnything, new Blob(['x']));
    server.setResponse(getForEver, { id: '1' }, { id: '1', title: 'Kept', author: 'u' });
    const page = received(server);
    expect(page.getState().results.size).toBe(1);
    expect(page.getState().results.get(getForEver.key({ id: '1' }))).toBeDefined();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(/result .*getAnything.*\[object Blob\].*HF_NOT_SERIALIZABLE/);
    warn.mockRestore();
  });

  it('serialize leaves out all results when a row cannot be serialized, since a list would lack it', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const server = at(T0);
    const getIssues = new Endpoint(async (): Promise<unknown> => [], {
      name: 'getIssues',
      schema: [IssueWithAuthor],
    });
    server.setResponse(getIssues, [{ id: '1' }, { id: '2', title: () => 'no data' }]);
    const page = received(server);
    expect(page.getResponse(getIssues).data).toBeUndefined();
    expect(page.get(IssueWithAuthor, { id: '1' })).toBeDefined();
    expect(warn.mock.calls[0]?.[0]).toMatch(/row Issue "2"/);
    warn.mockRestore();
  });
});

describe('deserialize', () => {
  const { getList } = createResource({ path: '/issues/:id', schema: IssueWithAuthor });

  it('deserialize returns a state whose fresh results cause no request', async () => {
    const server = at(T0);
    server.setResponse(getList, [{ id: '1', title: 'One' }]);
    const page = received(server, T0 + 59_000);
    expect(page.fetchIfStale(getList)).toHaveLength(1);
    expect(page.getState().results.size).toBe(1);
  });

  it('deserialize keeps times unchanged, since a page may come from a cache', async () => {
    const server = at(T0);
    await server.fetch(getIssue, { id: '1' });
    requests.length = 0;
    const page = received(server, T0 + 60_000);
    await page.fetchIfStale(getIssue, { id: '1' });
    expect(requests).toEqual(['1']);
  });

  it('deserialize shifts times that lie in the future, since the clock of the page is behind', async () => {
    const server = at(T0);
    await server.fetch(getIssue, { id: '1' });
    const behind = received(server, T0 - 3_600_000);
    expect(behind.getResponse(getIssue, { id: '1' }).expiresAt).toBe(T0 - 3_600_000 + 60_000);
    expect(behind.getState().results.get(getIssue.key({ id: '1' }))?.meta.receivedAt).toBe(T0 - 3_600_000);
  });

  it('a response to the page replaces deserialized data, even if the clock of the server is ahead', async () => {
    const server = at(T0 + 3_600_000);
    server.setResponse(getIssue, { id: '1' }, { id: '1', title: 'From the server', author: 'u' });
    const page = received(server, T0);
    await page.fetch(getIssue, { id: '1' });
    expect(page.get(IssueWithAuthor, { id: '1' })?.title).toBe('From the network');
  });

  it('deserialize shares nothing between two controllers', () => {
    const server = at(T0);
    const value = { list: [{ deep: 1 }] };
    server.setResponse(getAnything, value);
    const initialState = deserialize(serialize(server));
    const [one, two] = [at(T0, { initialState }), at(T0, { initialState })];
    const left = one.getResponse(getAnything).data as typeof value;
    const right = two.getResponse(getAnything).data as typeof value;
    expect(left).toEqual(right);
    expect(left.list[0]).not.toBe(right.list[0]);
  });

  it('deserialize is one commit, which notifies plugins', () => {
    const server = at(T0);
    server.set(User, { id: 'u' }, { name: 'Ann' });
    const commits: string[] = [];
    at(T0, {
      initialState: deserialize(serialize(server)),
      plugins: [
        { name: 'log', commit: ({ action, origin }) => void commits.push(`${action.type} ${origin}`) },
      ],
    });
    expect(commits).toEqual(['hydrate network']);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '<html>',
    '{"layout":2,"now":1,"metas":[],"tables":[],"results":[]}',
    '{"layout":1,"now":1}',
    '{"layout":1,"now":1,"metas":[],"tables":[["Issue",[["1",0,{}]]]],"results":[]}',
    '{"layout":1,"now":1,"metas":[[1,1,1,"x",0]],"tables":[],"results":[]}',
    '{"layout":1,"now":1,"metas":[[1,1,1,1,0]],"tables":[],"results":[["k",0,{"@":["?",1]},null,false]]}',
  ])('deserialize refuses %s', (text) => {
    expect(() => deserialize(text)).toThrow(HoldfastError);
    expect(() => deserialize(text)).toThrow(/HF_INITIAL_STATE/);
  });
});
