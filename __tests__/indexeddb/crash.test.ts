import 'fake-indexeddb/auto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, Delete, Endpoint, Entity, type Commit, type SideRecords } from 'holdfast';
import type { Codec } from '../../plugins/indexeddb/Codec.ts';
import { IdbStorage } from '../../plugins/indexeddb/IdbStorage.ts';
import { Persistence } from '../../plugins/indexeddb/Persistence.ts';
import { PATIENT, Process } from './mortal.ts';
import { pause, records } from './support.ts';
import { runs } from '../support/runs.ts';

const DATABASE = 'crash';

/** How many stories are tried; more of them look longer. */
const RUNS = runs(120);

class Note extends Entity {
  id = '';
  version = 0;
  title = 0;
  body = 0;
  static override key = 'Note';
}
const getNotes = new Endpoint(async ({ list }: { list: string }): Promise<unknown> => list, {
  name: 'getNotes',
  schema: [Note],
  dataExpiryLength: Infinity,
});
const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'remove',
  schema: new Delete(Note),
  sideEffect: true,
});

/** What is stored, by name: notes, lists and records of another plugin. Immutable. */
type Model = Readonly<Record<string, unknown>>;

const PKS = ['a', 'b', 'c', 'd', '__proto__'];
const LISTS = ['x', 'y'];

const pk = fc.constantFrom(...PKS);
const list = fc.constantFrom(...LISTS);
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), pk, field: fc.constantFrom('title', 'body') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('respond' as const), list, pks: fc.uniqueArray(pk) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), pk }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('invalidate' as const), list }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('side' as const), pk, entry: fc.constantFrom('e1', 'e2'), deletes: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('flush' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('beginFlush' as const) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('idle' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const) }) },
); // prettier-ignore
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

const life = fc.record({
  /** How many steps of its storage the process lives; if more than it takes, it is left in peace. */
  steps: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(Infinity)),
  /** Whether the app was updated before it, and its rows have another shape since. */
  isUpdate: fc.boolean(),
  /** How many rows are too many for it: what is too much goes. */
  maxRows: fc.constantFrom(Infinity, 2),
  /** Its clock, in ms: it may have been put back since the last one. */
  now: fc.integer({ min: 1_000_000, max: 2_000_000 }),
  /** Whether it does anything before all is restored. */
  isPatient: fc.boolean(),
  commands: fc.array(command, { maxLength: 8 }),
});
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

/** A life of a process with all the rest at its simplest. */
const simple = { isUpdate: false, maxRows: Infinity, now: 1_000_000, isPatient: false };

/** Dies as it empties the disk, which makes a flush that has begun needless. */
const resetWhileFlushing: Life[] = [
  { ...simple, steps: 16, commands: [{ type: 'respond', list: 'x', pks: ['a'] }] },
  {
    ...simple,
    steps: 38,
    commands: [{ type: 'invalidate', list: 'x' }, { type: 'beginFlush' }, { type: 'reset' }],
  },
];

/** Changes a row that is not restored yet in the moment in which a flush has met the disk, and is about to write. */
const setWhileFlushing: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'set', pk: 'c', field: 'body' }] },
  {
    ...simple,
    steps: 9,
    commands: [
      { type: 'beginFlush' },
      { type: 'respond', list: 'x', pks: [] },
      { type: 'beginFlush' },
      { type: 'side', pk: 'c', entry: 'e1', deletes: false },
    ],
  },
];

/** Changes a row and a record together in the moment in which a flush has met the disk, which may write neither. */
const sideWhileFlushing: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'invalidate', list: 'x' }] },
  {
    ...simple,
    steps: 31,
    commands: [
      { type: 'idle' },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { type: 'respond', list: 'x', pks: [] },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
    ],
  },
];

/** Deletes a row and makes it anew in the moment in which a flush has met the disk: no deleted field may come back. */
const madeAnewWhileFlushing: Life[] = [
  {
    ...simple,
    steps: 15,
    commands: [
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { type: 'respond', list: 'x', pks: ['b'] },
      { type: 'remove', pk: 'b' },
      { type: 'set', pk: 'b', field: 'body' },
    ],
  },
  { ...simple, steps: Infinity, commands: [] },
];

/** The plugin, in whose commits the test puts records of another one, as an outbox does. */
class WithSide extends Persistence {
  next: SideRecords | undefined;

  override commit(commit: Commit): void {
    const { next } = this;
    this.next = undefined;
    super.commit(next === undefined ? commit : { ...commit, side: { outbox: next } });
  }
}

/** Every state that memory has had since the last that is known to be on disk. The disk has to hold one of them. */
class History {
  #states: Model[] = [{}];
  #durable = 0;

  get now(): Model {
    return this.#states.at(-1) ?? {};
  }

  add(change: Model): void {
    this.#states.push({ ...this.now, ...change });
  }

  /** Every row is read as one of this version of the app. */
  update(version: number): void {
    this.#states = this.#states.map((state) =>
      Object.fromEntries(
        Object.entries(state).map(([name, value]) => [
          name,
          name.startsWith('Note') && value !== 'deleted' ? { ...(value as object), version } : value, // a note
        ]),
      ),
    );
  }

  clear(): void {
    this.#states.push({});
  }

  /** Call what it returns when all of what is now is durable. */
  promise(): () => void {
    const place = this.#states.length - 1;
    const states = this.#states;
    return () => {
      if (states === this.#states) this.#durable = Math.max(this.#durable, place);
    };
  }

  /**
   * Takes note of what the disk turned out to hold.
   *
   * @param mayLack - whether something may have been evicted
   */
  found(model: Model, mayLack: boolean): void {
    const states = this.#states.slice(this.#durable);
    const possible = mayLack
      ? states.filter((state) => isEvictedFrom(model, state)).map(() => text(model))
      : states.map(text);
    expect({ states, possible }).toEqual({ states, possible: expect.arrayContaining([text(model)]) });
    this.#states = [model];
    this.#durable = 0;
  }
}

/** Whether a state lacks nothing of another but lists, and rows that no list names; and no row that it has is another. */
function isEvictedFrom(model: Model, state: Model): boolean {
  // One that is invalidated is asked for again before it is shown, and with it its rows.
  const listed = LISTS.flatMap((list) => {
    const found = model[`list ${list}`] as { pks?: string[]; invalidated?: boolean } | undefined; // as `onDisk` made it
    return found?.invalidated === true ? [] : (found?.pks ?? []);
  });
  return Object.keys({ ...state, ...model }).every((name) => {
    if (JSON.stringify(model[name]) === JSON.stringify(state[name])) return true;
    const mayGo = name.startsWith('list ') || (name.startsWith('Note ') && state[name] !== 'deleted');
    return model[name] === undefined && mayGo && !listed.includes(name.slice('Note '.length));
  });
}

/** Leaves out what is not there: a model says undefined of it. */
function text(model: Model): string {
  const entries = Object.entries(model).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function row(value: object | undefined): unknown {
  return value === undefined ? 'deleted' : Object.fromEntries(Object.entries(value).sort());
}

let written = 0;

/** Runs one command, and says in the model what it does. */
async function run(command: Command, { controller, plugin, version }: App, history: History): Promise<void> {
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
      await controller.flush();
      isDurable();
      return;
    }
    case 'beginFlush': {
      const isDurable = history.promise();
      void controller.flush().then(isDurable);
      return;
    }
    case 'idle':
      await controller.flush();
      await pause(25);
      return;
    case 'reset': {
      history.clear();
      const isDurable = history.promise();
      await controller.reset();
      isDurable();
    }
  }
}

interface App {
  readonly controller: Controller;
  readonly plugin: WithSide;
  /** The version of the app. */
  readonly version: number;
}

interface Settings {
  readonly now: number;
  readonly version: number;
  readonly hasCodec: boolean;
  readonly maxRows: number;
}

/** Takes its time, as one that encrypts does. */
const codec: Codec = {
  encode: async (record) => new TextEncoder().encode(record).map((byte) => byte ^ 0xff),
  decode: async (bytes) => new TextDecoder().decode(new Uint8Array(bytes).map((byte) => byte ^ 0xff)),
};

function start(
  process: Process,
  { now, version, hasCodec, maxRows }: Settings,
  restore: 'progressive' | 'lazy' = 'progressive',
): App {
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
        throw error;
      },
    },
    { storage: process.storage, foldAt: { records: 3, rows: 8 } },
  );
  return { plugin, version, controller: new Controller({ plugins: [plugin], now: () => now }) };
}

async function live(
  { now, isPatient, commands, maxRows }: Life,
  process: Process,
  history: History,
  { version, hasCodec }: { readonly version: number; readonly hasCodec: boolean },
): Promise<void> {
  const app = start(process, { now, version, hasCodec, maxRows });
  await app.controller.ready;
  if (isPatient) await app.controller.restored;
  for (const command of commands) {
    if (process.isDead) return;
    await run(command, app, history);
  }
  const isDurable = history.promise();
  await app.controller.stop();
  isDurable();
}

/** What the disk holds, as a process that starts now restores it, or as it reads it. */
async function onDisk(
  restore: 'progressive' | 'lazy',
  { version, hasCodec }: { readonly version: number; readonly hasCodec: boolean },
): Promise<Model> {
  const { controller, plugin } = start(
    new Process(new IdbStorage(DATABASE, PATIENT), Infinity),
    { now: 0, version, hasCodec, maxRows: Infinity },
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

describe('a process that dies', () => {
  // There is idle time whenever nothing else is to be done.
  beforeAll(
    () => void Object.assign(globalThis, { requestIdleCallback: (run: () => void) => setTimeout(run) }),
  );
  afterAll(() => void Reflect.deleteProperty(globalThis, 'requestIdleCallback'));

  it(
    'leaves a state that was in memory, not older than the last flush',
    async () => {
      let deaths = 0;
      let evictions = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(life, { minLength: 1, maxLength: 5 }),
          fc.boolean(),
          async (lives, hasCodec) => {
            globalThis.indexedDB = new IDBFactory();
            const history = new History();
            let version = 1;
            let mayLack = false;
            for (const life of lives) {
              if (life.isUpdate) history.update((version += 1));
              const process = new Process(new IdbStorage(DATABASE, PATIENT), life.steps);
              await Promise.race([live(life, process, history, { version, hasCodec }), process.death]);
              if (process.isDead) deaths += 1;
              process.kill();
              const read = await onDisk('lazy', { version, hasCodec });
              expect(await onDisk('progressive', { version, hasCodec })).toEqual(read);
              mayLack ||= life.maxRows < Infinity;
              history.found(read, mayLack);
              const metas = (await records('meta', DATABASE)) as { evictions?: number }[];
              evictions += metas.some(({ evictions = 0 }) => evictions > 0) ? 1 : 0;
            }
          },
        ),
        {
          numRuns: RUNS,
          examples: [
            [resetWhileFlushing, true],
            [setWhileFlushing, false],
            [sideWhileFlushing, true],
            [madeAnewWhileFlushing, false],
          ],
        },
      );
      expect(deaths).toBeGreaterThan(50);
      expect(evictions).toBeGreaterThan(0);
    },
    Math.max(120_000, RUNS * 500),
  );
});
