import { isGrown, type Commit, type ListAddition, type Meta } from 'holdfast';

/** What commits have changed, without how it stands now. */
export class Touched {
  /** Table → pk → the meta of the row before the first of these commits. */
  readonly rows = new Map<string, Map<string, Meta | undefined>>();
  readonly results = new Set<string>();
  /** What was added to lists, in this order: each tab adds it to those that it has. */
  readonly additions: ListAddition[] = [];
  /** Plugin → key → record, undefined for a deleted one. */
  readonly side = new Map<string, Map<string, unknown>>();

  /** How many things have been changed. */
  get size(): number {
    let size = this.results.size + this.additions.length;
    for (const changed of [this.rows, this.side])
      for (const members of changed.values()) size += members.size;
    return size;
  }

  /** Takes up what a commit changed in the confirmed state. */
  addCommit({ base, baseChanges, additions, side }: Commit): void {
    const untold = new Set<string>();
    for (const addition of additions)
      if (isTellable(addition)) this.additions.push(addition);
      else untold.add(addition.table);
    for (const [table, rows] of baseChanges.rows)
      for (const [pk, before] of rows) {
        const after = base.tables[table]?.get(pk);
        // What was added says all of it, also to a tab whose list is another.
        if (after === undefined || untold.has(table) || !isGrown(before, after))
          this.#row(table, pk, before?.meta);
      }
    for (const key of baseChanges.results.keys()) {
      // Errors stay with the tab that met them; they also need not survive structured clone.
      if (base.results.get(key)?.error === undefined) this.results.add(key);
    }
    for (const [plugin, records] of Object.entries(side))
      for (const [key, record] of records) this.#record(plugin, key, record);
  }

  /** Takes up what was changed later than all that is here. */
  append(later: Touched): void {
    for (const [table, rows] of later.rows) for (const [pk, over] of rows) this.#row(table, pk, over);
    for (const key of later.results) this.results.add(key);
    this.additions.push(...later.additions);
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

/** Whether it is data, and of any list: one list that is made for a page is told as it stands. */
function isTellable({ where, pk }: ListAddition): boolean {
  return pk === undefined && typeof where !== 'function';
}

function memberOf<T>(groups: Map<string, Map<string, T>>, name: string): Map<string, T> {
  let members = groups.get(name);
  if (members === undefined) groups.set(name, (members = new Map<string, T>()));
  return members;
}
