import { describe, expect, it } from '@jest/globals';
import {
  All,
  Collection,
  Controller,
  Delete,
  Endpoint,
  Entity,
  Lazy,
  Scalar,
  Values,
  type Commit,
  type EndpointInterface,
  type Plugin,
  type StoragePlugin,
  type Restored,
} from 'holdfast';
import { ControllerInternals } from '../../src/controller/ControllerInternals.ts';
import { Fetcher } from '../../src/controller/requests/Fetcher.ts';
import { PluginHost } from '../../src/controller/plugins/PluginHost.ts';
import { ReadView } from '../../src/controller/reads/ReadView.ts';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
import { Held, settled } from '../support/held.ts';
import { Summary, User } from '../support/entities.ts';
import { nodeCount } from '../support/nodeCount.ts';

class ArticleWithOptionalUser extends Entity {
  id = '';
  title = '';
  author: User | undefined;
  static override key = 'Article';
  static override schema = { author: User };
}

const GC = 300_000;
const ann = { id: 'ann', name: 'Ann' };
const bob = { id: 'bob', name: 'Bob' };

const list = (name: string, items: readonly unknown[], options: { dataExpiryLength?: number } = {}) =>
  new Endpoint(async (): Promise<unknown> => items, { name, schema: [ArticleWithOptionalUser], ...options });

const getArticle = new Endpoint(
  async ({ id }: { id: string }): Promise<unknown> => ({ id, title: 'from network' }),
  { name: 'getArticle', schema: ArticleWithOptionalUser },
);

function start(plugins: readonly Plugin[] = [], gcTime?: number) {
  const time = new FakeTime();
  const commits: Commit[] = [];
  const recorder: Plugin = { name: 'recorder', commit: (commit) => commits.push(commit) };
  const controller = new Controller({
    now: time.now,
    schedule: time.schedule,
    environment: new FakeEnvironment(),
    plugins: [recorder, ...plugins],
    ...(gcTime !== undefined && { gcTime }),
  });
  /** The rows and results in memory, by name. */
  const stored = (): string[] => {
    const { tables, results } = controller.getState();
    const rows = Object.entries(tables).flatMap(([name, table]) =>
      [...table.entries()].map(([pk]) => `${name} ${pk}`),
    );
    return [...rows, ...[...results.entries()].map(([key]) => key)].sort();
  };
  const mount = (endpoint: EndpointInterface, ...args: readonly unknown[]) =>
    controller.view(endpoint, args).subscribe(() => undefined);
  const collections = () => commits.filter(({ action }) => action.type === 'collect');
  return { time, controller, stored, mount, collections };
}

describe('garbage collection', () => {
  it('an unmounted result is collected after gcTime, with the rows only it reaches, in one commit', async () => {
    const { time, controller, stored, mount, collections } = start();
    const first = list('first', [
      { id: '1', author: ann },
      { id: '2', author: bob },
    ]);
    const second = list('second', [{ id: '3', author: bob }]);
    await Promise.all([controller.fetch(first), controller.fetch(second)]);
    const unmount = [mount(first), mount(second)];
    unmount[0]?.();
    await time.pass(GC - 1);
    expect(stored()).toHaveLength(7);
    await time.pass(1);
    expect(stored()).toEqual(['Article 3', 'User bob', second.key()].sort());
    expect(collections()).toHaveLength(1);
    expect(time.timers).toBe(0);
    unmount[1]?.();
    await time.pass(GC);
    expect(stored()).toEqual([]);
    expect(time.timers).toBe(0);
  });

  it('results are collected in time although the clock is set back', async () => {
    const { time, controller, stored, mount } = start();
    const [first, second] = [list('first', [{ id: '1' }]), list('second', [{ id: '2' }])];
    await Promise.all([controller.fetch(first), controller.fetch(second)]);
    mount(first)();
    time.jump(-3 * GC);
    mount(second)();
    await time.pass(GC);
    expect(stored()).toEqual([]);
    expect(time.timers).toBe(0);
  });

  it('a result that is mounted again in time is kept, also in Strict Mode', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1', author: ann }]);
    await controller.fetch(some);
    mount(some)();
    expect(time.timers).toBe(1);
    const unmount = mount(some);
    expect(time.timers).toBe(0);
    await time.pass(GC);
    expect(stored()).toHaveLength(3);
    const another = mount(some);
    unmount();
    await time.pass(GC);
    expect(stored()).toHaveLength(3);
    another();
    await time.pass(GC / 2);
    const again = mount(some);
    await time.pass(GC / 2);
    again();
    await time.pass(GC - 1);
    expect(stored()).toHaveLength(3);
    await time.pass(1);
    expect(stored()).toEqual([]);
  });

  it('a result is fetched again when it is mounted after its collection', async () => {
    const { time, controller, mount } = start();
    await controller.fetch(getArticle, { id: '1' });
    mount(getArticle, { id: '1' })();
    await time.pass(GC);
    const view = controller.view(getArticle, [{ id: '1' }]);
    expect(view.shouldLoad).toBe(true);
    expect(await view.load()).toMatchObject({ title: 'from network' });
  });

  it('a collected result takes its schema and its error with it', async () => {
    const { time, controller, stored, mount } = start();
    controller.setError(getArticle, { id: '1' }, new Error('gone'));
    mount(getArticle, { id: '1' })();
    await time.pass(GC);
    expect(stored()).toEqual([]);
    expect(controller.getError(getArticle, { id: '1' })).toBeUndefined();
  });

  it('an unmounted read that was served from rows alone is collected', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1', author: ann }]);
    await controller.fetch(some);
    const unmount = mount(getArticle, { id: '1' });
    mount(some)();
    await time.pass(GC);
    expect(stored()).toEqual(['Article 1', 'User ann']);
    unmount();
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });

  it('rows of an invalidated result are collected, but the invalidation is kept', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1', author: ann }]);
    await controller.fetch(some);
    mount(some)();
    controller.invalidate(some);
    await time.pass(GC);
    expect(stored()).toEqual([some.key()]);
    expect(controller.getResponse(some).data).toBeUndefined();
  });

  it('rows in a cycle are collected', async () => {
    class Person extends Entity {
      id = '';
      friends: Person[] = [];
      static override key = 'Person';
    }
    Person.schema = { friends: [Person] };
    const people = new Endpoint(
      async (): Promise<unknown> => [
        { id: 'a', friends: ['b'] },
        { id: 'b', friends: ['a'] },
      ],
      { name: 'people', schema: [Person] },
    );
    const { time, controller, stored, mount } = start();
    await controller.fetch(people);
    mount(people)();
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });
});

describe('data that garbage collection keeps', () => {
  it('garbage collection keeps data that was never mounted', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1', author: ann }]);
    const prefetched = list('prefetched', [{ id: '2', author: ann }]);
    controller.set(User, { id: 'local' }, { name: 'Local' });
    await Promise.all([controller.fetch(some), controller.fetch(prefetched)]);
    mount(some)();
    await time.pass(GC);
    expect(stored()).toEqual(['Article 2', 'User ann', 'User local', prefetched.key()].sort());
  });

  it('garbage collection keeps fresh data until it is stale', async () => {
    const { time, controller, stored, mount } = start();
    const fresh = list('fresh', [{ id: '1' }], { dataExpiryLength: 2.5 * GC });
    await controller.fetch(fresh);
    mount(fresh)();
    await time.pass(2 * GC);
    expect(stored()).toHaveLength(2);
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });

  it('garbage collection keeps data that never expires', async () => {
    const { time, controller, stored, mount } = start();
    const lasting = list('lasting', [{ id: '1' }], { dataExpiryLength: Infinity });
    await controller.fetch(lasting);
    mount(lasting)();
    await time.pass(GC);
    expect(stored()).toHaveLength(2);
    expect(time.timers).toBe(0);
  });

  it('garbage collection keeps a fresh row of a stale result', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1' }, { id: '2' }]);
    await controller.fetch(some);
    mount(some)();
    await time.pass(GC - 10_000);
    controller.set(ArticleWithOptionalUser, { id: '2' }, { title: 'changed' });
    await time.pass(10_000);
    expect(stored()).toEqual(['Article 2']);
    await time.pass(GC);
    expect(stored()).toEqual([]);
    expect(time.timers).toBe(0);
  });

  it('garbage collection keeps what a mounted query shows', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1', author: ann }]);
    await controller.fetch(some);
    const stop = controller.watch(new All(User), () => undefined);
    mount(some)();
    await time.pass(GC);
    expect(stored()).toEqual(['User ann']);
    stop();
  });

  it('garbage collection keeps a row that another class reads', async () => {
    const { time, controller, stored, mount } = start();
    const details = list('details', [{ id: '1', title: 'one', author: ann }]);
    const summaries = new Endpoint(async (): Promise<unknown> => [{ id: '1', title: 'one' }], {
      name: 'summaries',
      schema: [Summary],
    });
    await Promise.all([controller.fetch(details), controller.fetch(summaries)]);
    const unmount = mount(summaries);
    mount(details)();
    await time.pass(GC);
    expect(stored()).toEqual(['Article 1', 'User ann', summaries.key()].sort());
    unmount();
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });

  it('garbage collection keeps a row that a changed result names, even if the result has not been read', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1' }, { id: '2' }]);
    const other = list('other', []);
    await Promise.all([controller.fetch(some), controller.fetch(other)]);
    mount(some)();
    controller.setResponse(other, [{ id: '2' }]);
    await time.pass(GC);
    expect(stored()).toEqual(['Article 2', other.key()].sort());
    expect(controller.getResponse(other).data).toHaveLength(1);
  });

  it('garbage collection keeps a row that only an unread result names', async () => {
    const { time, controller, stored, mount } = start();
    const some = list('some', [{ id: '1' }, { id: '2' }]);
    const unread = list('unread', []);
    await controller.fetch(some);
    controller.setResponse(unread, [{ id: '2' }]);
    mount(some)();
    await time.pass(GC);
    expect(stored()).toEqual(['Article 1', 'Article 2', unread.key()].sort());
    expect(controller.getResponse(unread).data).toHaveLength(1);
    await time.pass(GC);
    expect(stored()).toEqual(['Article 2', unread.key()].sort());
  });

  it('garbage collection keeps what a pending mutation shows', async () => {
    const { time, controller, stored, mount } = start();
    const held = new Held();
    const rename = new Endpoint(held.fetch, {
      name: 'rename',
      schema: ArticleWithOptionalUser,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, { id }: { id: string }) => ({ id, title: 'renamed' }),
    });
    await controller.fetch(getArticle, { id: '1' });
    const renamed = controller.fetch(rename, { id: '1' });
    mount(getArticle, { id: '1' })();
    await time.pass(GC);
    expect(controller.get(ArticleWithOptionalUser, { id: '1' })).toMatchObject({ title: 'renamed' });
    held.call(0).reject(new Error('refused'));
    await expect(renamed).rejects.toThrow('refused');
    expect(controller.get(ArticleWithOptionalUser, { id: '1' })).toMatchObject({ title: 'from network' });
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });

  it('garbage collection keeps the members of a list that a pending mutation adds to', async () => {
    const { time, controller, stored, mount } = start();
    const held = new Held();
    const getList = new Endpoint(async (): Promise<unknown> => [{ id: '1', title: 'One', author: ann }], {
      name: 'getList',
      schema: new Collection([ArticleWithOptionalUser], { argsKey: () => ({}) }),
    });
    const add = new Endpoint(held.fetch, {
      name: 'add',
      schema: getList.schema.push,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, article: object) => article,
    });
    await controller.fetch(getList);
    const adding = controller.fetch(add, { id: '2', title: 'Two' });
    mount(getList)();
    await time.pass(GC);
    const shown = controller.getResponse(getList).data;
    expect(shown?.map(({ title, author }) => [title, author?.name])).toEqual([
      ['One', 'Ann'],
      ['Two', undefined],
    ]);
    held.call(0).reject(new Error('refused'));
    await expect(adding).rejects.toThrow('refused');
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });

  it('garbage collection keeps what a pending mutation has read', async () => {
    const { time, controller, stored, mount } = start();
    const held = new Held();
    const copy = new Endpoint(held.fetch, {
      name: 'copy',
      schema: ArticleWithOptionalUser,
      sideEffect: true,
      getOptimisticResponse(snapshot, { id, from }: { id: string; from: string }) {
        return { id, title: `copy of ${snapshot.get(ArticleWithOptionalUser, { id: from })?.title}` };
      },
    });
    await controller.fetch(getArticle, { id: '1' });
    const copied = controller.fetch(copy, { id: '2', from: '1' });
    mount(getArticle, { id: '1' })();
    await time.pass(GC);
    expect(controller.get(ArticleWithOptionalUser, { id: '2' })).toMatchObject({
      title: 'copy of from network',
    });
    expect(stored()).toContain('Article 1');
    held.call(0).resolve({ id: '2', title: 'copied' });
    await copied;
    await time.pass(GC);
    expect(stored()).toEqual(['Article 2']);
  });

  it('garbage collection keeps the deletion of a row for a day', async () => {
    const { time, controller, stored, mount } = start();
    const remove = new Endpoint(async ({ id }: { id: string }): Promise<unknown> => ({ id }), {
      name: 'remove',
      schema: new Delete(ArticleWithOptionalUser),
      sideEffect: true,
    });
    const some = list('some', [{ id: '1' }, { id: '2' }]);
    await controller.fetch(some);
    await controller.fetch(remove, { id: '1' });
    mount(some)();
    await time.pass(GC);
    expect(stored()).toEqual(['Article 1']);
    await time.pass(24 * 3_600_000);
    expect(stored()).toEqual([]);
  });

  it('garbage collection keeps everything with gcTime: Infinity', async () => {
    const { time, controller, stored, mount } = start([], Infinity);
    const some = list('some', [{ id: '1' }]);
    await controller.fetch(some);
    mount(some)();
    expect(time.timers).toBe(0);
    expect(stored()).toHaveLength(2);
  });

  it('garbage collection keeps data that is being fetched', async () => {
    const { time, controller, stored, mount } = start();
    const held = new Held();
    const some = new Endpoint(held.fetch, { name: 'some', schema: [ArticleWithOptionalUser] });
    controller.setResponse(some, [{ id: '1' }]);
    mount(some)();
    const fetched = controller.fetch(some);
    await time.pass(GC);
    expect(stored()).toHaveLength(2);
    held.call(0).resolve([{ id: '1' }]);
    await fetched;
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });
});

describe('rows held by a plugin', () => {
  it('garbage collection drops a fresh row that a plugin holds, and a read restores it from there', async () => {
    const restored: Restored[] = [];
    const keeper: StoragePlugin = {
      name: 'keeper',
      holds: (key) => key === lasting.key(),
      restore: async ({ results = [] }) => (results.includes(lasting.key()) ? restored[0] : undefined),
    };
    const { time, controller, stored, mount } = start([keeper]);
    const lasting = list('lasting', [{ id: '1', author: ann }], { dataExpiryLength: Infinity });
    await controller.fetch(lasting);
    const { tables, results } = controller.getState();
    restored.push({
      rows: Object.entries(tables).flatMap(([name, table]) =>
        [...table.entries()].map(([pk, row]) => [name, pk, row] as const),
      ),
      results: [...results.entries()],
    });
    mount(lasting)();
    await time.pass(GC);
    expect(stored()).toEqual([]);
    expect(await controller.view(lasting, []).load()).toMatchObject([{ id: '1', author: { name: 'Ann' } }]);
    expect(stored()).toHaveLength(3);
  });
});

describe('a thousand reads', () => {
  it('a thousand reads leave nothing once they have been mounted and unmounted', async () => {
    const { time, controller, stored, mount, collections } = start();
    const unmounts: (() => void)[] = [];
    for (let id = 0; id < 1_000; id++) {
      controller.setResponse(getArticle, { id: `${id}` }, { id, author: { id: id % 10, name: 'Ann' } });
      unmounts.push(mount(getArticle, { id: `${id}` }));
    }
    for (const unmount of unmounts) unmount();
    expect(time.timers).toBe(1);
    await time.pass(GC);
    await settled();
    expect(stored()).toEqual([]);
    expect(time.timers).toBe(0);
    expect(collections()).toHaveLength(1);
    expect(controller.schemaOf(getArticle.key({ id: '1' }))).toBeUndefined();
  });
});

const keyOf = (endpoint: EndpointInterface, args: readonly unknown[]): string => endpoint.key(...args);

describe('denormalized objects', () => {
  it('denormalized objects are dropped with their rows', async () => {
    const time = new FakeTime();
    const core = new ControllerInternals(
      { now: time.now, schedule: time.schedule, environment: new FakeEnvironment() },
      new PluginHost([]),
    );
    const fetcher = new Fetcher(core);
    const endpoint = list('some', [
      { id: '1', author: ann },
      { id: '2', author: bob },
    ]);
    for (const [read, args] of [
      [endpoint, []],
      [getArticle, [{ id: '1' }]],
      [getArticle, [{ id: 'not stored' }]],
    ] as const) {
      const view = new ReadView(core, fetcher, { endpoint: read, args, key: keyOf(read, args) });
      if (read === endpoint) await view.loadForSuspense();
      const unmount = view.subscribe(() => undefined);
      expect(nodeCount(core.views)).toBeGreaterThan(0);
      unmount();
    }
    expect([...core.reads.values()].filter((cached) => cached.readInGrace())).toHaveLength(1);
    await time.pass(GC);
    expect([nodeCount(core.views), core.reads.size, time.timers]).toEqual([0, 0, 0]);
  });
});

describe('timers of garbage collection', () => {
  it('timers of garbage collection end with a reset and when the controller stops', async () => {
    const { time, controller, mount } = start();
    mount(getArticle, { id: '1' })();
    expect(time.timers).toBe(1);
    await controller.reset();
    expect(time.timers).toBe(0);
    mount(getArticle, { id: '1' })();
    await controller.stop();
    expect(time.timers).toBe(0);
    mount(getArticle, { id: '1' })();
    expect(time.timers).toBe(0);
  });

  it('garbage collection with a gcTime of 0 removes fresh data once it is stale', async () => {
    const { time, controller, stored, mount } = start([], 0);
    const fresh = list('fresh', [{ id: '1' }], { dataExpiryLength: 5_000 });
    await controller.fetch(fresh);
    mount(fresh)();
    await time.pass(4_000);
    expect(stored()).toHaveLength(2);
    await time.pass(2_000);
    expect(stored()).toEqual([]);
  });
});

class Shelf extends Entity {
  id = '';
  articles: string[] = [];
  meta: { readonly best?: string } = {};
  static override key = 'Shelf';
  static override schema = {
    articles: new Lazy([ArticleWithOptionalUser]),
    meta: { best: new Lazy(ArticleWithOptionalUser) },
  };
}

describe('lazy relations', () => {
  const getShelf = new Endpoint(
    async (): Promise<unknown> => ({ id: 's', articles: ['1'], meta: { best: '2' } }),
    { name: 'getShelf', schema: Shelf },
  );
  const some = list('some', [
    { id: '1', author: ann },
    { id: '2', author: ann },
    { id: '3', author: bob },
  ]);

  it('a lazy relation keeps what it reaches until the row that names it is collected', async () => {
    const { time, controller, stored, mount } = start();
    await Promise.all([controller.fetch(some), controller.fetch(getShelf)]);
    const unmount = mount(getShelf);
    mount(some)();
    await time.pass(GC);
    expect(stored()).toEqual(['Article 1', 'Article 2', 'Shelf s', 'User ann', getShelf.key()].sort());
    unmount();
    await time.pass(3 * GC);
    expect(stored()).toEqual([]);
    expect(time.timers).toBe(0);
  });
});

describe('Scalar values', () => {
  class Product extends Entity {
    id = '';
    price = 0;
    static override key = 'Product';
  }
  const scalar = new Scalar({
    lens: (args: readonly [{ readonly currency?: string }?]) => args[0]?.currency,
    key: 'currency',
    entity: Product,
  });
  Object.assign(Product, { schema: { price: scalar } });
  type Params = { readonly currency: string };
  const getProducts = new Endpoint(async (_params: Params): Promise<unknown> => [{ id: '1', price: 10 }], {
    name: 'getProducts',
    schema: [Product],
  });
  const getPrices = new Endpoint(async (_params: Params): Promise<unknown> => ({ 1: { price: 12 } }), {
    name: 'getPrices',
    schema: new Values(scalar),
  });
  const [euro, dollar] = [{ currency: 'EUR' }, { currency: 'USD' }];

  it('Scalar values are collected with their entity, whichever lens value was read last', async () => {
    const { time, controller, stored, mount } = start();
    await controller.fetch(getProducts, euro);
    await controller.fetch(getPrices, dollar);
    const unmount = mount(getProducts, euro);
    mount(getPrices, dollar)();
    await time.pass(GC);
    expect(stored()).toEqual(['Product 1', 'Product@currency 1', getProducts.key(euro)].sort());
    expect(controller.get(Product, { id: '1', ...dollar })?.price).toBe(12);
    unmount();
    await time.pass(GC);
    expect(stored()).toEqual([]);
  });
});
