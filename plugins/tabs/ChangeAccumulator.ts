import { isDerivedList, type Commit, type ListChange, type Meta } from 'holdfast';
import { getOrInsert } from '../shared/getOrInsert.ts';

/** The changes of commits, without the current values. */
export class ChangeAccumulator {
  /** Table → pk → the row's meta before the first of these commits. */
  readonly rows = new Map<string, Map<string, Meta | undefined>>();
  readonly results = new Set<string>();
  /** List changes, in order: each tab applies them to the lists it has. */
  readonly listChanges: ListChange[] = [];
  /** Plugin → key → record; undefined for a deleted one. */
  readonly side = new Map<string, Map<string, unknown>>();

  /** The number of changes. */
  get size(): number {
    let size = this.results.size + this.listChanges.length;
    for (const changed of [this.rows, this.side])
      for (const members of changed.values()) size += members.size;
    return size;
  }

  /** Adds the changes of a commit to the confirmed state. */
  addCommit({ base, baseChanges, listChanges, side }: Commit): void {
    const unshared = new Set<string>();
    for (const change of listChanges)
      if (canBroadcast(change)) this.listChanges.push(change);
      else unshared.add(change.table);
    for (const [table, rows] of baseChanges.rows)
      for (const [pk, before] of rows) {
        const after = base.tables[table]?.get(pk);
        // The list changes are enough, also for a tab with a different list.
        if (after === undefined || unshared.has(table) || !isDerivedList(before, after))
          this.#row(table, pk, before?.meta);
      }
    for (const key of baseChanges.results.keys()) {
      // Errors stay in their tab; they also need not be cloneable.
      if (base.results.get(key)?.error === undefined) this.results.add(key);
    }
    for (const [plugin, records] of Object.entries(side))
      for (const [key, record] of records) this.#record(plugin, key, record);
  }

  /** Adds later changes. */
  append(later: ChangeAccumulator): void {
    for (const [table, rows] of later.rows) for (const [pk, over] of rows) this.#row(table, pk, over);
    for (const key of later.results) this.results.add(key);
    for (const change of later.listChanges) this.listChanges.push(change);
    for (const [plugin, records] of later.side)
      for (const [key, record] of records) this.#record(plugin, key, record);
  }

  #row(table: string, pk: string, over: Meta | undefined): void {
    const rows = memberOf(this.rows, table);
    if (!rows.has(pk)) rows.set(pk, over);
  }

  #record(plugin: string, key: string, record: unknown): void {
    memberOf(this.side, plugin).set(key, record);
  }
}

/**
 * Whether a change is plain data for all lists; a change of a single list, by a page, is sent as the list itself.
 */
function canBroadcast({ where, pk, how }: ListChange): boolean {
  return pk === undefined && typeof how !== 'function' && typeof where !== 'function';
}

/** The members of a group, which is added if it is missing. */
function memberOf<T>(groups: Map<string, Map<string, T>>, name: string): Map<string, T> {
  return getOrInsert(groups, name, () => new Map<string, T>());
}
