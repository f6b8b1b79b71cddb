import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Endpoint, Entity } from 'holdfast';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { openDB } from 'idb';
import { aesGcm, type IndexedDBOptions } from 'holdfast/indexeddb';
import {
  answering,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
  type App,
} from '../../support/indexedDB.ts';
import { User } from '../../support/entities.ts';
import { CountingStorage } from '../storage/CountingStorage.ts';

freshIndexedDB();

class Issue extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Issue';
  static override schema = { author: User };
}

const ann = { id: 'u1', name: 'Ann' };
const kelp = { id: 'i1', title: 'Kelp', author: ann };
const moss = { id: 'i2', title: 'Moss', author: ann };
const getIssues = answering('getIssues', [Issue], [kelp, moss]);

type Options = Partial<IndexedDBOptions>;

/** Another page compacts the log. */
async function compact(): Promise<void> {
  const storage = new CountingStorage(DATABASE);
  const compacted = storage.rewritten();
  const options = { name: DATABASE, restore: 'lazy', persist: 'all' } as const;
  const plugin = new IndexedDBPluginImpl(options, { storage, compactAt: { records: 1, rows: 1 } });
  const controller = new Controller({ plugins: [plugin] });
  await compacted;
  await controller.stop();
}

/** Shows the list of issues, and leaves the page. */
async function visit(options: Options = {}, change?: (app: App) => Promise<void> | void): Promise<void> {
  const app = await openApp({ restore: 'lazy', ...options });
  await app.controller.fetchIfStale(getIssues);
  app.controller.watch(getIssues, () => undefined);
  await change?.(app);
  await app.leave();
}

/** The page is opened again; returns the titles that are in memory when it is ready. */
async function titlesAtStart(options: Options = {}): Promise<readonly string[] | undefined> {
  const app = await openApp({ restore: 'lazy', ...options });
  const shown = titles(app.controller);
  // Whether or not they were in memory: nothing is lost.
  expect((await app.controller.fetchIfStale(getIssues)).length).toBeGreaterThan(0);
  expect(app.errors).toEqual([]);
  await app.leave();
  return shown;
}

const titles = (controller: Controller): readonly string[] | undefined =>
  controller.getResponse(getIssues).data?.map(({ title, author }) => `${title} by ${author.name}`);

const AS_LEFT = ['Kelp by Ann', 'Moss by Ann'];

it('the reads that were mounted when the page was left are in memory when the controller is ready', async () => {
  await visit();
  expect(await titlesAtStart()).toEqual(AS_LEFT);
  expect(requests).toEqual(['getIssues']);
});

it('a page that ends without being hidden has written what was on screen in idle time', async () => {
  const killed = await openApp({ restore: 'lazy' });
  await killed.controller.fetchIfStale(getIssues);
  killed.controller.watch(getIssues, () => undefined);
  await pause(100);
  expect(await titlesAtStart()).toEqual(AS_LEFT);
});

it('a screen that came from disk is written in idle time too', async () => {
  const other = await openApp({ restore: 'lazy' });
  await other.controller.fetchIfStale(getIssues);
  await other.leave();
  const killed = await openApp({ restore: 'lazy' });
  await killed.controller.fetchIfStale(getIssues);
  killed.controller.watch(getIssues, () => undefined);
  await pause(100);
  expect(await titlesAtStart()).toEqual(AS_LEFT);
});

it('a change of what is on screen does not write the screen again before the page is hidden', async () => {
  const storage = new CountingStorage(DATABASE);
  const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy' }, { storage });
  const controller = new Controller({ plugins: [plugin] });
  await controller.fetch(getIssues);
  controller.watch(getIssues, () => undefined);
  await pause(100);
  storage.take();
  await controller.fetch(getIssues);
  await pause(100);
  expect(storage.take()).toMatchObject({ written: 1 });
  const [screen] = await records('outbox');
  await controller.stop();
  const [left] = await records('outbox');
  expect(left).not.toEqual(screen);
});

it('a read that was waiting for the start does not read the disk for what the last screen has restored', async () => {
  await visit();
  const storage = new CountingStorage(DATABASE);
  const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy' }, { storage });
  const controller = new Controller({ plugins: [plugin] });
  await controller.fetchIfStale(getIssues);
  expect(titles(controller)).toEqual(AS_LEFT);
  // The marks of resets, and the last screen.
  expect(storage.take()).toMatchObject({ transactions: 2 });
  await controller.stop();
});

it('a page that showed nothing keeps the last screen of the page before', async () => {
  await visit();
  await (await openApp({ restore: 'lazy' })).leave();
  expect(await titlesAtStart()).toEqual(AS_LEFT);
});

it('the last screen contains neither reads that are not persisted, nor reads with too many rows', async () => {
  const getDraft = answering('getDraft', Issue, { id: 'i9', title: 'Draft', author: ann }, 60_000);
  const many = Array.from({ length: 501 }, (_, id) => ({ id: `n${id}`, name: 'Ada' }));
  const getMany = answering('getMany', [User], many);
  await visit({}, async ({ controller }) => {
    for (const endpoint of [getDraft, getMany]) {
      await controller.fetch(endpoint);
      controller.watch(endpoint, () => undefined);
    }
  });
  const { controller } = await openApp({ restore: 'lazy' });
  expect(titles(controller)).toEqual(AS_LEFT);
  expect(controller.getResponse(getDraft).data).toBeUndefined();
  expect(controller.getState().tables['User']?.size).toBe(1);
});

it('changes that were logged after the page was left are in the last screen', async () => {
  const other = await openApp({ restore: 'lazy', persist: 'all' });
  await visit({ persist: 'all' });
  other.controller.set(Issue, { id: 'i2' }, { ...moss, title: 'Peat' });
  await other.controller.flush();
  expect(await titlesAtStart({ persist: 'all' })).toEqual(['Kelp by Ann', 'Peat by Ann']);
});

it('a list that has referred to a row outside of the last screen since is read from disk', async () => {
  const bob = { id: 'u2', name: 'Bob' };
  const other = await openApp({ restore: 'lazy', persist: 'all' });
  other.controller.set(User, bob, bob);
  await other.controller.flush();
  await compact();
  await visit({ persist: 'all' });
  other.controller.set(Issue, { id: 'i2' }, { ...moss, author: bob });
  await other.controller.flush();

  const { controller } = await openApp({ restore: 'lazy', persist: 'all' });
  expect(titles(controller)).toBeUndefined();
  await controller.fetchIfStale(getIssues);
  expect(titles(controller)).toEqual(['Kelp by Ann', 'Moss by Bob']);
});

it('a last screen from before changes that were compacted is ignored', async () => {
  const other = await openApp({ restore: 'lazy', persist: 'all' });
  await visit({ persist: 'all' });
  other.controller.set(Issue, { id: 'i2' }, { ...moss, title: 'Peat' });
  await other.controller.flush();
  await compact();
  expect(await titlesAtStart({ persist: 'all' })).toBeUndefined();
});

it('a page that is left again after a compaction writes an equal screen again', async () => {
  await visit({ persist: 'all' }, async ({ controller, plugin }) => {
    if (plugin instanceof IndexedDBPluginImpl) plugin.leave();
    await controller.flush();
    controller.set(User, { id: 'u9' }, { id: 'u9', name: 'Zoe' });
    await controller.flush();
    await compact();
  });
  expect(await titlesAtStart({ persist: 'all' })).toEqual(AS_LEFT);
});

it('a reset deletes the last screen, also one that keeps unsent mutations', async () => {
  for (const unsent of ['keep', 'discard'] as const) {
    await visit();
    const app = await openApp({ restore: 'lazy' });
    await app.controller.reset({ unsent });
    await app.leave();
    expect(await records('outbox')).toEqual([]);
  }
});

it('a codec also encodes the last screen', async () => {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  await visit({ codec: aesGcm(key) });
  const [screen] = await records('outbox');
  expect(screen).toBeInstanceOf(Uint8Array);
  expect(await titlesAtStart({ codec: aesGcm(key) })).toEqual(AS_LEFT);
});

it.each<[string, (screen: Record<string, unknown>) => unknown]>([
  ['a text', () => 'screen'],
  ['a record without rows', ({ rows: _rows, ...rest }) => rest],
  [
    'a record of another version',
    (screen) => ({ ...screen, rows: { ...(screen['rows'] as object), version: 3 } }),
  ],
  ['a record of another epoch', (screen) => ({ ...screen, epoch: 7 })],
  ['a record from before an eviction', (screen) => ({ ...screen, evictions: -1 })],
  ['a record without a position in the log', ({ through: _through, ...rest }) => rest],
])('%s in place of the last screen is ignored', async (_what, damage) => {
  await visit();
  const database = await openDB(DATABASE);
  const [key] = await database.getAllKeys('outbox');
  const screen = (await database.get('outbox', key!)) as Record<string, unknown>; // as this test has seen it written
  await database.put('outbox', damage(screen), key);
  database.close();
  expect(await titlesAtStart()).toBeUndefined();
});

describe('code of the app that throws', () => {
  type Fields = Readonly<Record<string, unknown>>;
  let throws = false;
  const throwIfSet = (): void => {
    if (throws) throw new TypeError('of the app');
  };

  class Fragile extends Entity {
    id = '';
    title = '';
    static override key = 'Fragile';

    static override get schema(): Record<string, never> {
      throwIfSet();
      return {};
    }

    static override merge(existing: Fields, incoming: Fields): Fields {
      throwIfSet();
      return { ...existing, ...incoming };
    }
  }
  const getFragile = answering('getFragile', [Fragile], [{ id: 'f1', title: 'Kelp' }]);

  afterEach(() => {
    throws = false;
  });

  async function visitFragile(): Promise<App> {
    const app = await openApp({ restore: 'lazy', persist: 'all' });
    await app.controller.fetchIfStale(getFragile);
    app.controller.watch(getFragile, () => undefined);
    await app.controller.flush();
    return app;
  }

  it('a schema that throws while the last screen is collected does not make the flush fail', async () => {
    const app = await visitFragile();
    throws = true;
    // On a slow machine, an idle moment may have written one already.
    const before = await records('outbox');
    if (app.plugin instanceof IndexedDBPluginImpl) app.plugin.leave();
    await app.controller.flush();
    expect(app.errors).toEqual([]);
    expect(await records('outbox')).toEqual(before);
    throws = false;
    await app.leave();
    expect(await records('outbox')).toHaveLength(1);
  });

  it('a merge that throws while the last screen is restored is reported, and the row in memory stays on screen', async () => {
    const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await (await visitFragile()).leave();
    expect(await records('outbox')).toHaveLength(1);
    const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy', persist: 'all' });
    const controller = new Controller({ plugins: [plugin] });
    controller.set(Fragile, { id: 'f1' }, { id: 'f1', title: 'Peat' });
    throws = true;
    await controller.ready;
    throws = false;
    expect(reported.mock.calls).toEqual([[new TypeError('of the app')]]);
    reported.mockRestore();
    expect(controller.getResponse(getFragile).data?.map(({ title }) => title)).toEqual(['Peat']);
    expect((await controller.fetchIfStale(getFragile)).map(({ title }) => title)).toEqual(['Peat']);
    expect(requests).toEqual(['getFragile']);
    await controller.stop();
  });
});

describe('a row on screen that cannot be stored', () => {
  const wrong = { id: 'i3', title: (): string => 'a function', author: ann };
  const getWrong = new Endpoint(() => Promise.resolve(wrong), {
    name: 'getWrong',
    schema: Issue,
    dataExpiryLength: Infinity,
  });

  it.each([
    ['in the same flush', false],
    ['before', true],
  ])('keeps only its own read from the last screen (left out %s)', async (_, isBefore) => {
    const app = await openApp({ restore: 'lazy' });
    await app.controller.fetch(getWrong);
    app.controller.watch(getWrong, () => undefined);
    if (isBefore) await pause(100);
    await app.controller.fetch(getIssues);
    app.controller.watch(getIssues, () => undefined);
    await app.leave();
    expect(app.errors.map(({ code }) => code)).toEqual(['HF_ROW_NOT_CLONABLE']);
    expect(await titlesAtStart()).toEqual(AS_LEFT);
  });
});
