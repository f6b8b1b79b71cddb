/** The fields of a row. */
export type Fields = Readonly<Record<string, unknown>>;
interface List {
  readonly order: number;
  readonly pks: readonly string[];
}
interface Version {
  readonly order: number;
  readonly fields: Fields;
}

/** Older fills in, newer wins: what a row is that two tabs wrote parts of. */
function merged(one: Version | undefined, other: Version): Version {
  if (one === undefined) return other;
  const [older, newer] = one.order <= other.order ? [one, other] : [other, one];
  return { order: newer.order, fields: { ...older.fields, ...newer.fields } };
}

/** A disk and the memories of its tabs, as they should be. */
export class Model {
  readonly disk: Map<string, Version>;
  /** What the disk has held of each row. */
  readonly #past: Map<string, readonly Version[]>;
  list: List | undefined;
  /** What the disk has held of the list, the last one first. */
  #pastLists: readonly List[];
  /** How often a list was written, the newest one or not. */
  listWrites: number;
  readonly tabs: readonly [TabModel, TabModel];

  /** @param from - what it is a copy of */
  constructor(from?: Model) {
    this.disk = new Map(from?.disk);
    this.#past = new Map(from === undefined ? [] : from.#past);
    this.list = from?.list;
    this.#pastLists = from === undefined ? [] : from.#pastLists;
    this.listWrites = from?.listWrites ?? 0;
    this.tabs = [new TabModel(from?.tabs[0]), new TabModel(from?.tabs[1])];
  }

  /** What the disk holds. */
  get stored(): Record<string, Fields> {
    return fieldsOf(this.disk);
  }

  /**
   * Both tabs at once, one of them before the other; then both hold what is on disk.
   *
   * @param hasMet - whether the other one had read what the disk had of its rows by then, and so held all of each
   * @param hasRead - whether the other one reads what the first has written before it writes
   */
  flushBoth(first: 0 | 1, hasMet: boolean, hasRead = false): this {
    const second = this.tabs[first === 0 ? 1 : 0];
    if (hasMet) this.#meet(second);
    this.flush(this.tabs[first]);
    if (hasRead) this.catchUp(second);
    this.flush(second);
    for (const memory of this.tabs) this.catchUp(memory);
    return this;
  }

  flush(tab: TabModel): void {
    if (tab.pending.size === 0 && !tab.isListPending) return;
    this.#look(tab);
    this.#meet(tab);
    for (const pk of tab.pending) {
      const version = tab.rows.get(pk) as Version; // pending rows are in memory
      this.disk.set(pk, version);
      this.#past.set(pk, [version, ...(this.#past.get(pk) ?? [])].slice(0, 4));
    }
    tab.pending.clear();
    if (!tab.isListPending || tab.list === undefined) return;
    this.#pastLists = [tab.list, ...this.#pastLists].slice(0, 4);
    if (tab.list.order > (this.list?.order ?? 0)) this.list = tab.list;
    tab.isListPending = false;
    this.listWrites += 1;
    tab.listWritesSeen = this.listWrites;
  }

  /** All that the tabs hold is to be written. */
  touchAll(): void {
    for (const tab of this.tabs) {
      for (const pk of tab.rows.keys()) tab.pending.add(pk);
      tab.isListPending = tab.list !== undefined;
    }
  }

  /**
   * A record that held these rows is gone, and the tabs hold what is left: of each row what another record holds, which
   * may be the same, an earlier version, or nothing; of the list likewise.
   *
   * @param isListLost - whether the record held the list, too
   */
  without(pks: readonly string[], isListLost: boolean): [Model, ...Model[]] {
    // The tab that finds the loss may write the list again: others that hold one then read its rows.
    const rewritten = new Model(this);
    rewritten.listWrites += 1;
    let ways: [Model, ...Model[]] = [new Model(this), rewritten];
    for (const list of isListLost ? new Set([undefined, ...this.#pastLists]) : []) {
      const other = new Model(this);
      other.list = list;
      ways.push(other);
    }
    for (const pk of new Set(pks)) {
      const left = [undefined, ...(this.#past.get(pk)?.slice(1) ?? [])];
      const others = ways.flatMap((way) =>
        left.map((version) => {
          const other = new Model(way);
          if (version === undefined) other.disk.delete(pk);
          else other.disk.set(pk, version);
          return other;
        }),
      );
      ways = [...ways, ...others];
    }
    for (const way of ways) {
      way.touchAll();
      for (const tab of way.tabs) way.catchUp(tab);
    }
    return ways;
  }

  /** The database is gone. */
  vanish(): void {
    this.disk.clear();
    this.list = undefined;
    this.touchAll();
  }

  /** A tab reads its rows again, and the rows of its list if another tab has written that. */
  catchUp(tab: TabModel): void {
    this.#look(tab);
    const { list } = this;
    const pks = new Set([...tab.rows.keys(), ...(tab.isListOutdated ? (list?.pks ?? []) : [])]);
    for (const pk of pks) {
      const stored = this.disk.get(pk);
      const row = tab.rows.get(pk);
      if (stored !== undefined) tab.rows.set(pk, row === undefined ? stored : merged(stored, row));
    }
    if (tab.isListOutdated && list !== undefined && list.order > (tab.list?.order ?? 0)) tab.list = list;
    tab.isListOutdated = false;
  }

  /** What a tab is about to write meets what is on disk of it. */
  #meet({ pending, rows }: TabModel): void {
    for (const pk of pending) rows.set(pk, merged(this.disk.get(pk), rows.get(pk) as Version)); // pending rows are in memory
  }

  /** A list that others write is of interest to a tab that holds one by the time it sees that. */
  #look(tab: TabModel): void {
    if (tab.listWritesSeen < this.listWrites && tab.list !== undefined) tab.isListOutdated = true;
    tab.listWritesSeen = this.listWrites;
  }
}

/** What one tab holds. */
export class TabModel {
  rows: Map<string, Version>;
  readonly pending: Set<string>;
  list: List | undefined;
  isListPending: boolean;
  /** Of the times that a list was written, how many it has seen. */
  listWritesSeen: number;
  /** Whether others have written the list that it holds. */
  isListOutdated: boolean;

  /** @param from - what it is a copy of */
  constructor(from?: TabModel) {
    this.rows = new Map(from?.rows);
    this.pending = new Set(from?.pending);
    this.list = from?.list;
    this.isListPending = from?.isListPending ?? false;
    this.listWritesSeen = from?.listWritesSeen ?? 0;
    this.isListOutdated = from?.isListOutdated ?? false;
  }

  /** What it shows. */
  get shown(): Record<string, Fields> {
    return fieldsOf(this.rows);
  }

  set(pk: string, order: number, fields: Fields): void {
    this.rows.set(pk, merged(this.rows.get(pk), { order, fields: { id: pk, ...fields } }));
    this.pending.add(pk);
  }

  startAnew({ disk, list, listWrites }: Model): void {
    this.rows = new Map(disk);
    this.pending.clear();
    this.list = list;
    this.isListPending = false;
    this.listWritesSeen = listWrites;
    this.isListOutdated = false;
  }
}

function fieldsOf(rows: ReadonlyMap<string, Version>): Record<string, Fields> {
  return Object.fromEntries([...rows].map(([pk, { fields }]) => [pk, fields]));
}
