import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
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
  type RestEndpointOptions,
  type Where,
} from 'holdfast';
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

/** Names the channel of the tabs of one world. */
let worlds = 0;

/** The tabs of an app, and the mutations that its server has not answered yet. */
class World {
  readonly controllers: readonly Controller[];
  readonly controller: Controller;
  readonly #answers: ((error?: Error) => void)[] = [];
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

  constructor(count: number) {
    const name = `select-model-${String(worlds++)}`;
    this.controllers = Array.from(
      { length: count },
      () => new Controller(count === 1 ? {} : { plugins: [tabs({ name })] }),
    );
    this.controller = this.controllers[0]!;
  }

  async stop(): Promise<void> {
    for (const controller of this.controllers) await controller.stop();
  }

  make(value: object): void {
    this.controller.fetch(this.create, value).catch(() => undefined);
  }

  mutate(value: object): void {
    this.controller.fetch(this.change, value).catch(() => undefined);
  }

  async answer(error?: Error): Promise<void> {
    this.#answers.shift()?.(error);
    await new Promise((resolve) => setTimeout(resolve));
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

const step: fc.Arbitrary<Step> = fc.oneof(
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
  {
    weight: 1,
    arbitrary: fc.tuple(taskId, taskId, fields).map(
      ([from, to, value]): Step =>
        ({ controller }) =>
          controller.fetch(TaskResource.update, { id: from }, { id: to, ...value }),
    ),
  },
  fc.constant<Step>((world) => world.answer()),
  fc.constant<Step>((world) => world.answer(new Error('refused'))),
);

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

/** Queries of the same condition, and what they gave last. */
class Queries {
  readonly #one: Asked;
  readonly #select: Select<typeof AssignedTask>;
  readonly #total;
  readonly #groups;
  #list: readonly AssignedTask[] = [];
  #former: { readonly total: unknown; readonly groups: unknown } = { total: undefined, groups: undefined };

  constructor(one: Asked) {
    this.#one = one;
    this.#select = selectOf(one);
    const options = { where: one.where, values, ...(one.filter === 'none' ? {} : { filter: passes }) };
    this.#total = new Aggregate(AssignedTask, options);
    this.#groups = new Aggregate(AssignedTask, { ...options, groupBy: 'state' });
  }

  watch(controller: Controller): void {
    controller.watch(this.#select, () => undefined);
    // Between two steps the table may be empty, as when a prediction was its only row: what comes next is new.
    const forget = (data: unknown): void => {
      if (data === undefined) this.#former = { total: undefined, groups: undefined };
    };
    controller.watch(this.#total, forget);
    controller.watch(this.#groups, forget);
  }

  check(controller: Controller): void {
    // Before a row is stored both are undefined; when the only one was rolled back, there is no member.
    const found = controller.get(this.#select) ?? [];
    const wanted = expected(controller, this.#one) ?? [];
    expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    found.forEach((task, at) => expect(task).toBe(wanted[at]));
    const former = this.#list;
    const isSame = former.length === found.length && found.every((task, at) => task === former[at]);
    if (isSame && found.length > 0) expect(found).toBe(former);
    this.#list = found;

    const all = expected(controller, { ...this.#one, limit: undefined, offset: undefined });
    if (all === undefined) return;
    const [total, groups] = [controller.get(this.#total), controller.get(this.#groups)];
    expect(total).toEqual(valuesOf(all));
    const byState: Record<string, Values> = {};
    for (const name of new Set(all.map((task) => task.state)))
      byState[name] = valuesOf(all.filter((task) => task.state === name));
    expect(groups).toEqual(byState);
    if (isDeepStrictEqual(total, this.#former.total)) expect(total).toBe(this.#former.total);
    if (isDeepStrictEqual(groups, this.#former.groups)) expect(groups).toBe(this.#former.groups);
    this.#former = { total, groups };
  }
}

describe('Select and Aggregate', () => {
  it('equal a filter, sort, slice and reduce of all rows after every step in every tab, and stay identical while nothing in them changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom(1, 1, 1, 2),
        async (all, steps, isWatched, count) => {
          const world = new World(count);
          const readers = world.controllers.map((controller) => ({
            controller,
            queries: all.map((one) => new Queries(one)),
          }));
          if (isWatched)
            for (const { controller, queries } of readers)
              for (const query of queries) query.watch(controller);
          for (const take of steps) {
            await take(world);
            // What the other tab has received by now, if not all, is data like any other.
            if (count > 1) await new Promise((resolve) => setTimeout(resolve));
            for (const { controller, queries } of readers)
              for (const query of queries) query.check(controller);
          }
          if (count > 1) await world.stop();
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
