import { HoldfastError } from '../../util/errors.ts';
import { isPlain } from '../../util/isPlain.ts';
import type { EntityClass } from '../Schema.ts';
import { compareValues, isRanged } from './compareValues.ts';
import { comparable, fieldOf, type ReadField } from './fields.ts';
import type { RowReader, Subject } from './relations.ts';
import { SortedList } from './SortedList.ts';

/** One value of an aggregate: its kind and its field. */
export interface Measure {
  readonly name: string;
  readonly kind: 'count' | 'sum' | 'avg' | 'min' | 'max';
  /** Undefined for the number of members. */
  readonly read: ReadField | undefined;
}

const KINDS: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max']);

/**
 * Compiles the `values` of an aggregate.
 *
 * @throws HoldfastError `HF_NOT_QUERYABLE` for an unknown kind of value, or any but a count of a relation
 */
export function measuresOf(entities: readonly EntityClass[], values: object): readonly Measure[] {
  return Object.entries(values).map(([name, value]: [string, unknown]) => {
    if (value === 'count') return { name, kind: 'count', read: undefined };
    const [[kind, field] = []] = isPlain(value) ? Object.entries(value) : [];
    if (kind === undefined || !KINDS.has(kind) || typeof field !== 'string')
      throw new HoldfastError(
        'HF_NOT_QUERYABLE',
        `values.${name} must be 'count', or one of count, sum, avg, min and max of a field, as in { max: 'updatedAt' }`,
      );
    const { read, readStored, relation } = fieldOf(entities, field);
    // A stored reference counts whether or not its row is there, so that no other table decides the count.
    if (relation !== undefined && kind === 'count')
      return { name, kind, read: ({ fields }) => readStored(fields) };
    if (relation !== undefined) throw relationRefused(`values.${name}`, field);
    return { name, kind: kind as Measure['kind'], read }; // checked above
  });
}

function relationRefused(where: string, field: string): HoldfastError {
  return new HoldfastError(
    'HF_NOT_QUERYABLE',
    `${where} takes a plain value, but ${field} is a relation; store its pk in a field of its own and use that`,
  );
}

/** The values that a member contributes to its group. */
interface Contribution {
  readonly group: string;
  readonly values: readonly unknown[];
}

/** Reads the contribution of a member. */
export class Contributions {
  readonly measures: readonly Measure[];
  readonly isGrouped: boolean;
  readonly #readGroup: ReadField | undefined;

  constructor(entities: readonly EntityClass[], values: object, groupBy: string | undefined) {
    this.measures = measuresOf(entities, values);
    this.isGrouped = groupBy !== undefined;
    if (groupBy === undefined) return;
    const { read, relation } = fieldOf(entities, groupBy);
    if (relation !== undefined) throw relationRefused('groupBy', groupBy);
    this.#readGroup = read;
  }

  of(subject: Subject, reader: RowReader): Contribution {
    return {
      group: this.#readGroup === undefined ? '' : String(comparable(this.#readGroup(subject, reader))),
      values: this.measures.map(({ read }) => read?.(subject, reader)),
    };
  }
}

/** Incremental counts, sums and extreme values by group. */
export class Tally {
  readonly #contributions: Contributions;
  readonly #groups = new Map<string, Group>();
  readonly #members = new Map<unknown, Contribution>();
  #result: Result | undefined;
  #isOutdated = true;

  /** @param former - the last result; what is the same in it is kept */
  constructor(contributions: Contributions, former?: Result) {
    this.#contributions = contributions;
    this.#result = former;
    if (!contributions.isGrouped) this.#groups.set('', new Group(contributions.measures, former));
  }

  /**
   * Adds, replaces or removes a member.
   *
   * @param subject - undefined if it is no longer a member
   * @returns whether the result has changed
   */
  set(id: unknown, subject: Subject | undefined, reader: RowReader): boolean {
    const before = this.#members.get(id);
    const after = subject === undefined ? undefined : this.#contributions.of(subject, reader);
    if (before === undefined && after === undefined) return false;
    if (before !== undefined && after !== undefined && isSame(before, after)) return false;
    if (before !== undefined) this.#groups.get(before.group)?.remove(before.values);
    if (after === undefined) {
      this.#members.delete(id);
    } else {
      this.#members.set(id, after);
      let group = this.#groups.get(after.group);
      if (group === undefined)
        this.#groups.set(
          after.group,
          (group = new Group(this.#contributions.measures, this.#formerGroup(after.group))),
        );
      group.add(after.values);
    }
    this.#isOutdated = true;
    return true;
  }

  #formerGroup(name: string): Result | undefined {
    const former = this.#result;
    return former !== undefined && Object.hasOwn(former, name) ? (former[name] as Result) : undefined; // of groups
  }

  /** How many members there are. */
  get size(): number {
    return this.#members.size;
  }

  /** By group, or of all; the same object while nothing in it changes. */
  get result(): unknown {
    if (!this.#contributions.isGrouped) return this.#groups.get('')?.result;
    if (this.#isOutdated) {
      for (const [name, group] of this.#groups) if (group.size === 0) this.#groups.delete(name);
      this.#result = resultOf(
        [...this.#groups].map(([name, group]) => [name, group.result]),
        this.#result,
      );
      this.#isOutdated = false;
    }
    return this.#result;
  }
}

/** The values of an aggregate or of a group, by name; or the groups. */
export type Result = Readonly<Record<string, unknown>>;

/** An object with these members; the former one if it has the same. Other members may have led to the same values. */
function resultOf(
  members: readonly (readonly [name: string, value: unknown])[],
  former: Result | undefined,
): Result {
  const isSame =
    former !== undefined &&
    Object.keys(former).length === members.length &&
    members.every(
      ([name, value]) =>
        Object.hasOwn(former, name) && Object.is(comparable(value), comparable(former[name])),
    );
  // Entries define members, so that `__proto__` is a group like any other.
  return isSame ? former : Object.freeze(Object.fromEntries(members));
}

function isSame(before: Contribution, after: Contribution): boolean {
  return (
    before.group === after.group &&
    before.values.every((value, at) => Object.is(comparable(value), comparable(after.values[at])))
  );
}

/** The values of one group. */
class Group {
  size = 0;
  readonly #measures: readonly Measure[];
  readonly #totals: readonly Total[];
  #result: Result | undefined;
  #isOutdated = true;

  constructor(measures: readonly Measure[], former: Result | undefined) {
    this.#measures = measures;
    this.#result = former;
    this.#totals = measures.map(({ kind }) =>
      kind === 'min' || kind === 'max' ? new Extremes() : new Sum(),
    );
  }

  add(values: readonly unknown[]): void {
    this.size += 1;
    this.#totals.forEach((total, at) => total.add(values[at]));
    this.#isOutdated = true;
  }

  remove(values: readonly unknown[]): void {
    this.size -= 1;
    this.#totals.forEach((total, at) => total.remove(values[at]));
    this.#isOutdated = true;
  }

  get result(): Result {
    if (this.#result === undefined || this.#isOutdated)
      this.#result = resultOf(
        this.#measures.map((measure, at) => [measure.name, this.#valueOf(measure, at)]),
        this.#result,
      );
    this.#isOutdated = false;
    return this.#result;
  }

  #valueOf({ kind, read }: Measure, at: number): unknown {
    const total = this.#totals[at];
    if (total instanceof Extremes) return kind === 'min' ? total.min : total.max;
    if (!(total instanceof Sum)) return undefined;
    if (kind === 'count') return read === undefined ? this.size : total.present;
    if (kind === 'sum') return total.sum;
    return total.numbers === 0 ? undefined : total.sum / total.numbers;
  }
}

interface Total {
  add(value: unknown): void;
  remove(value: unknown): void;
}

/** A compensated sum, which does not drift as members are added and removed. */
class Sum implements Total {
  /** How many values are neither null nor undefined. */
  present = 0;
  numbers = 0;
  #sum = 0;
  #lost = 0;

  get sum(): number {
    return this.#sum + this.#lost;
  }

  add(value: unknown): void {
    this.#count(value, 1);
  }

  remove(value: unknown): void {
    this.#count(value, -1);
  }

  #count(value: unknown, sign: 1 | -1): void {
    if (value !== null && value !== undefined) this.present += sign;
    if (typeof value !== 'number' || !Number.isFinite(value)) return;
    this.numbers += sign;
    const added = sign * value;
    const sum = this.#sum + added;
    // Neumaier's variant of Kahan's summation.
    this.#lost += Math.abs(this.#sum) >= Math.abs(added) ? this.#sum - sum + added : added - sum + this.#sum;
    this.#sum = sum;
    if (this.numbers === 0) this.#sum = this.#lost = 0;
  }
}

/** The minimum and maximum of values, each with its number of occurrences. */
class Extremes implements Total {
  readonly #sorted = new SortedList<unknown>((left, right) =>
    compareValues(comparable(left), comparable(right)),
  );
  readonly #counts = new Map<unknown, number>();

  get min(): unknown {
    return this.#sorted.first;
  }

  get max(): unknown {
    return this.#sorted.last;
  }

  add(value: unknown): void {
    if (!isRanged(comparable(value))) return;
    const count = this.#counts.get(comparable(value)) ?? 0;
    this.#counts.set(comparable(value), count + 1);
    if (count === 0) this.#sorted.add(value);
  }

  remove(value: unknown): void {
    const count = this.#counts.get(comparable(value));
    if (count === undefined) return;
    if (count > 1) {
      this.#counts.set(comparable(value), count - 1);
    } else {
      this.#counts.delete(comparable(value));
      this.#sorted.remove(value);
    }
  }
}
