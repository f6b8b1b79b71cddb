import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect, isDeepStrictEqual } from 'node:util';
import {
  Aggregate,
  All,
  Controller,
  createResource,
  Delete,
  Endpoint,
  Entity,
  RestEndpoint,
  Select,
  type OrderBy,
  type Plugin,
  type RestEndpointOptions,
  type Where,
} from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { runs } from '../support/runs.ts';

class TeamInCity extends Entity {
  id = '';
  city = '';
  static override key = 'Team';
}

class TeamMember extends Entity {
  id = '';
  name = '';
  team = TeamInCity.fromJS();
  static override key = 'Person';
  static override schema = { team: TeamInCity };
}

class AssignedTask extends Entity {
  id = '';
  state = 'open';
  size: number | null = 0;
  title = '';
  due = new Date(0);
  tags: string[] = [];
  owner: TeamMember | null = null;
  helpers: TeamMember[] = [];
  static override key = 'Task';
  static override schema = { owner: TeamMember, helpers: [TeamMember], due: Date };
}

/** A fault of the storage is one of the test. */
const rethrow = (error: unknown): never => {
  throw error;
};

type Test = (task: AssignedTask) => boolean;

interface Condition {
  readonly where: Where<AssignedTask>;
  readonly test: Test;
}

const small = fc.integer({ min: 0, max: 3 });
const text = fc.constantFrom('', 'a', 'B', 'ab', 'Ba');
const state = fc.constantFrom<string>('open', 'done', 'late');
const size = fc.option(small, { nil: null });
const day = (days: number): Date => new Date(days * 86_400_000);

const said = (where: Where<AssignedTask>, test: Test): Condition => ({ where, test });

/** A relation to a row that is not stored reads as undefined. */
function isSome<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** Conditions, each with what it means said in plain code. */
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  state.map((value) => said({ state: value }, (task) => task.state === value)),
  size.map((value) => said({ size: value }, (task) => task.size === value)),
  fc.array(state).map((list) => said({ state: { in: list } }, (task) => list.includes(task.state))),
  fc.array(state).map((list) => said({ state: { notIn: list } }, (task) => !list.includes(task.state))),
  small.map((value) => said({ size: { lt: value } }, ({ size }) => size !== null && size < value)),
  small.map((value) => said({ size: { gte: value } }, ({ size }) => size !== null && size >= value)),
  small.map((value) => said({ due: day(value) }, ({ due }) => due.getTime() === day(value).getTime())),
  small.map((value) => said({ due: { lte: day(value) } }, ({ due }) => due <= day(value))),
  text.map((value) => said({ title: { contains: value } }, ({ title }) => title.includes(value))),
  text.map((value) =>
    said({ title: { startsWith: value, ignoreCase: true } }, ({ title }) =>
      title.toLowerCase().startsWith(value.toLowerCase()),
    ),
  ),
  text.map((value) => said({ tags: { has: value } }, ({ tags }) => tags.includes(value))),
  fc.boolean().map((value) => said({ owner: { exists: value } }, ({ owner }) => isSome(owner) === value)),
  text.map((value) => said({ owner: { name: value } }, ({ owner }) => owner?.name === value)),
  text.map((value) =>
    said(
      { owner: { team: { city: { ne: value } } } },
      ({ owner }) => isSome(owner) && owner.team.city !== value,
    ),
  ),
  text.map((value) =>
    said({ helpers: { some: { name: value } } }, ({ helpers }) => helpers.some(({ name }) => name === value)),
  ),
  text.map((value) =>
    said(
      { helpers: { none: { name: { contains: value } } } },
      ({ helpers }) => !helpers.some(({ name }) => name.includes(value)),
    ),
  ),
  fc.constant(said({ state: undefined }, () => true)),
);

const condition: fc.Arbitrary<Condition> = fc.letrec<{ one: Condition }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc
      .array(tie('one'), { maxLength: 2 })
      .map((all) =>
        said({ AND: all.map(({ where }) => where) }, (task) => all.every(({ test }) => test(task))),
      ),
    fc
      .array(tie('one'), { maxLength: 2 })
      .map((any) =>
        said({ OR: any.map(({ where }) => where) }, (task) => any.some(({ test }) => test(task))),
      ),
    tie('one').map(({ where, test }) => said({ NOT: where }, (task) => !test(task))),
    fc
      .tuple(leaf, leaf)
      .map(([one, other]) =>
        said({ ...one.where, AND: other.where }, (task) => one.test(task) && other.test(task)),
      ),
  ),
})).one;

interface Order {
  readonly orderBy: OrderBy<AssignedTask> | undefined;
  readonly compare: (left: AssignedTask, right: AssignedTask) => number;
}

const less = (left: unknown, right: unknown): number =>
  left === right ? 0 : isNil(left) ? 1 : isNil(right) ? -1 : (left as string) < (right as string) ? -1 : 1;
const more = (left: unknown, right: unknown): number =>
  left === right ? 0 : isNil(left) ? 1 : isNil(right) ? -1 : -less(left, right);
const isNil = (value: unknown): boolean => value === null || value === undefined;

const order: fc.Arbitrary<Order> = fc.constantFrom<Order>(
  { orderBy: undefined, compare: () => 0 },
  { orderBy: { size: 'asc' }, compare: (left, right) => less(left.size, right.size) },
  { orderBy: { title: 'desc' }, compare: (left, right) => more(left.title, right.title) },
  { orderBy: { due: 'desc' }, compare: (left, right) => more(left.due.getTime(), right.due.getTime()) },
  {
    orderBy: { size: { direction: 'desc', nulls: 'first' } },
    compare: (left, right) =>
      left.size === right.size
        ? 0
        : left.size === null
          ? -1
          : right.size === null
            ? 1
            : right.size - left.size,
  },
  {
    orderBy: { owner: { name: 'asc' }, size: 'desc' },
    compare: (left, right) => less(left.owner?.name, right.owner?.name) || more(left.size, right.size),
  },
);

interface Asked extends Condition, Order {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly filter: 'none' | 'short';
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    condition,
    order,
    limit: fc.option(small, { nil: undefined }),
    offset: fc.option(small, { nil: undefined }),
    filter: fc.constantFrom('none' as const, 'none' as const, 'short' as const),
  })
  .map(({ condition: { where, test }, order: { orderBy, compare }, ...rest }) => ({
    where,
    test,
    orderBy,
    compare,
    ...rest,
  }));

/** A member whose owner is on a team in a city without a name does not pass this filter. */
const passes: Test = ({ title, owner }) => title.length < 2 && owner?.team.city !== '';

const taskId = fc.constantFrom('1', '2', '10', 'x', 'y');
const personId = fc.constantFrom('p1', 'p2');
const teamId = fc.constantFrom('t1', 't2');

/** Answers with the body. */
class EchoTask<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(_url: string, { body }: RequestInit): Promise<Response> {
    return Promise.resolve(Response.json(JSON.parse(body as string))); // JSON, as the endpoint writes it
  }
}

const TaskResource = createResource({
  path: '/tasks/:id',
  schema: AssignedTask,
  Endpoint: EchoTask,
  optimistic: true,
});

/** What an earlier visit has stored, and how it is restored. */
interface Stored {
  readonly steps: readonly Step[];
  readonly restore: 'lazy' | 'progressive';
}

/** One page: the controller of a tab, and its storage if it has one. */
interface Page {
  readonly controller: Controller;
  readonly storage: ReturnType<typeof indexedDB> | undefined;
}

/** Names the channel of the tabs of one world. */
let worlds = 0;

function pksOf(controller: Controller): readonly string[] {
  return [...(controller.getState().tables['Task']?.entries() ?? [])].flatMap(([pk, { value }]) =>
    value === undefined ? [] : [pk],
  );
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** The tabs of an app, and the mutations that its server has not answered yet. */
class World {
  readonly pages: Page[];
  /** Called after each change. */
  onCommit: ((controller: Controller) => void) | undefined;
  readonly #name = `select-model-${String(worlds++)}`;
  readonly #count: number;
  readonly #restore: Stored['restore'] | undefined;
  readonly #disk = memoryStorage();
  readonly #unanswered = new Set<Promise<unknown>>();
  readonly #answers: ((error?: Error) => void)[] = [];
  /** The pks of tasks that were stored when the first tab was loaded. */
  #pks: readonly string[] = [];
  /** Shows fields of a task optimistically; the server stores them, or refuses. */
  readonly change = new Endpoint(
    (value: object) =>
      new Promise<object>((resolve, reject) => {
        this.#answers.push((error) => (error === undefined ? resolve(value) : reject(error)));
      }),
    {
      name: 'change',
      sideEffect: true,
      schema: AssignedTask,
      getOptimisticResponse: (_snapshot: unknown, value: object) => value,
    },
  );

  /** As `change`, of a task to which the server gives an id. */
  readonly create = new Endpoint(
    (value: object) =>
      new Promise<object>((resolve, reject) => {
        const id = `new${String(this.#creates++)}`;
        this.#answers.push((error) => (error === undefined ? resolve({ ...value, id }) : reject(error)));
      }),
    {
      name: 'create',
      sideEffect: true,
      schema: AssignedTask,
      getOptimisticResponse: (_snapshot: unknown, value: object) => value,
    },
  );
  #creates = 0;

  /** @param restore - undefined where nothing is stored */
  constructor(count: number, restore?: Stored['restore']) {
    this.#count = count;
    this.#restore = restore;
    this.pages = Array.from({ length: count }, () => this.#open());
  }

  /** The first tab, in which the app works. */
  get controller(): Controller {
    return this.pages[0]!.controller; // there is one at least
  }

  #open(restore = this.#restore): Page {
    const name = this.#name;
    const storage =
      restore && indexedDB({ name, persist: 'all', restore, storage: this.#disk, onError: rethrow });
    const reader: Plugin = { name: 'reader', commit: () => this.onCommit?.(controller) };
    const plugins = [reader, ...(storage ? [storage] : []), ...(this.#count > 1 ? [tabs({ name })] : [])];
    const controller = new Controller({ plugins });
    return { controller, storage };
  }

  /** Reloads the first tab, if anything is stored. What the server has not answered is lost. */
  async reload(): Promise<void> {
    if (this.#restore === undefined) return;
    this.#pks = this.#unanswered.size > 0 ? [] : pksOf(this.controller);
    this.#answers.length = 0;
    this.#unanswered.clear();
    await this.controller.stop();
    this.pages[0] = this.#open();
  }

  /** Waits until every restore has ended and the server has answered. */
  async settle(): Promise<void> {
    while (this.#unanswered.size > 0) await this.answer(new Error('refused'));
    while (!this.pages.every(({ storage }) => storage?.status.get().isRestored ?? true)) await turn();
  }

  /** Checks that the first tab has every task that was stored when it was loaded, unless its status says otherwise. */
  checkRows(): void {
    const { controller, storage } = this.pages[0]!; // there is one at least
    if (storage?.status.get().isRestored !== true) return;
    const missing = this.#pks.filter((pk) => controller.getState().tables['Task']?.get(pk) === undefined);
    expect(missing).toEqual([]);
  }

  /** Checks that a page with queries has restored every task. */
  async checkComplete(): Promise<void> {
    const ids = ({ controller }: Page): unknown =>
      (controller.get(new All(AssignedTask)) ?? []).map(({ id }) => id).sort();
    const [page] = this.pages;
    if (page?.storage === undefined) return;
    await page.controller.flush();
    const fresh = this.#open('progressive');
    await fresh.storage?.restored;
    expect(ids(page)).toEqual(ids(fresh));
    await fresh.controller.stop();
  }

  async stop(): Promise<void> {
    for (const { controller } of this.pages) await controller.stop();
  }

  make(value: object): void {
    this.#send(this.controller.fetch(this.create, value));
  }

  mutate(value: object): void {
    this.#send(this.controller.fetch(this.change, value));
  }

  #send(response: Promise<unknown>): void {
    this.#unanswered.add(response);
    const remove = (): void => void this.#unanswered.delete(response);
    response.then(remove, remove);
  }

  async answer(error?: Error): Promise<void> {
    this.#answers.shift()?.(error);
    await turn();
  }
}

type Step = (world: World) => unknown;

const remove = new Endpoint((id: string) => Promise.resolve(id), {
  name: 'remove',
  schema: new Delete(AssignedTask),
});

const fields = fc.record(
  {
    state,
    size,
    title: text,
    due: small.map((days) => day(days).toISOString()),
    tags: fc.array(text, { maxLength: 2 }),
    owner: fc.option(personId, { nil: null }),
    helpers: fc.array(personId, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** Changes that the app makes itself. */
const write: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(taskId, fields).map(
      ([id, value]): Step =>
        ({ controller }) =>
          controller.set(AssignedTask, { id }, value),
    ),
  },
  fc.array(fc.tuple(taskId, fields), { maxLength: 3 }).map(
    (rows): Step =>
      ({ controller }) =>
        controller.set(
          [AssignedTask],
          rows.map(([id, value]) => ({ id, ...value })),
        ),
  ),
  {
    weight: 2,
    arbitrary: fc.tuple(personId, text, teamId).map(
      ([id, name, team]): Step =>
        ({ controller }) =>
          controller.set(TeamMember, { id }, { name, team }),
    ),
  },
  fc.tuple(teamId, text).map(
    ([id, city]): Step =>
      ({ controller }) =>
        controller.set(TeamInCity, { id }, { city }),
  ),
  taskId.map(
    (id): Step =>
      ({ controller }) =>
        controller.setResponse(remove, id, id),
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: write },
  fc.tuple(taskId, fields).map(
    ([id, value]): Step =>
      (world) =>
        world.mutate({ id, ...value }),
  ),
  fields.map(
    (value): Step =>
      (world) =>
        world.make(value),
  ),
  fc.tuple(taskId, taskId, fields).map(
    ([from, to, value]): Step =>
      ({ controller }) =>
        controller.fetch(TaskResource.update, { id: from }, { id: to, ...value }),
  ),
  fc.constant<Step>((world) => world.answer()),
  fc.constant<Step>((world) => world.answer(new Error('refused'))),
  fc.constant<Step>((world) => world.reload()),
  // A restore continues.
  fc.constant<Step>(turn),
);

const stored: fc.Arbitrary<Stored> = fc.record({
  steps: fc.array(write, { minLength: 1, maxLength: 8 }),
  restore: fc.constantFrom('lazy', 'progressive'),
});

/** What a query gives, said in plain code over all rows. */
function expected(
  controller: Controller,
  { test, compare, limit, offset = 0, filter }: Asked,
): AssignedTask[] | undefined {
  return controller
    .get(new All(AssignedTask))
    ?.filter((task) => test(task) && (filter === 'none' || passes(task)))
    .sort((left, right) => compare(left, right) || byPk(left.id, right.id))
    .slice(offset, limit === undefined ? undefined : offset + limit);
}

function byPk(left: string, right: string): number {
  const [one, other] = [Number(left), Number(right)];
  if (Number.isNaN(one) || Number.isNaN(other))
    return Number.isNaN(one) && Number.isNaN(other) ? (left < right ? -1 : 1) : Number.isNaN(one) ? 1 : -1;
  return one - other;
}

function selectOf({ where, orderBy, limit, offset, filter }: Asked): Select<typeof AssignedTask> {
  return new Select(AssignedTask, {
    where,
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(filter === 'none' ? {} : { filter: passes }),
  });
}

const values = {
  n: 'count',
  sizes: { count: 'size' },
  sum: { sum: 'size' },
  mean: { avg: 'size' },
  least: { min: 'size' },
  last: { max: 'due' },
} as const;

interface Values {
  readonly n: number;
  readonly sizes: number;
  readonly sum: number;
  readonly mean: number | undefined;
  readonly least: number | undefined;
  readonly last: Date | undefined;
}

function valuesOf(tasks: readonly AssignedTask[]): Values {
  const sizes = tasks.flatMap(({ size }) => (size === null ? [] : [size]));
  const sum = sizes.reduce((total, size) => total + size, 0);
  const due = tasks.map((task) => task.due.getTime());
  return {
    n: tasks.length,
    sizes: sizes.length,
    sum,
    mean: sizes.length === 0 ? undefined : sum / sizes.length,
    least: sizes.length === 0 ? undefined : Math.min(...sizes),
    last: due.length === 0 ? undefined : new Date(Math.max(...due)),
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

/** Queries of the same condition. */
class Queries {
  readonly #one: Asked;
  readonly #select: Select<typeof AssignedTask>;
  readonly #total;
  readonly #groups;
  readonly #shown = {
    list: new Shown(hasSameMembers),
    total: new Shown(isDeepStrictEqual),
    groups: new Shown(isDeepStrictEqual),
  };

  constructor(one: Asked) {
    this.#one = one;
    this.#select = selectOf(one);
    const options = { where: one.where, values, ...(one.filter === 'none' ? {} : { filter: passes }) };
    this.#total = new Aggregate(AssignedTask, options);
    this.#groups = new Aggregate(AssignedTask, { ...options, groupBy: 'state' });
  }

  watch(controller: Controller): void {
    const { list, total, groups } = this.#shown;
    controller.watch(this.#select, (data) => list.see(data));
    controller.watch(this.#total, (data) => total.see(data));
    controller.watch(this.#groups, (data) => groups.see(data));
  }

  /** Reads what a watcher is not notified of, since it changes back at once, or since rows are still being restored. */
  read(controller: Controller): void {
    const { list, total, groups } = this.#shown;
    list.see(controller.get(this.#select));
    total.see(controller.get(this.#total));
    groups.see(controller.get(this.#groups));
  }

  check(controller: Controller): void {
    const { list, total, groups } = this.#shown;
    const found = controller.get(this.#select);
    const wanted = expected(controller, this.#one);
    expect(found?.map(({ id }) => id)).toEqual(wanted?.map(({ id }) => id));
    found?.forEach((task, at) => expect(task).toBe(wanted?.[at]));
    list.check(found);

    const all = expected(controller, { ...this.#one, limit: undefined, offset: undefined });
    const [totalFound, groupsFound] = [controller.get(this.#total), controller.get(this.#groups)];
    expect(totalFound).toEqual(all && valuesOf(all));
    total.check(totalFound);
    const states = new Set(all?.map((task) => task.state));
    expect(groupsFound).toEqual(
      all &&
        Object.fromEntries(
          [...states].map((name) => [name, valuesOf(all.filter((task) => task.state === name))]),
        ),
    );
    groups.check(groupsFound);
  }
}

/** Opens the tabs, of which the first one was open before if anything is stored. */
async function opened(count: number, stored: Stored | undefined): Promise<World> {
  const world = new World(count, stored?.restore);
  for (const take of stored?.steps ?? []) await take(world);
  if (stored !== undefined) {
    await world.controller.flush();
    await world.reload();
  }
  return world;
}

describe('Select and Aggregate', () => {
  it('equal a filter, sort, slice and reduce of all rows after every step in every tab, and stay identical while nothing in them changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom(1, 1, 1, 2),
        fc.option(stored, { nil: undefined, freq: 2 }),
        async (all, steps, isWatched, count, stored) => {
          const world = await opened(count, stored);
          const queriesOf = new Map<Controller, readonly Queries[]>();
          if (isWatched)
            world.onCommit = (controller) => {
              for (const query of queriesOf.get(controller) ?? []) query.read(controller);
            };
          const check = (): void => {
            for (const { controller } of world.pages) {
              let queries = queriesOf.get(controller);
              if (queries === undefined) {
                queriesOf.set(controller, (queries = all.map((one) => new Queries(one))));
                if (isWatched) for (const query of queries) query.watch(controller);
              }
              for (const query of queries) query.check(controller);
            }
            // Whatever is missing, the status says that more is coming.
            if (isWatched) world.checkRows();
          };
          check();
          for (const take of steps) {
            await take(world);
            // What the other tab has received by now, if not all, is data like any other.
            if (count > 1) await turn();
            check();
          }
          if (isWatched) {
            await world.settle();
            check();
            await world.checkComplete();
          }
          await world.stop();
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
