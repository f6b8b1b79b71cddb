import { belongsIn, collectionArgs } from '../schema/collectionArgs.ts';
import { holdsAll, withAdded } from '../schema/members.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { Addition } from '../schema/Schema.ts';
import { adopt, equal } from '../util/adopt.ts';
import type { StoredRow } from './State.ts';

/** What is added to the lists of a table. */
export interface ListAddition extends Addition {
  readonly table: string;
  /** The one list, which is made where there is none; undefined for all that are stored. */
  readonly pk: string | undefined;
  readonly meta: Meta;
}

/** What the value of a row is made of, until somebody reads it. */
interface Growth {
  readonly before: StoredRow | undefined;
  readonly additions: readonly Addition[];
  /** The row that readers have, if they have another than `before`. */
  shown: StoredRow | undefined;
}

/** A stored list with something added. */
class GrownRow implements StoredRow {
  declare readonly value: EntityValue | undefined;
  readonly meta: Meta;
  /** Undefined once the value has been read. */
  #growth: Growth | undefined;
  /** The list that it has grown from, the same for all that have; that one need not be kept for it. */
  readonly #origin: WeakRef<StoredRow>;

  constructor(before: StoredRow | undefined, additions: readonly Addition[], meta: Meta) {
    this.meta = meta;
    this.#growth = { before, additions, shown: undefined };
    this.#origin = before instanceof GrownRow ? before.#origin : new WeakRef(before ?? this);
    // An own property, as structured clone and spreading want it.
    Object.defineProperty(this, 'value', {
      get: () => GrownRow.#grow(this),
      enumerable: true,
      configurable: true,
    });
  }

  get isGrowing(): boolean {
    return this.#growth !== undefined;
  }

  hasGrownFrom(before: StoredRow): boolean {
    return before instanceof GrownRow ? before.#origin === this.#origin : this.#origin.deref() === before;
  }

  expectAsShown(shown: StoredRow): void {
    if (this.#growth !== undefined) this.#growth.shown = shown;
  }

  static #grow(row: GrownRow): EntityValue | undefined {
    const groups: (readonly Addition[])[] = [];
    let start: StoredRow | undefined = row;
    // A list of its own, since there may be thousands.
    while (start instanceof GrownRow && start.#growth !== undefined) {
      groups.push(start.#growth.additions);
      start = start.#growth.before;
    }
    const before = start?.value;
    const members = withAdded(before?.['members'], groups.reverse().flat());
    const own = adopt({ ...before, members }, before) as EntityValue; // adopt() keeps the type
    const shown = row.#growth?.shown?.value;
    const value = equal(own, shown) ? shown : own;
    Object.defineProperty(row, 'value', { value, enumerable: true, configurable: true });
    row.#growth = undefined;
    return value;
  }
}

/**
 * The row of a stored list with something added. Its value is made when it is first read: of a list that many have
 * added to since it was last looked at, all that was added in one pass. Otherwise each would copy the list.
 */
export function grownRow(
  before: StoredRow | undefined,
  additions: readonly Addition[],
  meta: Meta,
): StoredRow {
  return new GrownRow(before, additions, meta);
}

/** Whether two rows are of one list, to which nothing has been done between them but adding. */
export function isGrown(before: StoredRow | undefined, after: StoredRow): boolean {
  return before !== undefined && after instanceof GrownRow && after.hasGrownFrom(before);
}

/**
 * A list with something added.
 *
 * @param row - the list, if it is stored
 * @returns `row` where the addition does not belong in it or is there already
 */
export function withAddition(
  row: StoredRow | undefined,
  pk: string,
  addition: ListAddition,
): StoredRow | undefined {
  const { added, meta, where } = addition;
  if (added.length === 0 || (addition.pk === undefined && !isThere(row))) return row;
  if (!belongsIn(collectionArgs(pk), where)) return row;
  if (row === undefined) return grownRow(row, [addition], meta);
  if (!isGrowing(row) && row.value !== undefined && holdsAll(row.value['members'], added)) return row;
  const isOld = isOlder(meta, row.meta);
  // What was answered before the list was asked for is in it, or is no longer.
  if (isOld && row.meta.answered === 0 && meta.answered !== 0) return row;
  // Additions commute, so one that is older than another is made all the same.
  return grownRow(row, [addition], isOld ? row.meta : meta);
}

/** Whether a row is stored, and none of something deleted. */
export function isThere(row: StoredRow | undefined): row is StoredRow {
  return row !== undefined && (isGrowing(row) || row.value !== undefined);
}

/** Whether a row is one of a list that nobody has looked at since something was added. */
export function isGrowing(row: StoredRow): boolean {
  return row instanceof GrownRow && row.isGrowing;
}

/** Where a list comes out as readers have it, it keeps the identity of that. */
export function expectAsShown(row: StoredRow, shown: StoredRow | undefined): void {
  // What nobody has looked at has no identity to keep.
  if (row instanceof GrownRow && shown !== undefined && !isGrowing(shown)) row.expectAsShown(shown);
}
