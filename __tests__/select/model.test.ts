import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect, isDeepStrictEqual } from 'node:util';
import { Aggregate, Query, Select, type Controller } from 'holdfast';
import { runs } from '../support/runs.ts';
import {
  AssignedTask,
  asked,
  askedOfOneIndex,
  expected,
  manyTasks,
  optionsOf,
  passes,
  sourceOf,
  type Asked,
} from './modelTasks.ts';
import { opened, step, stored, turn, type Step, type Stored } from './modelWorld.ts';

const values = {
  n: 'count',
  sizes: { count: 'size' },
  sum: { sum: 'size' },
  mean: { avg: 'size' },
  least: { min: 'size' },
  most: { max: 'size' },
  first: { min: 'title' },
  last: { max: 'due' },
} as const;

function valuesOf(tasks: readonly AssignedTask[]): object {
  const sizes = tasks.flatMap(({ size }) => (size === null ? [] : [size]));
  const sum = sizes.reduce((total, size) => total + size, 0);
  return {
    n: tasks.length,
    sizes: sizes.length,
    sum,
    mean: sizes.length === 0 ? undefined : sum / sizes.length,
    least: sizes.length === 0 ? undefined : Math.min(...sizes),
    most: sizes.length === 0 ? undefined : Math.max(...sizes),
    first: tasks.map(({ title }) => title).sort()[0],
    last: tasks.length === 0 ? undefined : new Date(Math.max(...tasks.map(({ due }) => due.getTime()))),
  };
}

/** What a query gave: while nothing in it changes, it must be the same object (`===`). */
class Shown {
  #last: unknown;
  readonly #isEqual: (left: unknown, right: unknown) => boolean;
  /** A listener's error would be reported, but fail no test. */
  #violation: string | undefined;

  constructor(isEqual: (left: unknown, right: unknown) => boolean) {
    this.#isEqual = isEqual;
  }

  /** What was shown may have been collected. */
  forget(): void {
    this.#last = undefined;
  }

  /** Called with every value, also with those between two steps: a value that was different meanwhile may be new. */
  see(value: unknown): void {
    const last = this.#last;
    this.#last = value;
    if (value !== last && this.#isEqual(value, last)) this.#violation ??= `${inspect(value)} is a new object`;
  }

  check(value: unknown): void {
    this.see(value);
    expect(this.#violation).toBeUndefined();
  }
}

const hasSameMembers = (left: unknown, right: unknown): boolean =>
  Array.isArray(left) &&
  Array.isArray(right) &&
  left.length === right.length &&
  left.every((member, at) => member === right[at]);

const idsOf = (tasks: readonly AssignedTask[] | undefined) => tasks?.map(({ kind, id }) => `${kind} ${id}`);

/** Options as functions of the args, which say which query is meant. */
function functionsOf(all: readonly Asked[]) {
  const asked = (at: number): Asked => all[at]!; // one of them
  return {
    where: (at: number) => asked(at).where,
    orderBy: (at: number) => asked(at).orderBy,
    limit: (at: number) => asked(at).limit,
    offset: (at: number) => asked(at).offset,
    filter: (task: AssignedTask, at: number) => !asked(at).isFiltered || passes(task),
  };
}

/** The schemas of a query. */
class Schemas {
  readonly select;
  readonly named;
  readonly total;
  readonly groups;

  /** @param functions - options by which others of this source and group are queries of the same schemas */
  constructor(one: Asked, functions?: ReturnType<typeof functionsOf>) {
    const source = sourceOf(one);
    const constants = optionsOf(one);
    // Typed alike, since the args are given to either.
    const { where, filter, ...window } = (functions as unknown as typeof constants | undefined) ?? constants;
    const conditions = { where, ...(filter === undefined ? {} : { filter }) };
    this.select = new Select(source, { ...conditions, ...window });
    this.named = new Query(this.select, (tasks) => idsOf(tasks)?.join());
    this.total = new Aggregate(source, { ...conditions, values });
    this.groups = new Aggregate(source, { ...conditions, values, groupBy: one.groupBy });
  }
}

function schemasOf(all: readonly Asked[], takesArgs: boolean): readonly Schemas[] {
  if (!takesArgs) return all.map((one) => new Schemas(one));
  const functions = functionsOf(all);
  const shared = new Map<unknown, Schemas>();
  return all.map((one) => {
    const { source, groupBy } = one;
    const key = typeof source === 'string' ? `${source} ${groupBy}` : source;
    const schemas = shared.get(key) ?? new Schemas(one, functions);
    shared.set(key, schemas);
    return schemas;
  });
}

/** Queries of the same condition, in one tab. */
class Queries {
  readonly #one: Asked;
  readonly #schemas: Schemas;
  readonly #args: readonly unknown[];
  readonly #controller: Controller;
  readonly #shown = {
    select: new Shown(hasSameMembers),
    total: new Shown(isDeepStrictEqual),
    groups: new Shown(isDeepStrictEqual),
  };
  #stops: readonly (() => void)[] | undefined;

  constructor(controller: Controller, one: Asked, schemas: Schemas, args: readonly unknown[]) {
    this.#args = args;
    this.#controller = controller;
    this.#one = one;
    this.#schemas = schemas;
  }

  #get(name: 'select' | 'total' | 'groups' | 'named'): unknown {
    const get = this.#controller.get.bind(this.#controller) as (...given: readonly unknown[]) => unknown;
    return get(this.#schemas[name], ...this.#args);
  }

  /** Shows the queries on screen, or no longer. */
  watch(isWatched: boolean): void {
    if (isWatched === (this.#stops !== undefined)) return;
    this.#stops?.forEach((stop) => stop());
    this.#stops = undefined;
    for (const shown of Object.values(this.#shown)) shown.forget();
    if (!isWatched) return;
    const watch = this.#controller.watch.bind(this.#controller) as (...given: unknown[]) => () => void;
    this.#stops = (['select', 'total', 'groups'] as const).map((name) =>
      watch(this.#schemas[name], ...this.#args, (data: unknown) => this.#shown[name].see(data)),
    );
  }

  /** Reads what a watcher is not notified of, since it changes back at once, or since rows are still being restored. */
  read(): void {
    for (const name of ['select', 'total', 'groups'] as const) this.#shown[name].see(this.#get(name));
  }

  /** @param isKept - whether values that nobody has on screen are kept, too */
  check(isKept: boolean): void {
    const reader = this.#controller as never as { get: (schema: unknown) => unknown };
    const found = this.#get('select') as readonly AssignedTask[] | undefined; // of tasks
    const wanted = expected(reader, this.#one);
    expect(idsOf(found)).toEqual(idsOf(wanted));
    found?.forEach((task, at) => expect(task).toBe(wanted?.[at]));
    expect(this.#get('named')).toEqual(idsOf(wanted)?.join());

    const all = expected(reader, { ...this.#one, limit: undefined, offset: undefined });
    const [total, groups] = [this.#get('total'), this.#get('groups')];
    expect(total).toEqual(all && valuesOf(all));
    const { groupBy } = this.#one;
    const nameOf = (task: AssignedTask): string =>
      String(groupBy === 'due' ? task.due.getTime() : task[groupBy]);
    expect(groups).toEqual(
      all &&
        Object.fromEntries(
          [...new Set(all.map(nameOf))].map((name) => [
            name,
            valuesOf(all.filter((task) => nameOf(task) === name)),
          ]),
        ),
    );
    if (this.#stops === undefined && !isKept) return;
    this.#shown.select.check(found);
    this.#shown.total.check(total);
    this.#shown.groups.check(groups);
  }
}

interface Story {
  readonly all: readonly Asked[];
  readonly steps: readonly Step[];
  readonly takesArgs: boolean;
  readonly isWatched: boolean;
  readonly tabs: number;
  readonly gcTime: number | undefined;
  readonly stored: Stored | undefined;
}

const story: fc.Arbitrary<Story> = fc.record({
  all: fc.array(asked, { minLength: 1, maxLength: 4 }),
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  takesArgs: fc.boolean(),
  isWatched: fc.boolean(),
  tabs: fc.constantFrom(1, 1, 1, 2),
  gcTime: fc.constantFrom(undefined, undefined, 0, 1),
  stored: fc.option(stored, { nil: undefined, freq: 2 }),
});

/** Whether a query restores the whole table of tasks: a list has its members alone. */
function needsTasks({ source }: Asked): boolean {
  return typeof source === 'string' ? source !== 'list' : needsTasks(source);
}

/** Plays a story, and compares every query in every tab after each step. */
async function play(
  { all, steps, takesArgs, isWatched, tabs, gcTime, stored }: Story,
  rows: readonly object[] = [],
): Promise<void> {
  const world = await opened({ tabs, gcTime }, stored);
  if (rows.length > 0) world.controller.set([AssignedTask], rows);
  world.isWatched = isWatched;
  const schemas = schemasOf(all, takesArgs);
  const isWhole = all.some(needsTasks);
  const queriesOf = new Map<Controller, readonly Queries[]>();
  world.onCommit = (controller) => {
    if (world.isWatched) for (const query of queriesOf.get(controller) ?? []) query.read();
  };
  const check = (): void => {
    for (const { controller } of world.pages) {
      let queries = queriesOf.get(controller);
      if (queries === undefined) {
        queries = all.map((one, at) => new Queries(controller, one, schemas[at]!, takesArgs ? [at] : [])); // one each
        queriesOf.set(controller, queries);
      }
      for (const query of queries) query.watch(world.isWatched);
      for (const query of queries) query.check(gcTime === undefined);
    }
    // Whatever is missing, the status says that more is coming.
    if (world.isWatched && isWhole) world.checkRows();
  };
  check();
  for (const take of steps) {
    await take(world);
    // What the other tab has received by now, if not all, is data like any other.
    if (tabs > 1) await turn();
    check();
  }
  if (world.isWatched) {
    await world.settle();
    check();
    if (isWhole) await world.checkComplete();
  }
  await world.stop();
}

describe('Select and Aggregate', () => {
  it('equal a filter, sort, slice and reduce of all rows after every step in every tab, and stay identical while nothing in them changes', async () => {
    await fc.assert(
      fc.asyncProperty(story, (one) => play(one)),
      { numRuns: runs(150) },
    );
  });

  it('equal these in tables of more than 1,000 rows, where ranges are found in sorted lists', async () => {
    await fc.assert(
      fc.asyncProperty(askedOfOneIndex, fc.array(step, { minLength: 1, maxLength: 8 }), async (all, steps) =>
        play(
          { all, steps, takesArgs: false, isWatched: true, tabs: 1, gcTime: undefined, stored: undefined },
          manyTasks(),
        ),
      ),
      { numRuns: runs(10) },
    );
  });
});
