import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { Controller, Endpoint, Entity, type HoldfastError } from 'holdfast';
import type { LogSize } from '../../plugins/indexeddb/writing/WriteAheadLog.ts';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import {
  clearSiteData,
  closeConnections,
  holdOpening,
  loseRecord,
  tasks,
  type Closing,
} from '../support/diskFaults.ts';
import { CountingStorage } from './storage/CountingStorage.ts';
import { PATIENT, Process } from './mortal.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
} from '../support/indexedDB.ts';
import { Model } from './twoTabsModel.ts';
import { runs } from '../support/runs.ts';
import { User } from '../support/entities.ts';

freshIndexedDB();

/** How many stories are tried; more of them look longer. */
const RUNS = runs(60);

class Note extends Entity {
  id = '';
  title = 0;
  body = 0;
  static override key = 'Note';
}
const getNotes = new Endpoint(async (): Promise<unknown> => undefined, {
  name: 'getNotes',
  schema: [Note],
  dataExpiryLength: Infinity,
});

const pk = fc.constantFrom('a', 'b', 'c', '__proto__');
const tab = fc.constantFrom(0 as const, 1 as const);
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), tab, pk, field: fc.constantFrom('title', 'body') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('respond' as const), tab, pks: fc.uniqueArray(pk) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('flush' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('flushBoth' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('idle' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('catchUp' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hide' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('kill' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('slowReopen' as const), tab, pk, field: fc.constantFrom('title', 'body') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('clearSiteData' as const), isWritten: fc.boolean(), isSilent: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('lose' as const), store: fc.constantFrom('log', 'shards', 'results'), nth: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('close' as const), after: fc.nat(20), isWritten: fc.boolean(), isSilent: fc.boolean() }) },
); // oxfmt-ignore
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** A list that was seen by a tab that held none is of no interest once it holds a newer one. */
const LIST_SEEN_BY_ONE_WITHOUT: Command[] = [
  { type: 'respond', tab: 1, pks: ['a'] },
  { type: 'idle' },
  { type: 'respond', tab: 0, pks: [] },
  { type: 'catchUp', tab: 0 },
];

/** The first tab has read what the disk has of both rows before the second one writes them, and is second itself. */
const READ_BEFORE_THE_OTHER_WROTE: Command[] = [
  { type: 'set', tab: 0, pk: 'b', field: 'body' },
  { type: 'set', tab: 1, pk: 'a', field: 'title' },
  { type: 'flushBoth' },
  { type: 'set', tab: 0, pk: 'b', field: 'body' },
  { type: 'respond', tab: 1, pks: ['a', 'b'] },
  { type: 'set', tab: 0, pk: 'a', field: 'body' },
];

/** The only record of a row and a list, which one tab alone holds, is lost. */
const LOST_WITH_A_LIST: Command[] = [
  { type: 'respond', tab: 0, pks: ['a', 'b'] },
  { type: 'flush', tab: 0 },
  { type: 'lose', store: 'log', nth: 0 },
  { type: 'set', tab: 1, pk: 'a', field: 'body' },
];

/** The browser closes the connection while what it has lost is deleted. */
const CLOSED_WHILE_MENDED: Command[] = [
  { type: 'set', tab: 0, pk: 'a', field: 'title' },
  { type: 'set', tab: 1, pk: 'a', field: 'body' },
  { type: 'idle' },
  { type: 'close', after: 14, isWritten: false, isSilent: false },
  { type: 'lose', store: 'shards', nth: 2 },
  { type: 'flushBoth' },
];

interface Tab {
  readonly controller: Controller;
  readonly plugin: IndexedDBPluginImpl;
  readonly process: Process;
}

/** The only record of a row is lost, which one tab holds with a change that is not written. */
const LOST_WITH_A_CHANGE: Command[] = [
  { type: 'respond', tab: 0, pks: [] },
  { type: 'set', tab: 1, pk: '__proto__', field: 'body' },
  { type: 'idle' },
  { type: 'set', tab: 1, pk: '__proto__', field: 'body' },
  { type: 'respond', tab: 0, pks: ['__proto__'] },
  { type: 'lose', store: 'shards', nth: 0 },
];

/** The browser deletes what a tab has read whose database opened slowly. */
const CLEARED_AFTER_SLOW_OPEN: Command[] = [
  { type: 'respond', tab: 1, pks: [] },
  { type: 'flush', tab: 1 },
  { type: 'slowReopen', tab: 1, pk: 'a', field: 'title' },
  { type: 'clearSiteData', isWritten: false, isSilent: false },
];

/** The browser deletes the database, and closes the connection again while a flush opens it. */
const CLOSED_AFTER_CLEARING: Command[] = [
  { type: 'set', tab: 0, pk: 'a', field: 'title' },
  { type: 'idle' },
  { type: 'close', after: 4, isWritten: false, isSilent: false },
  { type: 'clearSiteData', isWritten: false, isSilent: false },
  { type: 'kill', tab: 0 },
];

/** A tab that has yet to write its newer list reads the one that the other tab writes again. */
const WRITTEN_AGAIN_BEFORE_ITS_OWN: Command[] = [
  { type: 'respond', tab: 0, pks: ['c', '__proto__', 'b'] },
  { type: 'set', tab: 0, pk: 'a', field: 'title' },
  { type: 'idle' },
  { type: 'respond', tab: 1, pks: [] },
  { type: 'lose', store: 'shards', nth: 0 },
];

/** Rows are lost while both tabs have yet to write a newer list: the tab that finds the loss writes the older one again. */
const REWRITTEN_BEFORE_BOTH: Command[] = [
  { type: 'respond', tab: 0, pks: ['a', 'c', 'b'] },
  { type: 'set', tab: 0, pk: '__proto__', field: 'title' },
  { type: 'idle' },
  { type: 'respond', tab: 0, pks: [] },
  { type: 'respond', tab: 1, pks: [] },
  { type: 'lose', store: 'shards', nth: 0 },
];

/** The record that one tab has written is lost while the other one has a field of the same row to write. */
const LOST_BEFORE_MERGED: Command[] = [
  { type: 'set', tab: 0, pk: 'a', field: 'body' },
  { type: 'respond', tab: 1, pks: ['a'] },
  { type: 'flush', tab: 1 },
  { type: 'lose', store: 'log', nth: 0 },
];

/** The record of the newest list is lost. An older one, which another tab has written later, names a row that is left. */
const LOST_LIST: Command[] = [
  { type: 'respond', tab: 1, pks: ['c'] },
  { type: 'set', tab: 0, pk: 'a', field: 'title' },
  { type: 'flush', tab: 0 },
  { type: 'respond', tab: 0, pks: [] },
  { type: 'flush', tab: 0 },
  { type: 'flush', tab: 1 },
  { type: 'lose', store: 'log', nth: 1 },
];

/** A list is on screen when its tab is hidden. */
const HIDDEN: Command[] = [
  { type: 'respond', tab: 0, pks: ['a', 'b'] },
  { type: 'hide', tab: 0 },
];

const KILL: Command = { type: 'kill', tab: 0 };

/** What the other tab does before the hidden one is opened again. */
const LAST_SCREENS: Command[][] = [
  [],
  [
    { type: 'set', tab: 1, pk: 'a', field: 'title' },
    { type: 'flush', tab: 1 },
  ],
  [
    { type: 'respond', tab: 1, pks: ['b', 'c'] },
    { type: 'flush', tab: 1 },
  ],
  [{ type: 'set', tab: 1, pk: 'a', field: 'body' }, { type: 'idle' }],
];

/** How long a tab waits for a database that is slow to open, in ms. */
const BRIEF = 25;

/** Two tabs that have idle time when the test says so. */
class Tabs {
  readonly #idle: (() => void)[] = [];
  readonly #tabs: [Tab, Tab];
  readonly #faults: Promise<void>[] = [];
  /** Whether the app may be told that the disk has lost something. */
  #mayTell = false;
  /** Whether one of the tabs waits for its database for a moment only. */
  #isBrief = false;
  now = 1_000;

  constructor() {
    Object.assign(globalThis, { requestIdleCallback: (run: () => void) => this.#idle.push(run) });
    this.#tabs = [this.#open(), this.#open()];
  }

  tab(index: 0 | 1): Controller {
    return this.#tabs[index].controller;
  }

  /**
   * The tab is gone without having written anything more; another one is opened.
   *
   * @returns the rows in memory when it is ready: those of the last screen
   */
  async reopen(index: 0 | 1): Promise<Record<string, unknown>> {
    this.#tabs[index].process.kill();
    this.#tabs[index] = this.#open();
    await this.tab(index).ready;
    const first = shown(this, index);
    await this.tab(index).restored;
    return first;
  }

  /** The page is hidden. */
  async hide(index: 0 | 1): Promise<void> {
    this.#tabs[index].plugin.leave();
    await this.flush(index);
  }

  /** Likewise, while the database is slow to open, and something is changed before it has. */
  async reopenSlowly(index: 0 | 1, change: (controller: Controller) => void): Promise<void> {
    this.#tabs[index].process.kill();
    const release = holdOpening(DATABASE);
    this.#mayTell = true;
    const tab = this.#open(BRIEF);
    this.#tabs[index] = tab;
    const { controller, plugin } = tab;
    await controller.ready;
    change(controller);
    release();
    while (plugin.status.get().state !== 'working') await tasks(1);
    const found = await plugin.restore({ tables: ['Note'], results: [getNotes.key()] });
    if (found !== undefined) controller.apply(found, { origin: plugin.name, type: 'restore' });
  }

  /** The browser deletes the database. */
  clear(closing: Closing): boolean {
    const isCleared = clearSiteData(DATABASE, closing);
    if (isCleared) this.#mayTell = true;
    return isCleared;
  }

  flush(index: 0 | 1): Promise<void> {
    return this.#persist(() => this.tab(index).flush());
  }

  async catchUp(index: 0 | 1): Promise<void> {
    await this.#persist(() => this.tab(index).catchUp());
  }

  /** One that does not wait for long until its database opens tries again. */
  async #persist(run: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await run();
        return;
      } catch (error) {
        if (!this.#isBrief || attempt === 20) throw error;
        await tasks(5);
      }
    }
  }

  async idle(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      for (const run of this.#idle.splice(0)) run();
      await pause(2);
      // A flush waits for the fold before it.
      await Promise.all([this.flush(0), this.flush(1)]);
    }
  }

  /** A third tab reads everything, and comes upon what cannot be read. */
  async findLost(): Promise<void> {
    this.#mayTell = true;
    const { controller } = this.#open();
    await controller.restored;
    await controller.stop();
  }

  /** Something that is done to the database meanwhile. */
  begin(fault: Promise<void>): void {
    this.#faults.push(fault);
  }

  async stop(): Promise<unknown> {
    await Promise.all(this.#faults);
    Reflect.deleteProperty(globalThis, 'requestIdleCallback');
    return Promise.all(this.#tabs.map(({ controller }) => controller.stop()));
  }

  #told(error: HoldfastError): void {
    if (!this.#mayTell || error.code !== 'HF_STORAGE') fail(error);
  }

  #open(openWithin = PATIENT): Tab {
    if (openWithin === BRIEF) this.#isBrief = true;
    const process = new Process(new IdbStorage(DATABASE, openWithin), Infinity);
    const plugin = new IndexedDBPluginImpl(
      { name: DATABASE, persist: 'all', onError: (error) => this.#told(error) },
      { storage: process.storage, compactAt: { records: 2, rows: 4 } },
    );
    const controller = new Controller({ plugins: [plugin], now: () => this.now });
    // It is on screen.
    controller.watch(getNotes, () => undefined);
    return { process, plugin, controller };
  }
}

function fail(error: Error): never {
  throw error;
}

function shown(tabs: Tabs, index: 0 | 1): Record<string, unknown> {
  const rows = tabs.tab(index).getState().tables['Note'];
  return Object.fromEntries([...(rows?.entries() ?? [])].map(([pk, { value }]) => [pk, { ...value }]));
}

/** Both tabs write at once, and then hold what is on disk. Returns which of the ways it may have gone it went. */
async function flushBoth(tabs: Tabs, models: readonly [Model, ...Model[]]): Promise<Model> {
  await Promise.all([tabs.flush(0), tabs.flush(1)]);
  await Promise.all([tabs.catchUp(0), tabs.catchUp(1)]);
  const isThis = (way: Model): boolean =>
    way.tabs.every((memory, index) => isDeepStrictEqual(shown(tabs, index as 0 | 1), memory.shown)); // two tabs
  for (const model of models)
    for (const first of [0, 1] as const)
      for (const hasMet of [false, true])
        for (const hasRead of [false, true]) {
          // A row is newer or older as a whole: which of its fields are left depends on who held what of it, and was first.
          const way = new Model(model).flushBoth(first, hasMet, hasRead);
          if (isThis(way)) return way;
        }
  return new Model(models[0]).flushBoth(0, false);
}

/** A shard, a batch, a result, or what takes the place of one that was lost. */
type DiskRecord =
  | {
      readonly pk?: readonly string[];
      readonly rows?: { readonly pk: readonly string[] };
      readonly results?: readonly unknown[];
      readonly key?: string;
    }
  | undefined
  | false;

/** The rows that a record of the disk holds. */
function pksIn(record: DiskRecord): string[] {
  return record ? [...(record.pk ?? []), ...(record.rows?.pk ?? [])] : [];
}

/** Whether a record of the disk holds the list, which is the only result. */
function holdsList(record: DiskRecord): boolean {
  return record ? record.key !== undefined || (record.results ?? []).length > 0 : false;
}

/** Runs one command. Returns how things should be then. */
async function run(command: Command, tabs: Tabs, model: Model): Promise<Model> {
  const value = ++tabs.now;
  switch (command.type) {
    case 'set':
      model.tabs[command.tab].set(command.pk, value, { [command.field]: value });
      tabs.tab(command.tab).set(Note, { id: command.pk }, { id: command.pk, [command.field]: value });
      return model;
    case 'respond': {
      const { pks } = command;
      const memory = model.tabs[command.tab];
      for (const pk of pks) memory.set(pk, value, { title: value });
      memory.list = { order: value, pks };
      memory.isListPending = true;
      const response = pks.map((id) => ({ id, title: value }));
      tabs.tab(command.tab).setResponse(getNotes, response);
      return model;
    }
    case 'flush':
      model.flush(model.tabs[command.tab]);
      await tabs.flush(command.tab);
      return model;
    case 'flushBoth':
      return flushBoth(tabs, [model]);
    case 'idle': {
      const flushed = await run({ type: 'flushBoth' }, tabs, model);
      await tabs.idle();
      return flushed;
    }
    case 'catchUp':
      model.catchUp(model.tabs[command.tab]);
      await tabs.catchUp(command.tab);
      return model;
    case 'hide':
      model.flush(model.tabs[command.tab]);
      await tabs.hide(command.tab);
      return model;
    case 'kill':
      model.tabs[command.tab].startAnew(model);
      expect(model.stored).toMatchObject(await tabs.reopen(command.tab));
      return model;
    case 'slowReopen': {
      const { tab, pk, field } = command;
      model.tabs[tab].startAnew(model);
      model.tabs[tab].set(pk, value, { [field]: value });
      await tabs.reopenSlowly(tab, (controller) =>
        controller.set(Note, { id: pk }, { id: pk, [field]: value }),
      );
      return model;
    }
    case 'clearSiteData': {
      if (!tabs.clear(command)) return model;
      // What was on disk, one of them holds, and writes it again: a result once its endpoint is used.
      for (const index of [0, 1] as const) tabs.tab(index).getResponse(getNotes);
      model.vanish();
      return run({ type: 'flushBoth' }, tabs, model);
    }
    case 'lose': {
      const lost = loseRecord(DATABASE, command.store, command.nth);
      if (lost === undefined) return model;
      await tabs.findLost();
      // What was on disk, one of them holds, and writes it again when it looks. Nothing is lost.
      for (const index of [0, 1] as const) {
        tabs.tab(index).getResponse(getNotes);
        await tabs.catchUp(index);
      }
      const record = lost.value as DiskRecord; // as `loseRecord` has found it in one of the stores
      return flushBoth(tabs, model.without(pksIn(record), holdsList(record)));
    }
    case 'close':
      // The browser closes the connections, so many tasks later: whatever is under way then is done again.
      tabs.begin(tasks(command.after).then(() => closeConnections(DATABASE, command)));
      return model;
  }
}

describe('two tabs', () => {
  it(
    'two tabs lose no row and no field, and the newest write wins, however they write and compact',
    async () => {
      let compactions = 0;
      let lastScreens = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 20, size: 'max' }), async (commands) => {
          globalThis.indexedDB = new IDBFactory();
          const tabs = new Tabs();
          await Promise.all([tabs.tab(0).restored, tabs.tab(1).restored]);
          let model = new Model();
          for (const command of [...commands, { type: 'flushBoth' } as const])
            model = await run(command, tabs, model);

          for (const [index, memory] of model.tabs.entries())
            expect(shown(tabs, index as 0 | 1)).toEqual(memory.shown); // two tabs
          const first = await tabs.reopen(0);
          expect(model.stored).toMatchObject(first);
          lastScreens += Object.keys(first).length > 0 ? 1 : 0;
          expect(shown(tabs, 0)).toEqual(model.stored);
          const { results } = tabs.tab(0).getState();
          expect(results.get(getNotes.key())?.value).toEqual(model.list?.pks);
          await tabs.stop();
          compactions += (await records('shards')).length;
        }),
        {
          numRuns: RUNS,
          examples: [
            [WRITTEN_AGAIN_BEFORE_ITS_OWN],
            [LIST_SEEN_BY_ONE_WITHOUT],
            [READ_BEFORE_THE_OTHER_WROTE],
            [LOST_WITH_A_LIST],
            [CLOSED_WHILE_MENDED],
            [LOST_WITH_A_CHANGE],
            [CLEARED_AFTER_SLOW_OPEN],
            [CLOSED_AFTER_CLEARING],
            [LOST_LIST],
            ...Array.from({ length: 10 }, (): [Command[]] => [REWRITTEN_BEFORE_BOTH]),
            ...LAST_SCREENS.map((changes): [Command[]] => [[...HIDDEN, ...changes, KILL, KILL]]),
            ...Array.from({ length: 10 }, (): [Command[]] => [LOST_BEFORE_MERGED]),
          ],
        },
      );
      expect(compactions).toBeGreaterThan(5);
      expect(lastScreens).toBeGreaterThan(5);
    },
    Math.max(120_000, RUNS * 500),
  );

  it('two tabs keep the fields of a detail when one of them has a summary', async () => {
    const summary = answering('summary', [Article], [{ id: 'a1', title: 'one' }]);
    const detail = answering('detail', Article, { id: 'a1', title: 'one', body: 'long', author: { id: 'u1', name: 'Ann' } }); // oxfmt-ignore
    const first = await openApp();
    const second = await openApp();
    await second.controller.fetch(detail);
    await second.controller.flush();
    // This tab has seen the disk empty, and knows of no detail.
    await first.controller.fetch(summary);
    await first.controller.flush();
    expect(first.controller.get(Article, { id: 'a1' })).toMatchObject({
      body: 'long',
      author: { name: 'Ann' },
    });

    const third = await openApp();
    await third.controller.restored;
    expect(third.controller.get(Article, { id: 'a1' })).toMatchObject({
      body: 'long',
      author: { name: 'Ann' },
    });
    expect(third.controller.get(Article, { id: 'a1' })?.title).toBe('one');
  });

  it('a tab finds what the other one wrote and compacted in the meantime', async () => {
    const list = answering('list', [User], Array.from({ length: 1_100 }, (_, id) => ({ id: `u${id}`, name: 'Ann' }))); // oxfmt-ignore
    const open = (compactAt: LogSize): { controller: Controller } => {
      const plugin = new IndexedDBPluginImpl({ name: DATABASE, onError: fail }, { compactAt });
      return { controller: new Controller({ plugins: [plugin] }) };
    };
    const first = open({ records: Infinity, rows: Infinity });
    await first.controller.fetch(list);
    await first.controller.flush();
    const second = open({ records: 1, rows: 1 });
    await second.controller.restored;
    second.controller.set(User, { id: 'u7' }, { name: 'Bea' });
    await second.controller.flush();
    while ((await records('log')).length > 0) await pause(5); // until it is folded
    expect(first.controller.get(User, { id: 'u7' })?.name).toBe('Ann');
    expect(await first.controller.catchUp()).toBe(true);
    expect(first.controller.get(User, { id: 'u7' })?.name).toBe('Bea');
    // Nothing of that is written back.
    await first.controller.flush();
    expect(await records('log')).toEqual([]);
    await Promise.all([first, second].map(({ controller }) => controller.stop()));
  });

  it('a tab finds what the other one wrote with the next attempt if the first one fails', async () => {
    const stored = [{ id: 'n1' }];
    const list = getNotes.extend({ fetch: async () => [...stored] });
    const [first, second] = [await openApp(), await openApp()];
    await Promise.all([first.controller.restored, second.controller.restored]);
    await first.controller.fetch(list);
    await first.controller.flush();
    await second.controller.catchUp();
    expect(await second.controller.fetchIfStale(list)).toHaveLength(1);
    stored.push({ id: 'n2' });
    await first.controller.fetch(list);
    await first.controller.flush();
    const { get } = IDBObjectStore.prototype;
    const failing = jest.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      if (this.name === 'results') throw new DOMException('no', 'OperationError');
      return get.apply(this, args);
    });
    await expect(second.controller.catchUp()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    failing.mockRestore();
    expect(second.errors).toHaveLength(1);
    expect(await second.controller.catchUp()).toBe(true);
    expect(second.controller.getResponse(list).data).toHaveLength(2);
  });
});

describe('a tab whose clock is behind', () => {
  const ann = { id: 'u1', name: 'Ann' };

  /** Another tab, whose clock is ahead, writes a row. */
  async function writeAhead(compactAt: LogSize): Promise<void> {
    const storage = new CountingStorage(DATABASE);
    const compacted = storage.rewritten();
    const plugin = new IndexedDBPluginImpl({ name: DATABASE, persist: 'all' }, { storage, compactAt });
    const controller = new Controller({ plugins: [plugin], now: () => 100_000 });
    controller.set(User, ann, ann);
    await controller.flush();
    if (compactAt.records === 1) await compacted;
    await controller.stop();
  }

  it.each([
    ['logged', { records: Infinity, rows: Infinity }],
    ['compacted', { records: 1, rows: 1 }],
  ])('a tab whose clock is behind replaces what it has seen another tab write, %s', async (_how, size) => {
    const { controller } = await openApp({ restore: 'lazy', persist: 'all', now: () => 1_000 });
    await writeAhead(size);
    await controller.catchUp();
    controller.set(User, ann, { ...ann, name: 'Bea' });
    await controller.flush();
    expect(controller.get(User, ann)?.name).toBe('Bea');
    const next = await openApp();
    await next.controller.restored;
    expect(next.controller.get(User, ann)?.name).toBe('Bea');
  });
});

/** A storage that opens only when the test lets it. */
class SlowToOpen extends IdbStorage {
  letGo: () => void = () => undefined;
  readonly #isFree = new Promise<void>((resolve) => (this.letGo = resolve));

  override async open(): ReturnType<IdbStorage['open']> {
    await this.#isFree;
    return super.open();
  }
}

describe('a reset in another tab', () => {
  const secret = answering('secret', Article, {
    id: 'a1',
    title: 'secret',
    author: { id: 'u1', name: 'Ann' },
  });

  it.each(['read', 'write', 'catch up'] as const)(
    'a reset in another tab is detected at the next %s',
    async (occasion) => {
      const first = await openApp();
      await first.controller.fetch(secret);
      await first.controller.flush();
      const second = await openApp({ restore: 'lazy' });
      await second.controller.fetchIfStale(secret);
      await first.controller.reset();
      expect(second.controller.get(Article, { id: 'a1' })?.title).toBe('secret');

      if (occasion === 'read') {
        await second.plugin.restore({ results: [secret.key()] });
        await second.controller.flush();
      } else if (occasion === 'write') {
        second.controller.set(Article, { id: 'a1' }, { title: 'secret 2' });
        await expect(second.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
      } else {
        await second.controller.catchUp();
      }
      expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
      expect(second.controller.getState().results.size).toBe(0);
      expect(await records('log')).toEqual([]);
      expect(second.errors).toHaveLength(1);

      // Both go on from there.
      second.controller.set(User, { id: 'u2' }, { id: 'u2', name: 'Cid' });
      await second.controller.fetch(answering('next', User, { id: 'u3', name: 'Dee' }));
      await second.controller.flush();
      const third = await openApp();
      await third.controller.restored;
      expect(third.controller.get(User, { id: 'u3' })?.name).toBe('Dee');
      expect(third.controller.get(Article, { id: 'a1' })).toBeUndefined();
    },
  );

  it('a reset that this tab carries out before the tab that made it loses no later change', async () => {
    const first = await openApp();
    await first.controller.fetch(secret);
    await first.controller.flush();
    const second = await openApp();
    await second.controller.restored;
    const at = Date.now();
    const following = second.controller.reset({ origin: 'tabs', at });
    // What is on disk is still the old user's.
    expect(await second.plugin.restore({ tables: ['Article'] })).toBeUndefined();
    await following;
    expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
    expect((await openApp()).controller.get(Article, { id: 'a1' })).toBeUndefined();
    const next = answering('next', User, { id: 'u3', name: 'Dee' });
    await second.controller.fetch(next);
    await second.controller.flush();
    await first.plugin.reset!('app', 'discard', at);
    second.controller.set(User, { id: 'u3' }, { name: 'Eve' });
    await second.controller.flush();

    const third = await openApp();
    expect(await third.controller.fetchIfStale(next)).toMatchObject({ name: 'Eve' });
    expect(third.controller.get(Article, { id: 'a1' })).toBeUndefined();
    expect(second.errors).toEqual([]);
  });

  it('a tab that is notified of a reset after it has found it on disk reads the disk again', async () => {
    const first = await openApp();
    await first.controller.fetch(secret);
    await first.controller.flush();
    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetchIfStale(secret);
    const at = Date.now();
    await first.plugin.reset!('app', 'discard', at);
    await second.controller.catchUp();
    const next = answering('next', User, { id: 'u3', name: 'Dee' });
    await second.controller.fetch(next);
    await second.controller.flush();
    await second.controller.reset({ origin: 'tabs', at });
    expect(await second.controller.fetchIfStale(next)).toMatchObject({ name: 'Dee' });
    const found = await second.plugin.restore({ results: [next.key(), secret.key()] });
    expect(found?.results.map(([key]) => key)).toEqual([next.key()]);
  });

  it.each(['before', 'after'] as const)(
    'a tab that is notified of a reset before it has opened the disk reads it later, if the other tab carries it out %s that',
    async (when) => {
      const next = answering('next', User, { id: 'u3', name: 'Dee' });
      const first = await openApp();
      await first.controller.fetch(secret);
      await first.controller.flush();
      const at = Date.now();
      const resetFirst = async (): Promise<void> => {
        await first.plugin.reset!('app', 'discard', at);
        await first.controller.fetch(next);
        await first.controller.flush();
      };
      const storage = new SlowToOpen(DATABASE, PATIENT);
      const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy' }, { storage });
      const second = new Controller({ plugins: [plugin] });
      await pause();
      const following = second.reset({ origin: 'tabs', at });
      if (when === 'before') await resetFirst();
      storage.letGo();
      await following;
      if (when === 'after') await resetFirst();
      await second.catchUp();
      requests.length = 0;
      expect(await second.fetchIfStale(next)).toMatchObject({ name: 'Dee' });
      expect(requests).toEqual([]);
      await second.stop();
    },
  );

  it('a pending reset ends when the browser deletes the database', async () => {
    const first = await openApp();
    await first.controller.fetch(secret);
    await first.controller.flush();
    const second = await openApp({ restore: 'lazy' });
    await second.controller.restored;
    await second.controller.reset({ origin: 'tabs' });
    clearSiteData(DATABASE, { isWritten: false, isSilent: false });
    const next = answering('next', User, { id: 'u3', name: 'Dee' });
    await second.controller.fetch(next);
    await second.controller.flush();
    const found = await second.plugin.restore({ results: [next.key()] });
    expect(found?.results.map(([key]) => key)).toEqual([next.key()]);
  });

  it('a reset that is carried out on a database which the browser has deleted meanwhile is not followed twice', async () => {
    const former = await openApp();
    await former.controller.fetch(secret);
    await former.leave();
    // It has nothing in memory that it would write again.
    const first = await openApp({ restore: 'lazy' });
    const second = await openApp({ restore: 'lazy' });
    await second.controller.restored;
    const at = Date.now();
    await second.controller.reset({ origin: 'tabs', at });
    clearSiteData(DATABASE, { isWritten: false, isSilent: false });
    await second.controller.flush();
    await first.plugin.reset!('app', 'discard', at);
    const next = answering('next', User, { id: 'u3', name: 'Dee' });
    await second.controller.fetch(next);
    await second.controller.catchUp();
    expect(second.controller.getResponse(next).data).toMatchObject({ name: 'Dee' });
    await second.controller.flush();
    const third = await openApp();
    expect(await third.controller.fetchIfStale(next)).toMatchObject({ name: 'Dee' });
    await third.controller.restored;
    expect(third.controller.get(Article, { id: 'a1' })).toBeUndefined();
  });

  it.each([0, 1_000])(
    'a reset is noticed although the clock was set back to %i ms before an earlier one',
    async (back) => {
      const first = await openApp();
      const second = await openApp({ restore: 'lazy' });
      const at = Date.now();
      await first.plugin.reset!('app', 'discard', at);
      await second.controller.reset({ origin: 'tabs', at });
      await first.controller.fetch(secret);
      await first.controller.flush();
      await second.controller.fetchIfStale(secret);
      await first.plugin.reset!('app', 'discard', at - back);
      await second.controller.catchUp();
      expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
    },
  );
});
