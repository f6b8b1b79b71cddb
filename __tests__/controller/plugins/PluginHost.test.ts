import { describe, expect, it, jest } from '@jest/globals';
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  type Commit,
  type MutationPlugin,
  type Plugin,
  type Restored,
  type SideRecords,
  type StoragePlugin,
  type StoredRow,
  type RestoreQuery,
} from 'holdfast';
import { Held, settled } from '../../support/held.ts';
import { Author } from '../../support/entities.ts';
import { silently } from '../../support/silently.ts';

class Article extends Entity {
  id = '';
  title = '';
  author: Author | undefined = undefined;
  static override key = 'Article';
  static override schema = { author: Author };
}

interface Params {
  readonly id: number;
}

const meta = { requestedAt: 0, receivedAt: 0, expiresAt: Infinity, order: 1, answered: 0 };

/** A promise that the test settles. */
class Gate {
  open: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  readonly promise: Promise<void>;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.open = resolve;
      this.fail = reject;
    });
  }
}

/** An endpoint that counts its calls. */
function counted(title = 'from the network') {
  const calls: Params[] = [];
  const get = new Endpoint(
    async (params: Params) => {
      calls.push(params);
      return { id: params.id, title };
    },
    { name: 'get', schema: Article },
  );
  return { calls, get };
}

function articleRow(id: number, title: string, order = 1): readonly [string, string, StoredRow] {
  return ['Article', String(id), { value: { id, title }, meta: { ...meta, order } }];
}

describe('the request chain', () => {
  it('the request chain calls the plugins in order, the first outermost', async () => {
    const log: string[] = [];
    const around = (name: string): Plugin => ({
      name,
      async request(request, next) {
        log.push(`${name} before`);
        const response = await next(request);
        log.push(`${name} after`);
        return response;
      },
    });
    const endpoint = new Endpoint(async () => log.push('network'), { name: 'get' });
    await new Controller({ plugins: [around('a'), { name: 'none' }, around('b')] }).fetch(endpoint);
    expect(log).toEqual(['a before', 'b before', 'network', 'b after', 'a after']);
  });

  it('the request chain sees the requests of reads and of mutations', async () => {
    const seen: unknown[] = [];
    const controller = new Controller({
      now: () => 5_000,
      plugins: [
        {
          name: 'spy',
          request(request, next) {
            seen.push(request);
            return next(request);
          },
        },
      ],
    });
    const { get } = counted();
    const update = get.extend({ name: 'update', sideEffect: true });
    await controller.fetch(get, { id: 1 });
    await controller.fetch(update, { id: 2 });
    expect(seen).toMatchObject([
      { endpoint: get, args: [{ id: 1 }], key: get.key({ id: 1 }), requestedAt: 5_000 },
      { endpoint: update, args: [{ id: 2 }], requestedAt: 5_000 },
    ]);
    const orders = seen.map((request) => (request as { order: number }).order); // matched above
    expect(orders[1]).toBeGreaterThan(orders[0]!);
  });

  it('a plugin may answer, change or repeat a request, and is called once for a shared read', async () => {
    const { calls, get } = counted();
    let asked = 0;
    const plugin: Plugin = {
      name: 'meddler',
      async request(request, next) {
        asked += 1;
        const [params] = request.args as [Params]; // of `get`
        if (params.id === 1) return { id: 1, title: 'from the plugin' };
        if (params.id === 2) return next({ ...request, args: [{ id: 20 }] });
        try {
          return await next({ ...request, args: [{ id: -1 }] });
        } finally {
          await next(request);
        }
      },
    };
    const controller = new Controller({ plugins: [plugin] });
    const [first] = await Promise.all([controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 1 })]);
    expect(first.title).toBe('from the plugin');
    expect(asked).toBe(1);
    expect((await controller.fetch(get, { id: 2 })).id).toBe(20);
    await controller.fetch(get, { id: 3 });
    expect(calls).toEqual([{ id: 20 }, { id: -1 }, { id: 3 }]);
  });

  it('a plugin that throws in request makes the request fail', async () => {
    const { get, calls } = counted();
    const controller = new Controller({
      plugins: [
        {
          name: 'refuser',
          request() {
            throw new Error('Refused');
          },
        },
      ],
    });
    await expect(controller.fetch(get, { id: 1 })).rejects.toThrow('Refused');
    expect(controller.getError(get, { id: 1 })).toMatchObject({ message: 'Refused' });
    expect(calls).toEqual([]);
  });
});

describe('start', () => {
  it('start receives the controller, and requests wait for it', async () => {
    const gate = new Gate();
    const { calls, get } = counted();
    const seen: unknown[] = [];
    const controller: Controller = new Controller({
      plugins: [
        {
          name: 'slow',
          start(started) {
            seen.push(started);
            return gate.promise;
          },
        },
      ],
    });
    expect(seen).toEqual([controller]);
    let isReady = false;
    void controller.ready.then(() => (isReady = true));
    const fetched = controller.fetch(get, { id: 1 });
    // Writes have taken effect at once all the same.
    controller.set(Article, { id: 2 }, { title: 'two' });
    expect(controller.get(Article, { id: 2 })?.title).toBe('two');
    await settled();
    expect([isReady, calls.length]).toEqual([false, 0]);
    gate.open();
    expect((await fetched).title).toBe('from the network');
    expect(isReady).toBe(true);
  });

  it('one request waits for start, shared by reads and forced fetches', async () => {
    const gate = new Gate();
    const { calls, get } = counted();
    const controller: Controller = new Controller({ plugins: [{ name: 'slow', start: () => gate.promise }] });
    const read = controller.fetchIfStale(get, { id: 1 });
    const forced = controller.fetch(get, { id: 1 });
    gate.open();
    expect(await forced).toBe(await read);
    expect(calls).toHaveLength(1);
  });

  it('a plugin that fails to start rejects `ready` and is reported; the app continues once all others have started', async () => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const [first, second] = [new Gate(), new Gate()];
    const { calls, get } = counted();
    const controller = new Controller({
      plugins: [
        { name: 'failing', start: () => first.promise },
        {
          name: 'throwing',
          start() {
            throw new Error('At once');
          },
        },
        { name: 'slow', start: () => second.promise },
      ],
    });
    const fetched = controller.fetch(get, { id: 1 });
    first.fail(new Error('No database'));
    await settled();
    expect(calls).toHaveLength(0);
    second.open();
    await expect(controller.ready).rejects.toThrow('No database');
    expect((await fetched).id).toBe(1);
    expect(report.mock.calls).toEqual([[new Error('No database')]]);
    report.mockRestore();
  });

  it('requests are not delayed if no plugin has a start', async () => {
    const controller = new Controller({ plugins: [{ name: 'quick', start: () => undefined }] });
    await controller.ready;
    await controller.restored;
  });

  it('the controller refuses two plugins with the same name', () => {
    const make = (): Controller => new Controller({ plugins: [{ name: 'same' }, { name: 'same' }] });
    expect(make).toThrow(expect.objectContaining({ code: 'HF_PLUGIN' }));
    expect(make).toThrow('are named same');
  });
});

describe('restore', () => {
  /** A plugin that restores the given data, and records what it was asked to restore. */
  function disk(restored: Partial<Restored> | undefined, name = 'disk') {
    const wanted: RestoreQuery[] = [];
    const plugin: StoragePlugin = {
      name,
      async restore(asked) {
        wanted.push(asked);
        return restored === undefined ? undefined : { rows: [], results: [], ...restored };
      },
    };
    return { wanted, plugin };
  }

  it('restore is asked before the network, for the result and the row that the args name', async () => {
    const { calls, get } = counted();
    const { plugin, wanted } = disk({ rows: [articleRow(1, 'from disk')] });
    const controller = new Controller({ plugins: [plugin] });
    const article = await controller.fetchIfStale(get, { id: 1 });
    expect(article.title).toBe('from disk');
    expect(calls).toEqual([]);
    expect(wanted).toMatchObject([{ results: [get.key({ id: 1 })], rows: [['Article', '1']] }]);
    expect(controller.getResponse(get, { id: 1 })).toMatchObject({ expiresAt: Infinity, data: article });
  });

  it('restore returns results with the rows they contain', async () => {
    const getList = new Endpoint(async (): Promise<unknown> => [], {
      name: 'getList',
      schema: [Article],
    });
    const writer = new Controller();
    writer.setResponse(getList, [{ id: 1, title: 'one', author: { id: 'a', name: 'Ann' } }]);
    const state = writer.getState();
    const { plugin } = disk({
      rows: Object.entries(state.tables).flatMap(([table, rows]) =>
        [...rows.entries()].map(([pk, row]) => [table, pk, structuredClone(row)] as const),
      ),
      results: [...state.results.entries()].map(([key, result]) => [key, structuredClone(result)] as const),
    });
    const controller = new Controller({ plugins: [plugin] });
    const list = await controller.fetchIfStale(getList);
    expect(list[0]?.author?.name).toBe('Ann');
    expect(controller.getResponse(getList).expiresAt).toBe(writer.getResponse(getList).expiresAt);
  });

  it('restored list changes are applied to the lists that are restored with them', async () => {
    const list = new Collection([Article], { argsKey: () => ({}) });
    const getList = new Endpoint(async () => [{ id: 9 }], { name: 'getList', schema: list });
    const listMeta = { ...meta, order: 1 };
    const { plugin } = disk({
      rows: [
        articleRow(1, 'in the list'),
        articleRow(2, 'added'),
        ['[Article]', '{}', { value: { members: ['1'] }, meta: listMeta }],
      ],
      results: [[getList.key(), { value: '{}', shape: '{"collection":["Article"]}', meta: listMeta }]],
      listChanges: [
        {
          table: '[Article]',
          pk: undefined,
          items: ['2'],
          how: 'push',
          where: { path: undefined, args: [], exempt: undefined, fields: [] },
          meta: { ...meta, order: 2, answered: 3 },
        },
      ],
    });
    const controller = new Controller({ plugins: [plugin] });
    const articles = await controller.fetchIfStale(getList);
    expect(articles.map(({ title }) => title)).toEqual(['in the list', 'added']);
  });

  it('what a plugin has restored without its rows or results is skipped, and what others have is merged', async () => {
    const { calls, get } = counted();
    const damaged: StoragePlugin = { name: 'damaged', restore: async () => ({}) as Restored }; // untyped code may
    const whole: StoragePlugin = {
      name: 'whole',
      restore: async () => ({ rows: [articleRow(1, 'from disk')], results: [] }),
    };
    const controller = new Controller({ plugins: [damaged, whole] });
    await silently(async () => {
      expect((await controller.fetchIfStale(get, { id: 1 })).title).toBe('from disk');
      expect((await controller.fetchIfStale(get, { id: 2 })).title).toBe('from the network');
    });
    expect(calls).toEqual([{ id: 2 }]);
  });

  it('restore is followed by the network where it has nothing, and where it fails', async () => {
    const { calls, get } = counted();
    const failing: StoragePlugin = {
      name: 'failing',
      restore() {
        throw new Error('Broken disk');
      },
    };
    const rejecting: StoragePlugin = {
      name: 'rejecting',
      restore: () => Promise.reject(new Error('Broken disk')),
    };
    const controller = new Controller({ plugins: [failing, rejecting, disk(undefined).plugin] });
    const article = await controller.fetchIfStale(get, { id: 1 });
    expect(article.title).toBe('from the network');
    expect(calls).toHaveLength(1);
  });

  it('a row for which the merge of the app throws while it is restored is reported, and keeps its version in memory', async () => {
    const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    class Log extends Article {
      static override key = 'Log';
      static override merge(): never {
        throw new TypeError('lines is not iterable');
      }
    }
    const get = new Endpoint(async ({ id }: Params) => ({ id, title: 'from the network' }), {
      name: 'getLog',
      schema: Log,
    });
    const rows = [1, 2].map((order) => ['Log', '1', articleRow(1, `disk ${order}`, order)[2]] as const);
    const { plugin } = disk({ rows });
    const controller = new Controller({ plugins: [plugin] });
    expect(await controller.fetchIfStale(get, { id: 1 })).toMatchObject({ title: 'disk 1' });
    expect(reported).toHaveBeenCalledWith(expect.any(TypeError));
    reported.mockRestore();
  });

  it('an error is stored although the errorPolicy of its endpoint throws, so that the request is not repeated', async () => {
    const down = new Error('Down');
    const get = new Endpoint(async (): Promise<unknown> => await Promise.reject(down), {
      name: 'getDown',
      errorPolicy() {
        throw new Error('A bug of the app');
      },
    });
    const controller = new Controller({ plugins: [disk(undefined).plugin] });
    await expect(controller.fetch(get)).rejects.toBe(down);
    expect(controller.getError(get)).toBe(down);
  });

  it('restored data that is stale is shown at once and refreshed by one request', async () => {
    const { calls, get } = counted();
    const stale = { value: { id: 1, title: 'from disk' }, meta: { ...meta, expiresAt: 10 } };
    const { plugin } = disk({ rows: [['Article', '1', stale]] });
    const controller = new Controller({ plugins: [plugin], now: () => 1_000 });
    expect((await controller.fetchIfStale(get, { id: 1 })).title).toBe('from disk');
    await settled();
    expect(calls).toHaveLength(1);
    expect(controller.get(Article, { id: 1 })?.title).toBe('from the network');
  });

  it('restored data that is stale is not shown if the endpoint forbids it', async () => {
    const { calls, get } = counted();
    const strict = get.extend({ invalidIfStale: true });
    const stale = { value: { id: 1, title: 'from disk' }, meta: { ...meta, expiresAt: 10 } };
    const { plugin } = disk({ rows: [['Article', '1', stale]] });
    const controller = new Controller({ plugins: [plugin], now: () => 1_000 });
    expect((await controller.fetchIfStale(strict, { id: 1 })).title).toBe('from the network');
    expect(calls).toHaveLength(1);
  });

  it('restore is called neither for data in memory, nor by a forced fetch', async () => {
    const { calls, get } = counted();
    const { plugin, wanted } = disk({});
    const controller = new Controller({ plugins: [plugin] });
    controller.setResponse(get, { id: 1 }, { id: 1 });
    await controller.fetchIfStale(get, { id: 1 });
    await controller.fetch(get, { id: 1 });
    await controller.fetch(get, { id: 2 });
    expect(wanted).toEqual([]);
    expect(calls).toHaveLength(2);
  });

  it('restored data never overwrites newer data in memory', async () => {
    const { get } = counted();
    const gate = new Gate();
    const controller = new Controller({
      plugins: [
        {
          name: 'slow',
          async restore() {
            await gate.promise;
            return {
              rows: [articleRow(1, 'from disk'), articleRow(2, 'from disk')],
              results: [[get.key({ id: 1 }), { value: '2', meta, shape: '"Article"' }]],
            };
          },
        },
      ],
    });
    const loaded = controller.fetchIfStale(get, { id: 1 });
    controller.setResponse(get, { id: 1 }, { id: 1, title: 'from a response' });
    gate.open();
    await loaded;
    expect(controller.getResponse(get, { id: 1 }).data).toMatchObject({ id: 1, title: 'from a response' });
    expect(controller.get(Article, { id: 2 })?.title).toBe('from disk');
  });

  it('a restore is shared by concurrent reads, and leads to one request when a fetch starts during it', async () => {
    const { calls, get } = counted();
    const gate = new Gate();
    let asked = 0;
    const controller = new Controller({
      now: () => 1_000,
      plugins: [
        {
          name: 'slow',
          async restore() {
            asked += 1;
            await gate.promise;
            return {
              rows: [['Article', '1', { value: { id: 1 }, meta: { ...meta, expiresAt: 10 } }]],
              results: [],
            };
          },
        },
      ],
    });
    const loads = [controller.fetchIfStale(get, { id: 1 }), controller.fetchIfStale(get, { id: 1 })];
    expect(controller.getResponse(get, { id: 1 }).refreshing).toBe(true);
    const held = new Held();
    const slowGet = get.extend({ fetch: (params: Params) => held.fetch(params) });
    const fetched = controller.fetch(slowGet, { id: 1 });
    await settled();
    gate.open();
    await settled();
    // What disk had is stale, and its refresh joins the fetch under way.
    expect(held.calls).toHaveLength(1);
    expect(calls).toHaveLength(0);
    held.call(0).resolve({ id: 1, title: 'new' });
    expect((await fetched).title).toBe('new');
    for (const load of loads) await load;
    expect(asked).toBe(1);
  });

  it('a restore without data is followed by the request that a concurrent fetch made', async () => {
    const gate = new Gate();
    const held = new Held();
    const get = new Endpoint((params: Params) => held.fetch(params), {
      name: 'get',
      schema: Article,
    });
    const controller = new Controller({
      plugins: [{ name: 'slow', restore: () => gate.promise.then(() => undefined) }],
    });
    const loaded = controller.fetchIfStale(get, { id: 1 });
    const fetched = controller.fetch(get, { id: 1 });
    await settled();
    gate.open();
    await settled();
    expect(held.calls).toHaveLength(1);
    held.call(0).resolve({ id: 1, title: 'one' });
    expect(await loaded).toBe(await fetched);
  });

  it('restore is called on several plugins', async () => {
    const { calls, get } = counted();
    const a = disk({ rows: [articleRow(1, 'older', 1)] }, 'a');
    const b = disk({ rows: [articleRow(1, 'newer', 2)] }, 'b');
    for (const plugins of [
      [a.plugin, b.plugin],
      [b.plugin, a.plugin],
    ]) {
      const controller = new Controller({ plugins });
      expect((await controller.fetchIfStale(get, { id: 1 })).title).toBe('newer');
    }
    expect(calls).toEqual([]);
  });

  it('the clock follows restored orders: later requests are newer', async () => {
    const { get } = counted();
    const future = Date.now() * 2_048;
    const { plugin } = disk({ rows: [articleRow(1, 'from a clock that is ahead', future)] });
    const controller = new Controller({ plugins: [plugin] });
    await controller.fetchIfStale(get, { id: 1 });
    controller.set(Article, { id: 1 }, { title: 'set' });
    expect(controller.get(Article, { id: 1 })?.title).toBe('set');
    expect((await controller.fetch(get, { id: 1 })).title).toBe('from the network');
  });
});

describe('commit', () => {
  it('commit is called after each write, in order, with who made it', async () => {
    const commits: string[] = [];
    const log: Plugin = {
      name: 'log',
      commit: ({ origin, action }: Commit) =>
        void commits.push(`${origin} ${action.type} ${action.name ?? ''}`.trim()),
    };
    const disk: StoragePlugin = {
      name: 'disk',
      async restore() {
        return { rows: [articleRow(9, 'from disk')], results: [] };
      },
    };
    const { get } = counted();
    const failing = new Endpoint(() => Promise.reject(new Error('Down')), { name: 'failing' });
    const controller = new Controller({ plugins: [log, disk] });
    await controller.fetch(get, { id: 1 });
    await controller.fetch(failing).catch(() => undefined);
    controller.set(Article, { id: 1 }, { title: 'set' });
    controller.setResponse(get, { id: 1 }, { id: 1 });
    controller.setError(get, { id: 1 }, new Error('Set'));
    controller.invalidate(get, { id: 1 });
    await controller.fetchIfStale(get, { id: 9 });
    controller.invalidateAll(get);
    controller.expireAll(get);
    controller.apply({ rows: [articleRow(3, 'from a tab')], results: [] }, { origin: 'tabs' });
    controller.batch(() => controller.set(Article, { id: 1 }, { title: 'batched' }));
    await controller.reset();
    expect(commits).toEqual([
      'network fetch get',
      'network fetchError failing',
      'app set Article',
      'app setResponse get',
      'app setError get',
      'app invalidate get',
      'disk restore',
      'app invalidateAll',
      'app expireAll',
      'tabs apply',
      'app batch',
      'app reset',
    ]);
  });

  it('commit receives the changes and the new state', async () => {
    const commits: Commit[] = [];
    const { get } = counted();
    const controller = new Controller({
      plugins: [{ name: 'log', commit: (commit) => void commits.push(commit) }],
    });
    await controller.fetch(get, { id: 1 });
    const [commit] = commits;
    expect([...(commit?.baseChanges.rows.get('Article')?.keys() ?? [])]).toEqual(['1']);
    expect([...(commit?.baseChanges.results.keys() ?? [])]).toEqual([get.key({ id: 1 })]);
    expect(commit?.base.tables.Article?.get('1')?.value).toEqual({ id: 1, title: 'from the network' });
    // Rows are plain data that survives structured clone.
    expect(structuredClone(commit?.base.tables.Article?.get('1'))).toEqual(
      commit?.base.tables.Article?.get('1'),
    );
  });

  it('a commit made during a commit reaches all plugins after the first one', () => {
    const seen: string[] = [];
    let controller: Controller | undefined;
    const writer: Plugin = {
      name: 'writer',
      start(started) {
        controller = started;
      },
      commit: ({ action }) => {
        if (action.type === 'set') controller?.setResponse(counted().get, { id: 5 }, { id: 5 });
      },
    };
    const log: Plugin = { name: 'log', commit: ({ action }) => void seen.push(action.type) };
    new Controller({ plugins: [writer, log] }).set(Article, { id: 1 }, { title: 'set' });
    expect(seen).toEqual(['set', 'setResponse']);
  });

  it('a plugin that throws in commit stops neither the write nor the other plugins', () => {
    const reported: unknown[] = [];
    const { error } = console;
    console.error = (thrown: unknown) => void reported.push(thrown);
    try {
      const failure = new Error('A broken plugin');
      let told = 0;
      const broken: Plugin = {
        name: 'broken',
        commit() {
          throw failure;
        },
      };
      const controller = new Controller({
        plugins: [broken, { name: 'log', commit: () => void (told += 1) }],
      });
      controller.set(Article, { id: 1 }, { title: 'set' });
      expect(told).toBe(1);
      expect(reported).toEqual([failure]);
      expect(controller.get(Article, { id: 1 })?.title).toBe('set');
    } finally {
      console.error = error;
    }
  });
});

describe('flush, reset and stop', () => {
  it('flush, reset and stop wait for every plugin', async () => {
    const log: string[] = [];
    const plugin = (name: string): Plugin => {
      const later = (what: string) => async (): Promise<void> => {
        await settled();
        log.push(`${name} ${what}`);
      };
      return { name, flush: later('flush'), reset: later('reset'), stop: later('stop') };
    };
    const controller = new Controller({ plugins: [plugin('a'), { name: 'none' }, plugin('b')] });
    await controller.flush();
    expect(log).toEqual(['a flush', 'b flush']);
    await controller.reset();
    await controller.stop();
    expect(log).toEqual(['a flush', 'b flush', 'a reset', 'b reset', 'a stop', 'b stop']);
    await controller.stop();
    expect(log).toHaveLength(6);
  });

  it('flush, reset and stop run for all plugins and reject if one of them fails', async () => {
    const done: string[] = [];
    const failing: Plugin = {
      name: 'failing',
      reset() {
        throw new Error('Cannot reset');
      },
    };
    const good: Plugin = {
      name: 'good',
      async reset() {
        await settled();
        done.push('reset');
      },
    };
    const controller = new Controller({ plugins: [failing, good] });
    await expect(controller.reset()).rejects.toThrow('Cannot reset');
    await settled();
    expect(done).toEqual(['reset']);
  });

  it('a stopped controller can be read, but does not fetch or call plugins', async () => {
    let commits = 0;
    const { calls, get } = counted();
    const controller = new Controller({ plugins: [{ name: 'log', commit: () => void (commits += 1) }] });
    await controller.fetch(get, { id: 1 });
    await controller.stop();
    expect(controller.get(Article, { id: 1 })?.title).toBe('from the network');
    await expect(controller.fetch(get, { id: 2 })).rejects.toMatchObject({ code: 'HF_STOPPED' });
    expect(calls).toHaveLength(1);
    expect(commits).toBe(1);
  });
});

describe('reset', () => {
  it('reset empties memory at once', async () => {
    const { get } = counted();
    const controller = new Controller();
    await controller.fetch(get, { id: 1 });
    const done = controller.reset();
    expect(controller.get(Article, { id: 1 })).toBeUndefined();
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
    expect(Object.keys(controller.getState().tables)).toEqual([]);
    await done;
  });

  it.each(['read', 'mutation', 'failing read'])('reset drops what was in flight: a %s', async (kind) => {
    const held = new Held();
    const endpoint = new Endpoint((params: Params) => held.fetch(params), {
      name: 'get',
      schema: Article,
      sideEffect: kind === 'mutation',
    });
    const controller = new Controller();
    const fetched = controller.fetch(endpoint, { id: 1 });
    await settled();
    await controller.reset();
    if (kind === 'failing read') held.call(0).reject(new Error('Late'));
    else held.call(0).resolve({ id: 1, title: 'late' });
    await expect(fetched).rejects.toMatchObject({
      code: 'HF_RESET',
      message: expect.stringContaining('get'),
    });
    expect(controller.get(Article, { id: 1 })).toBeUndefined();
    expect(controller.getError(endpoint, { id: 1 })).toBeUndefined();
  });

  it('a read after a reset does not share a request from before it', async () => {
    const held = new Held();
    const get = new Endpoint((params: Params) => held.fetch(params), {
      name: 'get',
      schema: Article,
    });
    const controller = new Controller();
    const before = controller.fetch(get, { id: 1 });
    await settled();
    await controller.reset();
    const after = controller.fetch(get, { id: 1 });
    await settled();
    expect(held.calls).toHaveLength(2);
    held.call(1).resolve({ id: 1, title: 'new user' });
    expect((await after).title).toBe('new user');
    held.call(0).resolve({ id: 1, title: 'old user' });
    await expect(before).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(controller.get(Article, { id: 1 })?.title).toBe('new user');
  });

  it('reset fences requests that were waiting for plugins or disk', async () => {
    const [starting, reading] = [new Gate(), new Gate()];
    const { calls, get } = counted();
    const controller = new Controller({
      plugins: [
        {
          name: 'disk',
          start: () => starting.promise,
          async restore() {
            await reading.promise;
            return { rows: [articleRow(2, 'from disk')], results: [] };
          },
        },
      ],
    });
    const fetched = controller.fetch(get, { id: 1 });
    const loaded = controller.fetchIfStale(get, { id: 2 });
    await controller.reset();
    starting.open();
    reading.open();
    await expect(fetched).rejects.toMatchObject({ code: 'HF_RESET' });
    await expect(loaded).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(calls).toEqual([]);
    expect(controller.get(Article, { id: 2 })).toBeUndefined();
  });
});

describe('messages of other tabs', () => {
  it('layers that a plugin names are removed in the commit that writes the rows', () => {
    const commits: Commit[] = [];
    const asked: SideRecords[] = [];
    const queue: MutationPlugin = {
      name: 'queue',
      mutate: () => undefined,
      settles(records) {
        asked.push(records);
        return [1, 7];
      },
      commit: (commit) => void commits.push(commit),
    };
    const controller = new Controller({ plugins: [queue, { name: 'other', settles: () => [2] }] });
    const rename = new Endpoint(() => new Promise<never>(() => undefined), {
      name: 'rename',
      sideEffect: true,
      schema: Article,
      getOptimisticResponse: () => ({ id: '5', title: 'wished' }),
    });
    void controller.fetch(rename);
    expect(controller.get(Article, { id: 5 })?.title).toBe('wished');
    const side = { queue: [['e1', undefined]] } as const;
    controller.apply({ rows: [articleRow(5, 'confirmed')], results: [] }, { origin: 'tabs', side });
    expect(asked).toEqual([side.queue]);
    expect(controller.get(Article, { id: 5 })?.title).toBe('confirmed');
    expect(commits).toHaveLength(2);
    expect(commits[1]).toMatchObject({
      origin: 'tabs',
      action: { type: 'apply' },
      settled: [1, 7],
      side: {},
    });
  });

  it('a reset in another tab empties memory, and each plugin learns its origin', async () => {
    const origins: string[] = [];
    const commits: Commit[] = [];
    const plugin: Plugin = {
      name: 'disk',
      reset: async (origin) => void origins.push(origin),
      commit: (commit) => void commits.push(commit),
    };
    const controller = new Controller({ plugins: [plugin] });
    controller.set(Article, { id: 5 }, { title: 'old' });
    await controller.reset({ origin: 'tabs' });
    await controller.reset();
    expect(origins).toEqual(['tabs', 'app']);
    expect(commits[1]).toMatchObject({ origin: 'tabs', action: { type: 'reset' } });
    expect(controller.get(Article, { id: 5 })).toBeUndefined();
  });

  it('a notification that arrives too late makes plugins read the rows again', async () => {
    expect(await new Controller({ plugins: [{ name: 'log' }] }).catchUp()).toBe(false);
    let times = 0;
    const disk: StoragePlugin = {
      name: 'disk',
      restore: async () => undefined,
      catchUp: async () => void (times += 1),
    };
    expect(await new Controller({ plugins: [{ name: 'log' }, disk] }).catchUp()).toBe(true);
    expect(times).toBe(1);
  });

  it('a plugin that stores mutations reads its records again after a missed notification', async () => {
    const causes: string[] = [];
    const queue: MutationPlugin = {
      name: 'queue',
      mutate: () => undefined,
      syncRecords: async (cause) => void causes.push(cause),
    };
    expect(await new Controller({ plugins: [queue] }).catchUp()).toBe(false);
    expect(causes).toEqual(['missed']);
  });
});

describe('two controllers', () => {
  it('two controllers share nothing', async () => {
    const { get, calls } = counted();
    const [first, second] = [new Controller(), new Controller()];
    await first.fetch(get, { id: 1 });
    expect(second.get(Article, { id: 1 })).toBeUndefined();
    expect(second.getResponse(get, { id: 1 }).data).toBeUndefined();
    await second.fetch(get, { id: 1 });
    expect(calls).toHaveLength(2);
    second.set(Article, { id: 1 }, { title: 'second' });
    await second.reset();
    second.setError(get, { id: 1 }, new Error('second'));
    expect(first.getResponse(get, { id: 1 }).data?.title).toBe('from the network');
    expect(first.getError(get, { id: 1 })).toBeUndefined();
  });
});

describe('a request hook that returns nothing', () => {
  it('a request hook that returns nothing is an error, and the request is sent once', async () => {
    const { calls, get } = counted();
    const forgetful: Plugin = {
      name: 'forgetful',
      request: (request, next) => void next(request) as never, // as in plain JavaScript
    };
    const controller = new Controller({ plugins: [forgetful] });
    await expect(controller.fetch(get, { id: 1 })).rejects.toMatchObject({
      code: 'HF_PLUGIN',
      message: expect.stringContaining('forgetful') as unknown,
    });
    expect(calls).toHaveLength(1);
  });
});
