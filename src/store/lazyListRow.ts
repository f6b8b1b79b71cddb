import { collectionArgs, isMeantFor } from '../schema/collection/collectionArgs.ts';
import { withChanges } from '../schema/collection/members.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { MembersChange, Schema } from '../schema/Schema.ts';
import { adopt, equal } from '../util/adopt.ts';
import { renamedRow } from './renames.ts';
import type { State, StoredRow } from './State.ts';

/** A change of the lists of a table. */
export interface ListChange extends MembersChange {
  readonly table: string;
  /** The list to change, created if it does not exist; undefined for all stored lists. */
  readonly pk: string | undefined;
  readonly meta: Meta;
}

/**
 * A change of all lists of a table that only the server knows: they are stale. Tabs of earlier builds ignore it, since it
 * removes no items.
 */
export const UNKNOWN_CHANGE = {
  pk: undefined,
  items: [],
  how: 'remove',
  where: { path: undefined, args: [], exempt: undefined, fields: [] },
} as const;

/** Whether only the server knows what has changed. */
export function isUnknownChange({ items, how }: ListChange): boolean {
  return how === 'remove' && items.length === 0;
}

/** The pending changes of a row whose value has not been computed yet. */
interface UnreadChanges {
  readonly before: StoredRow | undefined;
  readonly listChanges: readonly MembersChange[];
  /** The row that readers have, if it differs from `before`. */
  visible: StoredRow | undefined;
}

/** The row of a list with pending changes. */
class LazyListRow implements StoredRow {
  declare readonly value: EntityValue | undefined;
  readonly meta: Meta;
  /** Undefined once the value has been computed. */
  #unread: UnreadChanges | undefined;
  /** The first row in the chain of appends, shared by all that derive from it. Held weakly. */
  readonly #origin: WeakRef<StoredRow>;

  constructor(before: StoredRow | undefined, listChanges: readonly MembersChange[], meta: Meta) {
    this.meta = meta;
    this.#unread = { before, listChanges, visible: undefined };
    this.#origin = before instanceof LazyListRow ? before.#origin : new WeakRef(before ?? this);
    // An own property, as structured clone and object spread require.
    Object.defineProperty(this, 'value', {
      get: () => LazyListRow.#materialize(this),
      enumerable: true,
      configurable: true,
    });
  }

  get hasUnreadChanges(): boolean {
    return this.#unread !== undefined;
  }

  derivesFrom(before: StoredRow): boolean {
    return before instanceof LazyListRow ? before.#origin === this.#origin : this.#origin.deref() === before;
  }

  reuseIfEqual(visible: StoredRow): void {
    if (this.#unread !== undefined) this.#unread.visible = visible;
  }

  static #materialize(row: LazyListRow): EntityValue | undefined {
    const groups: (readonly MembersChange[])[] = [];
    let start: StoredRow | undefined = row;
    // A loop instead of recursion: there may be thousands.
    while (start instanceof LazyListRow && start.#unread !== undefined) {
      groups.push(start.#unread.listChanges);
      start = start.#unread.before;
    }
    const before = start?.value;
    const members = withChanges(before?.['members'], groups.reverse().flat());
    const own = adopt({ ...before, members }, before);
    const visible = row.#unread?.visible?.value;
    const value = equal(own, visible) ? visible : own;
    Object.defineProperty(row, 'value', { value, enumerable: true, configurable: true });
    row.#unread = undefined;
    return value;
  }
}

/**
 * A list row that computes its value on first read. All changes since the last read are applied in one pass;
 * otherwise each of them would copy the list.
 */
export function lazyListRow(
  before: StoredRow | undefined,
  listChanges: readonly MembersChange[],
  meta: Meta,
): StoredRow {
  return new LazyListRow(before, listChanges, meta);
}

/** Whether one row of a list differs from another by list changes only. */
export function isDerivedList(before: StoredRow | undefined, after: StoredRow): boolean {
  return before !== undefined && after instanceof LazyListRow && after.derivesFrom(before);
}

/**
 * A list row with a change applied.
 *
 * @param row - the list, if it is stored
 * @param state - knows what was renamed since
 * @param schema - of the table's rows
 * @returns `row` if the change is not for this list or changes nothing
 */
export function withListChange(
  row: StoredRow | undefined,
  pk: string,
  change: ListChange,
  state?: State,
  schema?: Schema,
): StoredRow | undefined {
  const { items, how, meta } = change;
  if (change.pk === undefined && !isLive(row)) return row;
  if (row !== undefined && isUnknownChange(change) && !isOlder(meta, row.meta))
    return lazyListRow(row, [], { ...row.meta, expiresAt: 0 });
  // The first page of a list that is not stored may be empty, too.
  if (items.length === 0 && row !== undefined) return row;
  if (!isMeantFor(collectionArgs(pk), change)) return row;
  const isPage = change.pk !== undefined && meta.answered === 0;
  if (row === undefined) return lazyListRow(row, [change], isPage ? pageMeta(meta) : meta);
  const isPending = meta.order === Infinity;
  // What a layer adds is as old as the list that it is added to.
  const current = isPending ? row : renamedRow(state, schema, row, meta);
  const isOld = isOlder(meta, row.meta);
  // If it was answered before the list was requested, the list already includes it, or its removal.
  if (isOld && row.meta.answered === 0 && meta.answered !== 0) return row;
  let known: MembersChange = change;
  // What this computes is kept. A function of the app is called once, and here, where its error fails the write.
  if (typeof how === 'function' || !hasUnreadChanges(current)) {
    const present = current.value?.['members'];
    const members = withChanges(present, [change]);
    if (current.value !== undefined && equal(members, present)) return row;
    known = { ...change, how: () => members };
  }
  // Additions commute, so an older change is applied too. A read that began before its answer may lack it.
  const older = { ...row.meta, answered: Math.max(row.meta.answered, meta.answered) };
  const metaNow = isPage ? pageMeta(meta, row.meta) : isOld ? older : meta;
  return lazyListRow(current, [known], isPending ? row.meta : metaNow);
}

/**
 * The meta of a list after a further page. The rest of the list is as old as before: it goes stale as before, and a
 * refetch that began before the page replaces it. Without the rest, the list is stale and older than any other. If tabs
 * add different pages to one list, the page that was received last decides.
 */
export function pageMeta(page: Meta, list?: Meta): Meta {
  if (list === undefined) return { ...page, order: 0, expiresAt: 0 };
  return { ...list, order: list.order + 1, receivedAt: page.receivedAt };
}

/** Whether a row is stored and not deleted. */
export function isLive(row: StoredRow | undefined): row is StoredRow {
  return row !== undefined && (hasUnreadChanges(row) || row.value !== undefined);
}

/** Whether a list row has changes that have not been read yet. */
export function hasUnreadChanges(row: StoredRow): boolean {
  return row instanceof LazyListRow && row.hasUnreadChanges;
}

/** Reuses the readers' value if the computed one equals it. */
export function reuseIfEqual(row: StoredRow, visible: StoredRow | undefined): void {
  // A value that was never read has no identity to keep.
  if (row instanceof LazyListRow && visible !== undefined && !hasUnreadChanges(visible))
    row.reuseIfEqual(visible);
}
