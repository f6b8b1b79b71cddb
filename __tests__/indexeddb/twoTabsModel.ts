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
  list: List | undefined;
  readonly tabs: readonly [TabModel, TabModel];

  /** @param from - what it is a copy of */
  constructor(from?: Model) {
    this.disk = new Map(from?.disk);
    this.list = from?.list;
    this.tabs = [new TabModel(from?.tabs[0]), new TabModel(from?.tabs[1])];
  }

  /** What the disk holds. */
  get stored(): Record<string, Fields> {
    return fieldsOf(this.disk);
  }

  /** Both tabs at once, one of them before the other; then both hold what is on disk. */
  flushBoth(first: 0 | 1): this {
    this.flush(this.tabs[first]);
    this.flush(this.tabs[first === 0 ? 1 : 0]);
    for (const memory of this.tabs) this.catchUp(memory);
    return this;
  }

  flush(tab: TabModel): void {
    for (const pk of tab.pending) {
      const row = merged(this.disk.get(pk), tab.rows.get(pk) as Version); // pending rows are in memory
      this.disk.set(pk, row);
      tab.rows.set(pk, row);
    }
    tab.pending.clear();
    if (tab.isListPending && tab.list !== undefined && tab.list.order > (this.list?.order ?? 0))
      this.list = tab.list;
    tab.isListPending = false;
  }

  /** What a tab holds it gets anew, and where that is a list, what the list names. */
  catchUp(tab: TabModel): void {
    const { list } = this;
    const isOutdated = tab.list !== undefined && list !== undefined && list !== tab.list;
    const pks = new Set([...tab.rows.keys(), ...(isOutdated ? list.pks : [])]);
    for (const pk of pks) {
      const stored = this.disk.get(pk);
      const row = tab.rows.get(pk);
      if (stored !== undefined) tab.rows.set(pk, row === undefined ? stored : merged(stored, row));
    }
    if (isOutdated && list.order > (tab.list?.order ?? 0)) tab.list = list;
  }
}

/** What one tab holds. */
export class TabModel {
  rows: Map<string, Version>;
  readonly pending: Set<string>;
  list: List | undefined;
  isListPending: boolean;

  /** @param from - what it is a copy of */
  constructor(from?: TabModel) {
    this.rows = new Map(from?.rows);
    this.pending = new Set(from?.pending);
    this.list = from?.list;
    this.isListPending = from?.isListPending ?? false;
  }

  /** What it shows. */
  get shown(): Record<string, Fields> {
    return fieldsOf(this.rows);
  }

  set(pk: string, order: number, fields: Fields): void {
    this.rows.set(pk, merged(this.rows.get(pk), { order, fields: { id: pk, ...fields } }));
    this.pending.add(pk);
  }

  startAnew({ disk, list }: Model): void {
    this.rows = new Map(disk);
    this.pending.clear();
    this.list = list;
    this.isListPending = false;
  }
}

function fieldsOf(rows: ReadonlyMap<string, Version>): Record<string, Fields> {
  return Object.fromEntries([...rows].map(([pk, { fields }]) => [pk, fields]));
}
