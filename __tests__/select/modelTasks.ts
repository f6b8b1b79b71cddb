import fc from 'fast-check';
import {
  All,
  Collection,
  Entity,
  Select,
  Union,
  type OrderBy,
  type Schema,
  type SelectSource,
  type Where,
} from 'holdfast';

export class TeamInCity extends Entity {
  id = '';
  city = '';
  static override key = 'Team';
}

export class TeamMember extends Entity {
  id = '';
  name = '';
  team = TeamInCity.fromJS();
  static override key = 'Person';
  static override schema = { team: TeamInCity };
}

/** A title that the class does not accept. */
export const INVALID = '!';

export class AssignedTask extends Entity {
  id = '';
  kind = 'task';
  state = 'open';
  size: number | null = 0;
  title = '';
  due = new Date(0);
  tags: string[] = [];
  place: { room: string } | null = null;
  steps: { text: string }[] = [];
  owner: TeamMember | null = null;
  helpers: TeamMember[] = [];
  visit: { team: TeamInCity; text: string } | null = null;
  parent: AssignedTask | null = null;
  /** Required: without its row, the task is incomplete. */
  home = TeamInCity.fromJS();
  static override key = 'Task';
  static override schema: Readonly<Record<string, Schema>> = {
    owner: TeamMember,
    helpers: [TeamMember],
    visit: { team: TeamInCity },
    home: TeamInCity,
    due: Date,
  };
  static override validate({ title }: { readonly title?: unknown }): string | undefined {
    return title === INVALID ? 'the title is invalid' : undefined;
  }
}

export class Chore extends AssignedTask {
  override kind = 'chore';
  static override key = 'Chore';
}

export const Work = new Union({ task: AssignedTask, chore: Chore }, 'kind');
AssignedTask.schema = { ...AssignedTask.schema, parent: Work };
Chore.schema = AssignedTask.schema;

/** Some tasks and chores, in the order of a server. */
export const list = new Collection([Work], { argsKey: () => ({}) });

type Test = (task: AssignedTask) => boolean;

export interface Condition {
  readonly where: Where<AssignedTask>;
  readonly test: Test;
  /** Whether everything in it is undefined, so that it is no condition, not even under NOT. */
  readonly isNone: boolean;
}

const number = fc.constantFrom(-1, 0, 0.5, 2, 3);
export const text = fc.constantFrom('', 'a', 'B', 'ab', 'Ba', 'ä');
export const state = fc.constantFrom<string>('open', 'done', 'late');
export const size = fc.option(number, { nil: null, freq: 3 });
export const day = fc.integer({ min: 0, max: 3 }).map((days) => new Date(days * 86_400_000));

const said = (where: object, test: Test, isNone = false): Condition => ({ where, test, isNone });

/** A relation to a row that is not stored reads as undefined. */
const isSome = <T>(value: T): value is NonNullable<T> => value !== null && value !== undefined;

type Value = string | number | Date | null;

const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);
const isOneOf = (value: unknown, operands: readonly Value[]): boolean =>
  operands.some((operand) => plain(operand) === plain(value));
const isRanged = (left: unknown, right: unknown, holds: (left: number, right: number) => boolean): boolean =>
  isSome(left) && isSome(right) && holds(plain(left) as number, plain(right) as number);

/** What the operators mean. */
const single: Readonly<Record<string, (value: unknown, operand: Value) => boolean>> = {
  eq: (value, operand) => plain(value) === plain(operand),
  ne: (value, operand) => plain(value) !== plain(operand),
  lt: (value, operand) => isRanged(value, operand, (left, right) => left < right),
  lte: (value, operand) => isRanged(value, operand, (left, right) => left <= right),
  gt: (value, operand) => isRanged(value, operand, (left, right) => left > right),
  gte: (value, operand) => isRanged(value, operand, (left, right) => left >= right),
};
const textual: Readonly<Record<string, (value: unknown, operand: string) => boolean>> = {
  startsWith: (value, operand) => (value as string).startsWith(operand),
  endsWith: (value, operand) => (value as string).endsWith(operand),
  contains: (value, operand) => (value as string).includes(operand),
};

interface ValueTest {
  readonly wanted: unknown;
  readonly test: (value: unknown) => boolean;
  readonly isNone?: boolean;
}

/** A value, or every operator that plain values have. */
function operators(value: fc.Arbitrary<Value>): fc.Arbitrary<ValueTest> {
  const one = fc.constantFrom(...Object.keys(single));
  return fc.oneof(
    value.map((wanted) => ({ wanted, test: (is: unknown) => plain(is) === plain(wanted) })),
    fc.tuple(one, value).map(([name, operand]) => ({
      wanted: { [name]: operand },
      test: (is: unknown) => single[name]!(is, operand), // one of its names
    })),
    fc.tuple(value, value).map(([from, to]) => ({
      wanted: { gte: from, lt: to },
      test: (is: unknown) => single['gte']!(is, from) && single['lt']!(is, to), // as named
    })),
    fc.array(value, { maxLength: 3 }).map((operands) => ({
      wanted: { in: operands },
      test: (is: unknown) => isOneOf(is, operands),
    })),
    fc.array(value, { maxLength: 3 }).map((operands) => ({
      wanted: { notIn: operands },
      test: (is: unknown) => !isOneOf(is, operands),
    })),
    fc.boolean().map((exists) => ({ wanted: { exists }, test: (is: unknown) => isSome(is) === exists })),
    fc.constant({ wanted: undefined, test: () => true, isNone: true }),
    fc.constant({ wanted: { eq: undefined, in: undefined, gt: undefined }, test: () => true, isNone: true }),
  );
}

/** The operators of texts, with and without `ignoreCase`. */
const textOperators: fc.Arbitrary<ValueTest> = fc.oneof(
  operators(text),
  fc
    .tuple(fc.constantFrom(...Object.keys(textual), 'eq', 'ne', 'gt', 'lte'), text, fc.boolean())
    .map(([name, operand, ignoreCase]) => {
      const fold = (value: string): string => (ignoreCase ? value.toLowerCase() : value);
      const test = textual[name] ?? single[name]!; // one of these
      return {
        wanted: { [name]: operand, ...(ignoreCase ? { ignoreCase } : {}) },
        test: (is: unknown) => typeof is === 'string' && test(fold(is), fold(operand)),
      };
    }),
  fc.array(text, { maxLength: 2 }).map((operands) => ({
    wanted: { in: operands, ignoreCase: true },
    test: (is: unknown) => operands.some((operand) => operand.toLowerCase() === (is as string).toLowerCase()),
  })),
);

const at =
  (read: (task: AssignedTask) => unknown, where: (wanted: unknown) => object) =>
  ({ wanted, test, isNone }: ValueTest): Condition =>
    said(where(wanted), (task) => test(read(task)), isNone);

/** A field of something that may be missing: then no condition on it holds, unless there is none. */
const within =
  <T>(
    read: (task: AssignedTask) => T | null | undefined,
    field: (of: T) => unknown,
    where: (wanted: unknown) => object,
  ) =>
  ({ wanted, test, isNone }: ValueTest): Condition =>
    said(
      where(wanted),
      (task) => {
        const of = read(task);
        return isNone === true || (isSome(of) && test(field(of)));
      },
      isNone,
    );

/** Every quantifier. */
const quantified =
  <T>(
    read: (task: AssignedTask) => readonly T[],
    field: (of: T) => unknown,
    where: (wanted: object) => object,
    inner: (wanted: unknown) => object,
  ) =>
  ([{ wanted, test }, quantifier]: readonly [ValueTest, 'some' | 'every' | 'none']): Condition =>
    said(where({ [quantifier]: inner(wanted) }), (task) => {
      const members = read(task);
      if (quantifier === 'every') return members.every((member) => test(field(member)));
      return members.some((member) => test(field(member))) === (quantifier === 'some');
    });

const quantifier = fc.constantFrom('some' as const, 'every' as const, 'none' as const);

/** Conditions on plain fields, each with what it means said in plain code. */
const plainLeaf: fc.Arbitrary<Condition> = fc.oneof(
  operators(state).map(
    at(
      (task) => task.state,
      (state) => ({ state }),
    ),
  ),
  operators(size).map(
    at(
      (task) => task.size,
      (size) => ({ size }),
    ),
  ),
  operators(day).map(
    at(
      ({ due }) => due,
      (due) => ({ due }),
    ),
  ),
  textOperators.map(
    at(
      ({ title }) => title,
      (title) => ({ title }),
    ),
  ),
);

/** Conditions of every kind. */
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: plainLeaf },
  text.map((has) => said({ tags: { has } }, ({ tags }) => tags.includes(has))),
  textOperators.map(
    within(
      ({ place }) => place,
      ({ room }) => room,
      (room) => ({ place: { room } }),
    ),
  ),
  fc.tuple(textOperators, quantifier).map(
    quantified(
      ({ steps }) => steps,
      (one) => one.text,
      (steps) => ({ steps }),
      (text) => ({ text }),
    ),
  ),
  fc.boolean().map((exists) => said({ owner: { exists } }, ({ owner }) => isSome(owner) === exists)),
  textOperators.map(
    within(
      ({ owner }) => owner,
      ({ name }) => name,
      (name) => ({ owner: { name } }),
    ),
  ),
  textOperators.map(
    within(
      ({ owner }) => owner,
      ({ team }) => team.city,
      (city) => ({ owner: { team: { city } } }),
    ),
  ),
  textOperators.map(
    at(
      ({ home }) => home.city,
      (city) => ({ home: { city } }),
    ),
  ),
  textOperators.map(
    within(
      ({ visit }) => visit,
      ({ text }) => text,
      (text) => ({ visit: { text } }),
    ),
  ),
  textOperators.map(
    within(
      ({ visit }) => visit,
      ({ team }) => team.city,
      (city) => ({ visit: { team: { city } } }),
    ),
  ),
  operators(size).map(
    within(
      ({ parent }) => parent,
      (parent) => parent.size,
      (size) => ({ parent: { size } }),
    ),
  ),
  fc.tuple(textOperators, quantifier).map(
    quantified(
      ({ helpers }) => helpers,
      ({ name }) => name,
      (helpers) => ({ helpers }),
      (name) => ({ name }),
    ),
  ),
  fc.tuple(textOperators, quantifier).map(
    quantified(
      ({ helpers }) => helpers,
      ({ team }) => team.city,
      (helpers) => ({ helpers }),
      (city) => ({ team: { city } }),
    ),
  ),
);

const condition: fc.Arbitrary<Condition> = fc.letrec<{ one: Condition }>((tie) => {
  const some = fc.array(tie('one'), { maxLength: 2 });
  const wheres = (conditions: readonly Condition[]): object[] => conditions.map(({ where }) => where);
  const areNone = (conditions: readonly Condition[]): boolean => conditions.every(({ isNone }) => isNone);
  const not = (conditions: readonly Condition[], where: object): Condition =>
    said(
      { NOT: where },
      (task) => !conditions.some(({ test, isNone }) => !isNone && test(task)),
      areNone(conditions),
    );
  return {
    one: fc.oneof(
      { maxDepth: 2 },
      leaf,
      some.map((all) =>
        said({ AND: wheres(all) }, (task) => all.every(({ test }) => test(task)), areNone(all)),
      ),
      some.map((any) =>
        said(
          { OR: wheres(any) },
          (task) => any.some(({ test }) => test(task)),
          any.some(({ isNone }) => isNone),
        ),
      ),
      tie('one').map((one) => not([one], one.where)),
      some.map((none) => not(none, wheres(none))),
      fc
        .tuple(leaf, leaf)
        .map(([one, other]) =>
          said(
            { ...one.where, AND: other.where },
            (task) => one.test(task) && other.test(task),
            one.isNone && other.isNone,
          ),
        ),
    ),
  };
}).one;

type Compare = (left: AssignedTask, right: AssignedTask) => number;

interface Order {
  readonly orderBy: readonly OrderBy<AssignedTask>[] | undefined;
  readonly compare: Compare;
}

const collator = new Intl.Collator('de', { sensitivity: 'base' });

/** The fields that tasks are sorted by, and how each is nested in `orderBy`. */
const sorted: readonly (readonly [read: (task: AssignedTask) => unknown, nest: (how: unknown) => object])[] =
  [
    [({ size }) => size, (size) => ({ size })],
    [({ title }) => title, (title) => ({ title })],
    [({ due }) => due.getTime(), (due) => ({ due })],
    [({ place }) => place?.room, (room) => ({ place: { room } })],
    [({ owner }) => owner?.name, (name) => ({ owner: { name } })],
    [({ owner }) => owner?.team.city, (city) => ({ owner: { team: { city } } })],
    [({ home }) => home.city, (city) => ({ home: { city } })],
    [({ visit }) => visit?.team.city, (city) => ({ visit: { team: { city } } })],
    [({ parent }) => parent?.title, (title) => ({ parent: { title } })],
  ];

const level: fc.Arbitrary<{ readonly order: OrderBy<AssignedTask>; readonly compare: Compare }> = fc
  .record({
    field: fc.constantFrom(...sorted),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    nulls: fc.constantFrom('first' as const, 'last' as const, undefined),
    isCollated: fc.boolean(),
  })
  .map(({ field: [read, nest], direction, nulls, isCollated }) => {
    const isShort = nulls === undefined && !isCollated;
    const how = isShort
      ? direction
      : { direction, ...(nulls ? { nulls } : {}), ...(isCollated ? { collator } : {}) };
    const sign = direction === 'asc' ? 1 : -1;
    return {
      order: nest(how),
      compare: (one, other) => {
        const [left, right] = [read(one), read(other)] as [string, string]; // or numbers
        if (!isSome(left) || !isSome(right))
          return (Number(isSome(right)) - Number(isSome(left))) * (nulls === 'first' ? -1 : 1);
        if (isCollated && typeof left === 'string') return sign * collator.compare(left, right);
        return left < right ? -sign : left > right ? sign : 0;
      },
    };
  });

const order: fc.Arbitrary<Order> = fc.array(level, { maxLength: 2 }).map((levels) => ({
  orderBy: levels.length === 0 ? undefined : levels.map((one) => one.order),
  compare: (left, right) => {
    for (const { compare } of levels) {
      const difference = compare(left, right);
      if (difference !== 0) return difference;
    }
    return 0;
  },
}));

/** One query: its options, with what they mean in plain code. */
export interface Asked extends Condition, Order {
  readonly source: 'tasks' | 'work' | 'list' | Asked;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly isFiltered: boolean;
  readonly groupBy: 'state' | 'size' | 'due' | 'title';
}

const window = fc.option(fc.constantFrom(-1, NaN, 0, 1, 1.5, 2, 3.5), { nil: undefined });
/** Negative numbers and NaN are 0, and fractions are cut off. */
const whole = (count: number): number => Math.max(0, Math.trunc(count) || 0);

export const asked: fc.Arbitrary<Asked> = fc.letrec<{ one: Asked }>((tie) => ({
  one: fc
    .record({
      source: fc.oneof(
        { maxDepth: 2 },
        {
          weight: 4,
          arbitrary: fc.constantFrom('tasks' as const, 'tasks' as const, 'work' as const, 'list' as const),
        },
        { weight: 1, arbitrary: tie('one') },
      ),
      condition,
      order,
      limit: window,
      offset: window,
      isFiltered: fc.integer({ min: 0, max: 2 }).map((one) => one === 0),
      groupBy: fc.constantFrom('state' as const, 'size' as const, 'due' as const, 'title' as const),
    })
    .map(({ condition, order, ...rest }) => {
      const { where } = condition;
      const { orderBy } = order;
      const text = (): string => fc.stringify({ where, orderBy, ...rest });
      return { ...condition, ...order, ...rest, [fc.toStringMethod]: text };
    }),
})).one;

/** Queries of one index, whose conditions on plain fields it may find in sorted lists. */
export const askedOfOneIndex: fc.Arbitrary<readonly Asked[]> = fc.array(
  fc.record({ condition: plainLeaf, limit: window }).map(({ condition, limit }): Asked => {
    const rest = { source: 'tasks', limit, offset: undefined, isFiltered: false, groupBy: 'state' } as const;
    const { where } = condition;
    const text = (): string => fc.stringify({ where, ...rest });
    return {
      ...condition,
      ...rest,
      orderBy: undefined,
      compare: () => 0,
      [fc.toStringMethod]: text,
    } as Asked; // with its text
  }),
  { minLength: 2, maxLength: 5 },
);

/** So many tasks that the ranges of their fields are found in sorted lists. */
export function manyTasks(): object[] {
  return Array.from({ length: 1_010 }, (_, at) => ({
    id: `many${String(at)}`,
    state: ['open', 'done', 'late'][at % 3],
    size: [null, -1, 0, 0.5, 2, 3][at % 6],
    title: ['', 'a', 'B', 'ab', 'Ba', 'ä', 'c'][at % 7],
    due: new Date((at % 4) * 86_400_000).toISOString(),
  }));
}

/** A filter, which a member does not pass whose owner is on a team in a city without a name. */
export const passes: Test = ({ title, owner }) => title.length < 2 && owner?.team.city !== '';

const allTasks = new All(AssignedTask);
const allWork = new All(Work);

/** The first argument of `get`, of which only this much is needed. */
export interface Reader {
  get(schema: unknown, ...args: readonly unknown[]): unknown;
}

/** What a query gives, said in plain code over all rows. */
export function expected(reader: Reader, one: Asked): readonly AssignedTask[] | undefined {
  const { source, test, compare, orderBy, limit = Infinity, offset = 0, isFiltered } = one;
  const members =
    source === 'tasks'
      ? reader.get(allTasks)
      : source === 'work'
        ? reader.get(allWork)
        : source === 'list'
          ? reader.get(list)
          : expected(reader, source);
  const met = (members as readonly AssignedTask[] | undefined)?.filter(
    (task) => test(task) && (!isFiltered || passes(task)),
  );
  const isSorted = orderBy !== undefined || source === 'tasks' || source === 'work';
  const start = whole(offset);
  return (
    isSorted ? met?.sort((left, right) => compare(left, right) || byPk(left.id, right.id)) : met
  )?.slice(start, start + Math.max(0, limit));
}

function byPk(left: string, right: string): number {
  if (left === right) return 0;
  const [one, other] = [left, right].map((pk) => (/^\d+$/.test(pk) ? Number(pk) : Infinity)) as [
    number,
    number,
  ];
  return one === other ? (left < right ? -1 : 1) : one - other;
}

/** The source of a query; where that is a query, with its own options. */
export function sourceOf({ source }: Asked): typeof AssignedTask {
  const found: SelectSource =
    source === 'tasks'
      ? AssignedTask
      : source === 'work'
        ? Work
        : source === 'list'
          ? list
          : new Select(sourceOf(source), optionsOf(source));
  return found as typeof AssignedTask; // all have members of this shape
}

/** The options of a query, as constants. */
export function optionsOf({ where, orderBy, limit, offset, isFiltered }: Asked) {
  return {
    where,
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(isFiltered ? { filter: passes } : {}),
  };
}
