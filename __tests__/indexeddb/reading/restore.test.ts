import { describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { All, Entity, Query, type Commit, type Plugin } from 'holdfast';
import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
} from '../../support/indexedDB.ts';
import { User } from '../../support/entities.ts';
import { until } from '../../support/turns.ts';

freshIndexedDB();

const many = Array.from({ length: 1_500 }, (_, index) => ({
  id: `a${index}`,
  title: `title ${index}`,
  author: { id: `u${index % 40}`, name: 'Ann' },
}));
const getMany = answering('getMany', [Article], many);
const getOne = answering('getOne', Article, many[3]);

/** What the restore of the rest merged, commit by commit. */
function watcher(): Plugin & {
  readonly slices: { rows: number; results: number }[];
  readonly names: string[];
} {
  const slices: { rows: number; results: number }[] = [];
  const names: string[] = [];
  return {
    name: 'watcher',
    slices,
    names,
    commit({ origin, baseChanges }: Commit) {
      if (origin !== 'indexeddb') return;
      let rows = 0;
      for (const [table, changed] of baseChanges.rows) {
        rows += changed.size;
        names.push(table);
      }
      if (baseChanges.results.size > 0) names.push('results');
      slices.push({ rows, results: baseChanges.results.size });
    },
  };
}

async function filled(fold: boolean): Promise<void> {
  const app = await openApp();
  await app.controller.fetch(getMany);
  await app.controller.fetch(getOne);
  await app.controller.flush();
  while (fold && (await records('log')).length > 0) await pause(20);
  await app.leave();
}

describe.each([true, false])('the background restore (folded: %s)', (folded) => {
  it('the background restore reads slices, rows before results, referenced tables first', async () => {
    await filled(folded);
    const seen = watcher();
    const controller = new Controller({ plugins: [indexedDB({ name: DATABASE }), seen] });
    await controller.restored;
    expect(controller.getResponse(getMany).data).toHaveLength(1_500);
    expect(seen.slices.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_540);
    expect(Math.max(...seen.slices.map(({ rows }) => rows))).toBeLessThanOrEqual(512);
    expect(seen.names.at(-1)).toBe('results');
    expect(seen.names.indexOf('User')).toBeLessThan(seen.names.indexOf('Article'));
    await controller.stop();
  });

  it('a read overtakes the background restore, and restores only what it needs', async () => {
    await filled(folded);
    const seen = watcher();
    const controller = new Controller({ plugins: [indexedDB({ name: DATABASE }), seen] });
    await controller.ready;
    const one = await controller.fetchIfStale(getOne);
    expect(one).toMatchObject({ id: 'a3', author: { name: 'Ann' } });
    expect(seen.slices[0]).toEqual({ rows: 2, results: 1 });
    await controller.restored;
    expect(controller.getResponse(getOne).data).toBe(one);
    await controller.stop();
  });

  it('the background restore writes nothing back', async () => {
    await filled(folded);
    const before = [await records('log'), await records('shards')];
    const { controller } = await openApp();
    await controller.restored;
    await controller.flush();
    await pause(50);
    const after = [await records('log'), await records('shards')];
    if (folded) expect(after).toEqual(before);
    else expect(after[0]!.length).toBeLessThanOrEqual(before[0]!.length); // the fold comes after it
  });

  it('changes of restored data are persisted, whatever their source', async () => {
    await filled(folded);
    const changed = many.slice(0, 200).map(({ id }) => ({ id, title: 'changed' }));
    const getChanged = answering('getChanged', [Article], [...changed, { id: 'new', title: 'new' }], 1_000);
    const second = await openApp();
    await second.controller.restored;
    await second.controller.fetch(getChanged);
    await second.leave();
    const third = await openApp();
    await third.controller.restored;
    const titles = third.controller.getResponse(getMany).data?.map(({ title }) => title);
    expect(titles?.filter((title) => title === 'changed')).toHaveLength(200);
    // What was not there is kept only for as long as its endpoint says.
    expect(third.controller.getState().tables['Article']?.get('new')).toBeUndefined();
  });

  it('the background restore never overwrites newer data in memory', async () => {
    await filled(folded);
    const { controller } = await openApp();
    controller.set(Article, { id: 'a3' }, { title: 'newer' });
    await controller.restored;
    await controller.flush();
    expect(controller.get(Article, { id: 'a3' })).toMatchObject({ title: 'newer', author: { id: 'u3' } });
    await controller.stop();

    const again = await openApp();
    await again.controller.restored;
    expect(again.controller.get(Article, { id: 'a3' })).toMatchObject({
      title: 'newer',
      author: { id: 'u3' },
    });
  });
});

it('restored resolves once rows already in memory have their missing fields from disk', async () => {
  const before = await openApp();
  await before.controller.fetch(getOne);
  await before.leave();
  const controller = new Controller({ plugins: [indexedDB({ name: DATABASE })] });
  controller.set(Article, { id: 'a3' }, { title: 'newer' });
  await controller.restored;
  expect(controller.get(Article, { id: 'a3' })).toMatchObject({ title: 'newer', author: { id: 'u3' } });
  await controller.stop();
});

describe('a lazy restore', () => {
  it('a lazy restore reads only what is requested', async () => {
    await filled(true);
    const { controller } = await openApp({ restore: 'lazy' });
    await controller.restored;
    expect(controller.get(User, { id: 'u3' })).toBeUndefined();
    await controller.fetchIfStale(getOne);
    expect(controller.get(User, { id: 'u3' })?.name).toBe('Ann');
    expect(controller.get(User, { id: 'u4' })).toBeUndefined();
  });

  it('a lazy restore reads the whole table of an All, also if its result names a part of it', async () => {
    const getUsers = answering(
      'getUsers',
      { more: false, users: new All(User) },
      { users: [{ id: 'own', name: 'Eve' }] },
    );
    await filled(true);
    const first = await openApp({ restore: 'lazy' });
    await first.controller.fetch(getUsers);
    await first.leave();
    const { controller } = await openApp({ restore: 'lazy' });
    const { users } = await controller.fetchIfStale(getUsers);
    expect(users).toHaveLength(41);
    expect(requests.filter((name) => name === 'getUsers')).toHaveLength(1);
  });

  it('watching an All, or a Query of one, restores its table lazily', async () => {
    await filled(true);
    const { controller } = await openApp({ restore: 'lazy' });
    const users = new All(User);
    const shown: unknown[] = [];
    const counts: unknown[] = [];
    const stopUsers = controller.watch(users, (all) => shown.push(all?.length));
    const stopCounts = controller.watch(new Query(users, (all) => all.length), (n) => counts.push(n));
    await until(() => shown.length > 0 && counts.length > 0);
    stopUsers();
    stopCounts();
    expect(shown.at(-1)).toBe(40);
    expect(counts).toEqual([40]); // never the count of a part
    expect(controller.getState().tables['Article']).toBeUndefined();
  });

  it('watching an entity by an index restores its table lazily', async () => {
    class Member extends Entity {
      id = '';
      name = '';
      static override key = 'Member';
      static override indexes = ['name'] as const;
    }
    const getMembers = answering('getMembers', [Member], [{ id: '1', name: 'Ann' }]);
    const first = await openApp();
    await first.controller.fetch(getMembers);
    await first.leave();
    const { controller } = await openApp({ restore: 'lazy' });
    let found: Member | undefined;
    const stop = controller.watch(Member, { name: 'Ann' }, (member) => (found = member));
    await until(() => found !== undefined);
    stop();
    expect(found?.id).toBe('1');
  });

  it('a lazy restore reads whole tables', async () => {
    await filled(true);
    const { controller, plugin } = await openApp({ restore: 'lazy' });
    await plugin.restore({ tables: ['User'] });
    const { tables } = controller.getState();
    expect(Object.keys(tables)).toEqual(['User']);
    expect(tables['User']?.size).toBe(40);
  });

  it('a lazy restore gives the rows of one response one meta', async () => {
    await filled(false);
    const { controller, plugin } = await openApp({ restore: 'lazy' });
    await plugin.restore({ tables: ['User'] });
    const users = [...(controller.getState().tables['User']?.entries() ?? [])];
    const metas = new Set(users.map(([, { meta }]) => meta));
    expect(metas.size).toBe(2); // getMany brought all, getOne one of them again
  });

  it('a lazy restore reads nothing for missing data', async () => {
    await filled(true);
    const { plugin } = await openApp({ restore: 'lazy' });
    const get = jest.spyOn(IDBObjectStore.prototype, 'get');
    const getAll = jest.spyOn(IDBObjectStore.prototype, 'getAll');
    expect(
      await plugin.restore({ results: ['nowhere', '__proto__'], rows: [['Nowhere', '1']] }),
    ).toBeUndefined();
    expect(get).not.toHaveBeenCalled();
    expect(getAll).not.toHaveBeenCalled();
    get.mockRestore();
    getAll.mockRestore();
  });

  it('a lazy restore follows references from rows in memory to rows on disk', async () => {
    class Leaf extends Entity {
      id = '';
      static override key = 'Leaf';
    }
    class Branch extends Entity {
      id = '';
      leaf = Leaf.fromJS();
      static override key = 'Branch';
      static override schema = { leaf: Leaf };
    }
    class Tree extends Entity {
      id = '';
      branch = Branch.fromJS();
      static override key = 'Tree';
      static override schema = { branch: Branch };
    }
    const getTree = answering('tree', Tree, { id: 't', branch: { id: 'b', leaf: { id: 'l1' } } });
    const getLeaf = answering('leaf', Leaf, { id: 'l2' });
    const first = await openApp();
    await first.controller.fetch(getTree);
    await first.controller.fetch(getLeaf);
    await first.leave();

    // Without timers, the controller does not request the missing leaf before the test does.
    const second = await openApp({ restore: 'lazy', schedule: () => () => undefined });
    // The branch changes to a leaf that is on disk only.
    await second.controller.fetchIfStale(getTree);
    second.controller.setResponse(answering('branch', Branch, {}), { id: 'b', leaf: 'l2' });
    expect(second.controller.getResponse(getTree).data).toBeUndefined();
    const answer = await second.plugin.restore({ results: [getTree.key()] });
    expect(answer?.rows.map(([table, pk]) => `${table} ${pk}`)).toEqual(['Leaf l2']);
  });
});

it('data stored by a clock that was ahead is restored as stale', async () => {
  const getSome = answering('getSome', [Article], many.slice(0, 2), 60_000);
  const year = 365 * 24 * 3_600_000;
  const ahead = await openApp({ persist: 'all', now: () => Date.now() + year });
  await ahead.controller.fetch(getSome);
  await ahead.leave();
  const app = await openApp({ persist: 'all' });
  const restored = await app.controller.fetchIfStale(getSome);
  expect(restored).toHaveLength(2);
  await pause(0);
  expect(requests).toEqual(['getSome', 'getSome']);
  // The newer answer is not taken for older than that of the future.
  expect(app.controller.getResponse(getSome).expiresAt).toBeLessThan(Date.now() + year / 2);
});
