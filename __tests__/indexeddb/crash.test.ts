import 'fake-indexeddb/auto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, Mutations, type Commit, type SideRecords } from 'holdfast';
import type { Codec } from '../../plugins/indexeddb/records/Codec.ts';
import { decodeText } from 'holdfast';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { clearSiteData, closeConnections, holdOpening, loseRecord, tasks } from '../support/diskFaults.ts';
import { History, LISTS, type Model } from './crashHistory.ts';
import {
  getNotes,
  life,
  clearedBeforeAppended,
  clearedBeforeWritten,
  clearedWhileCompacting,
  closedWhileOpening,
  evictedUnread,
  invalidatedUnread,
  invalidatedWhenCleared,
  lostAndFound,
  lostOnLastScreen,
  lostRecordOfPlugin,
  recreatedDuringFlush,
  openedWhileFirstWritten,
  Note,
  remove,
  resetWhileFlushing,
  resetWhileOpening,
  setWhileFlushing,
  sideWhileFlushing,
  stoppedUnwritten,
  type Command,
  type Life,
} from './crashStories.ts';
import { PATIENT, Process } from './mortal.ts';
import { pause, records } from '../support/indexedDB.ts';
import { runs } from '../support/runs.ts';

const DATABASE = 'crash';

/** How many stories are tried; more of them look longer. */
const RUNS = runs(60);

/** A fault of the browser's, so many tasks later. */
type Fault = Extract<Command, { readonly type: 'fault' }>;

/** What the browser does to the database, and what may be gone by that. */
class Browser {
  readonly #history: History;
  readonly #underWay: Promise<void>[] = [];
  /** The names in the records that the browser has lost in this life. */
  readonly lostRecords = new Set<string>();
  /** Whether the app may be told of errors: records are lost, or the database. */
  mayTell = false;
  /** All other errors that the app received. */
  readonly told: Error[] = [];
  /** Whether the database is slow to open for the app that runs now, which may be told so. */
  isSlow = false;
  /** The app that runs now. */
  app: App | undefined;
  #release: () => void = () => undefined;

  constructor(history: History) {
    this.#history = history;
  }

  begin(fault: Fault): void {
    this.#underWay.push(tasks(fault.after).then(() => this.#befall(fault)));
  }

  /** The database does not open until `release` is called. */
  hold(): void {
    this.isSlow = true;
    this.#release = holdOpening(DATABASE);
  }

  /** The database opens at once from now on. */
  open(): void {
    this.#release();
    this.isSlow = false;
  }

  /** The database opens after so many tasks. */
  opensAfter(count: number): void {
    this.#underWay.push(tasks(count).then(() => this.#release()));
  }

  /** Waits for something, which may fail where something was lost, or the database does not open yet. */
  async unless(promise: Promise<unknown>, done?: () => void): Promise<void> {
    // While the database does not open, data is in memory only, and the app is notified. A database that is deleted and
    // does not open again in time is not known to be deleted.
    const { isSlow, app } = this;
    const isWritten = (): boolean =>
      !isSlow || (!this.mayTell && app?.plugin.status.get().state === 'working');
    const wasWritten = isWritten();
    try {
      await promise;
      if (wasWritten && isWritten()) done?.();
    } catch (error) {
      if (!this.mayTell && !this.isSlow) throw error;
    }
  }

  /** Waits for what is under way, also after the process that began it has died. */
  async settled(): Promise<void> {
    // Not removed: the process that waits here may die, and the next one must wait, too.
    await Promise.all(this.#underWay);
  }

  /** Another page reads everything. It lives on if the one that began this dies. */
  async readElsewhere(settings: Settings): Promise<void> {
    const reading = onDisk('progressive', settings, this).then(() => undefined);
    this.#underWay.push(reading);
    await reading;
  }

  #befall({ kind, store, nth, ...closing }: Fault): void {
    const running = this.app?.isDead() === false ? this.app : undefined;
    // What is on disk when a database opens late is read when it is asked for.
    const isHeld = !this.isSlow && running?.hasRestored === true;
    if (kind === 'close') closeConnections(DATABASE, closing);
    else if (kind === 'clearSiteData') {
      if (!clearSiteData(DATABASE, closing)) return;
      this.mayTell = true;
      const written = [...(running?.written.keys() ?? [])];
      this.#history.vanish(running !== undefined, isHeld, written);
    } else {
      const lost = loseRecord(DATABASE, store, nth);
      if (lost === undefined) return;
      this.mayTell = true;
      for (const name of namesIn(store, lost)) this.lostRecords.add(name);
      // A plugin finds its lost records when it reads them, which the one here does not do again.
      this.#history.lose(namesIn(store, lost), isHeld && store !== 'outbox');
    }
  }
}

/** What a record holds, by the names of the model. */
function namesIn(
  store: string,
  { key, value }: { readonly key: IDBValidKey; readonly value: unknown },
): string[] {
  if (store === 'outbox') return [`side ${String((key as string[])[1])}`]; // plugin and key
  const record = (value instanceof Uint8Array ? decodeText(decoded(value)) : value) as
    | {
        readonly pk?: readonly string[];
        readonly rows?: { readonly pk: readonly string[] };
        readonly results?: readonly { readonly key: string }[];
        readonly key?: string;
      }
    | undefined
    | false; // a shard, a batch, a result, or what takes the place of one that was lost
  if (!record) return [];
  const keys = [...(record.results ?? []), record].flatMap((result) => result.key ?? []);
  return [
    ...[...(record.pk ?? []), ...(record.rows?.pk ?? [])].map((pk) => `Note ${pk}`),
    ...LISTS.filter((list) => keys.includes(getNotes.key({ list }))).map((list) => `list ${list}`),
  ];
}

/** The plugin, in whose commits the test puts records of another one, as an outbox does. */
class WithSide extends IndexedDBPluginImpl {
  next: SideRecords | undefined;

  override commit(commit: Commit): void {
    const { next } = this;
    this.next = undefined;
    super.commit(next === undefined ? commit : { ...commit, side: { outbox: next } });
  }
}

/** Only these names of a model. */
function pick(model: Model, names: readonly string[]): Model {
  return Object.fromEntries(names.map((name) => [name, model[name]]));
}

function row(value: object | undefined): unknown {
  return value === undefined ? 'deleted' : Object.fromEntries(Object.entries(value).sort());
}

let written = 0;

/** Runs one command, and says in the model what it does. */
async function run(command: Command, app: App, history: History, browser: Browser): Promise<void> {
  const { controller, plugin, version } = app;
  const value = ++written;
  const merged = (pk: string, fields: object): Model => {
    const before = history.now[`Note ${pk}`];
    return {
      [`Note ${pk}`]: row({
        ...(before === 'deleted' ? {} : (before as object)),
        id: pk,
        version,
        ...fields,
      }),
    };
  };
  switch (command.type) {
    case 'side':
      plugin.next = [[command.entry, command.deletes ? undefined : value]];
      app.written.set(command.entry, command.deletes ? undefined : value);
      history.add({
        ...merged(command.pk, { title: value }),
        [`side ${command.entry}`]: command.deletes ? undefined : value,
      });
      controller.set(Note, { id: command.pk }, { id: command.pk, version, title: value });
      return;
    case 'set':
      history.add(merged(command.pk, { [command.field]: value }));
      controller.set(Note, { id: command.pk }, { id: command.pk, version, [command.field]: value });
      return;
    case 'respond': {
      const rows = command.pks.map((pk) => merged(pk, { title: value }));
      history.add(Object.assign({ [`list ${command.list}`]: { pks: command.pks } }, ...rows) as Model); // of models
      const response = command.pks.map((id) => ({ id, version, title: value }));
      controller.setResponse(getNotes, { list: command.list }, response);
      return;
    }
    case 'remove':
      history.add({ [`Note ${command.pk}`]: 'deleted' });
      await controller.fetch(remove, { id: command.pk });
      return;
    case 'invalidate': {
      const name = `list ${command.list}`;
      // Before all is restored, this would only reach what has been.
      await controller.restored;
      history.add({ [name]: { ...(history.now[name] as object | undefined), invalidated: true } }); // a list
      controller.invalidate(getNotes, { list: command.list });
      return;
    }
    case 'flush': {
      const isDurable = history.promise();
      await browser.unless(controller.flush(), () => {
        isDurable();
        history.rewritten();
      });
      return;
    }
    case 'beginFlush': {
      const isDurable = history.promise();
      void browser.unless(controller.flush(), isDurable);
      return;
    }
    case 'hide': {
      const isDurable = history.promise();
      app.plugin.leave();
      void browser.unless(controller.flush(), isDurable);
      return;
    }
    case 'idle':
      await browser.unless(controller.flush());
      await pause(25);
      return;
    case 'reset': {
      history.clear();
      const isDurable = history.promise();
      await browser.unless(controller.reset(), () => {
        isDurable();
        history.cleared();
      });
      return;
    }
    case 'fault':
      browser.begin(command);
      return;
    case 'find': {
      await browser.settled();
      // Reading everything detects unreadable records. The app writes them again from memory.
      await browser.readElsewhere(app.settings);
      for (const list of LISTS) controller.getResponse(getNotes, { list });
      await browser.unless(controller.catchUp());
      await browser.unless(controller.flush(), () => {
        history.rescued();
        history.rewritten();
      });
    }
  }
}

interface App {
  readonly controller: Controller;
  readonly plugin: WithSide;
  /** The version of the app. */
  readonly version: number;
  readonly settings: Settings;
  /** The records of the other plugin that this process has written. */
  readonly written: Map<string, unknown>;
  readonly isDead: () => boolean;
  /** Whether memory holds all that was on disk: a restore also ends when the app stops. */
  hasRestored: boolean;
  isStopping: boolean;
}

/** What all processes of one version of the app have in common. */
interface Shared {
  readonly version: number;
  readonly hasCodec: boolean;
}

interface Settings extends Shared {
  readonly now: number;
  readonly maxRows: number;
}

/** Takes its time, as one that encrypts does. */
const codec: Codec = {
  encode: async (record) => new TextEncoder().encode(record).map((byte) => byte ^ 0xff),
  decode: async (bytes) => decoded(bytes),
};

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(new Uint8Array(bytes).map((byte) => byte ^ 0xff));
}

function start(
  process: Process,
  settings: Settings,
  browser: Browser,
  restore: 'progressive' | 'lazy' = 'progressive',
): App {
  const { now, version, hasCodec, maxRows } = settings;
  const plugin = new WithSide(
    {
      name: DATABASE,
      persist: 'all',
      restore,
      version,
      maxRows,
      ...(hasCodec ? { codec } : {}),
      migrate: { Note: (note) => ({ ...note, version }) },
      onError: (error) => {
        if (!(browser.mayTell || browser.isSlow) || error.code !== 'HF_STORAGE') browser.told.push(error);
      },
    },
    { storage: process.storage, compactAt: { records: 3, rows: 8 } },
  );
  const written = new Map<string, unknown>();
  const controller: Controller = new Controller({
    plugins: [
      plugin,
      {
        name: 'outbox',
        syncRecords: async (cause) => {
          if (cause === 'lost')
            new Mutations(controller).commit({ origin: 'outbox', side: { outbox: [...written] } });
        },
        reset: () => {
          written.clear();
          return Promise.resolve();
        },
      },
    ],
    now: () => now,
  });
  const isDead = (): boolean => process.isDead;
  const app: App = {
    plugin,
    version,
    controller,
    settings,
    written,
    isDead,
    hasRestored: false,
    isStopping: false,
  };
  void plugin.restored.then(() => (app.hasRestored = !app.isStopping));
  return app;
}

async function live(
  { now, isPatient, isShown, opensAfter, commands, maxRows }: Life,
  process: Process,
  history: History,
  browser: Browser,
  shared: Shared,
): Promise<void> {
  if (opensAfter > 0) browser.hold();
  const app = start(process, { ...shared, now, maxRows }, browser);
  browser.app = app;
  if (isShown) for (const list of LISTS) app.controller.watch(getNotes, { list }, () => undefined);
  await app.controller.ready;
  if (opensAfter > 0) browser.opensAfter(opensAfter);
  if (isPatient) await app.controller.restored;
  for (const command of commands) {
    if (process.isDead) return;
    await run(command, app, history, browser);
  }
  if (process.isDead) return;
  const isDurable = history.promise();
  app.isStopping = true;
  await browser.unless(app.controller.stop(), () => {
    isDurable();
    history.rewritten();
  });
}

/** What the disk holds, as a process that starts now restores it, or as it reads it. */
async function onDisk(restore: 'progressive' | 'lazy', shared: Shared, browser: Browser): Promise<Model> {
  const { controller, plugin } = start(
    new Process(new IdbStorage(DATABASE, PATIENT), Infinity),
    { ...shared, now: 0, maxRows: Infinity },
    browser,
    restore,
  );
  await controller.restored;
  if (restore === 'lazy') {
    const results = LISTS.map((list) => getNotes.key({ list }));
    const found = await plugin.restore({ tables: ['Note'], results });
    if (found !== undefined) controller.apply(found, { origin: plugin.name, type: 'restore' });
  }
  const state = controller.getState();
  const model: Record<string, unknown> = {};
  for (const [pk, { value }] of state.tables['Note']?.entries() ?? []) model[`Note ${pk}`] = row(value);
  for (const list of LISTS) {
    const result = state.results.get(getNotes.key({ list }));
    if (result === undefined) continue;
    const { value: pks, invalidated } = result;
    model[`list ${list}`] = { pks, ...(invalidated === true ? { invalidated } : {}) };
  }
  for (const [key, record] of await plugin.side('outbox')) model[`side ${key}`] = record;
  await controller.stop();
  return model;
}

/** A clock of which each look at it takes so many ms: on a busy machine, work yields to others after every step. */
class Clock {
  perLook = 0;
  #added = 0;
  readonly #real = performance.now.bind(performance);

  readonly now = (): number => this.#real() + (this.#added += this.perLook);
}

describe('a process that dies', () => {
  const clock = new Clock();
  beforeAll(() => void Object.assign(performance, { now: clock.now }));
  afterAll(() => void Reflect.deleteProperty(performance, 'now'));

  // There is idle time whenever nothing else is to be done.
  beforeAll(
    () => void Object.assign(globalThis, { requestIdleCallback: (run: () => void) => setTimeout(run) }),
  );
  afterAll(() => void Reflect.deleteProperty(globalThis, 'requestIdleCallback'));

  it(
    'a crash leaves a state that was in memory, not older than the last flush',
    async () => {
      let deaths = 0;
      let evictions = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(life, { minLength: 1, maxLength: 5 }),
          fc.boolean(),
          fc.boolean(),
          async (lives, hasCodec, isBusy) => {
            clock.perLook = isBusy ? 5 : 0;
            globalThis.indexedDB = new IDBFactory();
            const history = new History();
            const browser = new Browser(history);
            let version = 1;
            let mayLack = false;
            let latest = 0;
            for (const each of lives) {
              // What is done before a database opens has the time of the clock, which knows nothing of the disk: if it
              // was put back, what is on disk counts as newer.
              const life = each.opensAfter > 0 ? { ...each, now: Math.max(each.now, latest + 1_000) } : each;
              latest = Math.max(latest, life.now);
              if (life.isUpdate) history.update((version += 1));
              const shared = { version, hasCodec };
              const openWithin = life.opensAfter > 0 ? 1 : PATIENT;
              const process = new Process(new IdbStorage(DATABASE, openWithin), life.steps);
              await Promise.race([live(life, process, history, browser, shared), process.death]);
              if (process.isDead) deaths += 1;
              process.kill();
              await browser.settled();
              browser.open();
              const read = await onDisk('lazy', shared, browser);
              const again = await onDisk('progressive', shared, browser);
              // The last screen may still contain what the browser has lost, until a page detects the loss.
              const gone = Object.keys(read).filter(
                (name) => browser.lostRecords.has(name) && !(name in again),
              );
              browser.lostRecords.clear();
              expect({ ...again, ...pick(read, gone) }).toEqual(read);
              mayLack ||= life.maxRows < Infinity;
              // A row that only the disk holds is evicted whole; what is set of it later is all that is left.
              const mayLackFields = life.opensAfter > 0 && life.maxRows < Infinity;
              history.found(read, mayLack, mayLackFields);
              history.lose(gone, false);
              history.found(again, mayLack);
              expect(browser.told).toEqual([]);
              const metas = (await records('meta', DATABASE)) as { evictions?: number }[];
              evictions += metas.some(({ evictions = 0 }) => evictions > 0) ? 1 : 0;
            }
          },
        ),
        {
          numRuns: RUNS,
          examples: [
            [resetWhileFlushing, true, false],
            [resetWhileOpening, false, false],
            [setWhileFlushing, false, false],
            [sideWhileFlushing, true, false],
            [recreatedDuringFlush, false, false],
            [openedWhileFirstWritten, true, false],
            [clearedBeforeWritten, false, false],
            [clearedBeforeAppended, true, false],
            [invalidatedWhenCleared, false, false],
            [lostAndFound, false, false],
            [evictedUnread, false, false],
            [lostRecordOfPlugin, false, false],
            [invalidatedUnread, false, false],
            [stoppedUnwritten, false, false],
            [clearedWhileCompacting, false, true],
            [closedWhileOpening, false, false],
            [lostOnLastScreen, false, false],
          ],
        },
      );
      expect(deaths).toBeGreaterThan(RUNS / 3);
      expect(evictions).toBeGreaterThan(0);
    },
    Math.max(120_000, RUNS * 500),
  );
});
