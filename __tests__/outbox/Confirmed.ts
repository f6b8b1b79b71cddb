import type { Row, TableName } from './RefusalPage.ts';

/** A version of a row: undefined if it was deleted. */
interface Version {
  readonly row: Row | undefined;
  /** When the request was sent, and for a mutation, when the response arrived: see `docs/architecture.md`, "Order". */
  readonly sentAt: number;
  readonly answeredAt: number | undefined;
}

/** What a mutation has done. */
interface Done {
  readonly id: string | undefined;
  readonly body: Partial<Row>;
  /** The response; undefined without one. */
  readonly value: Row | undefined;
  readonly isCreate: boolean;
  readonly isRemoval: boolean;
}

/** What a table is known to contain. */
class Table {
  readonly versions = new Map<string, Version>();
  /** When the latest list was requested, and what it had. */
  list: { readonly sentAt: number; readonly ids: readonly string[] } = { sentAt: -1, ids: [] };
  /** When the responses to creations arrived. */
  readonly created = new Map<string, number>();

  learn(id: string, version: Version): void {
    const known = this.versions.get(id);
    if (known === undefined || !isOlder(version, known)) this.versions.set(id, version);
  }
}

/** What the responses so far have said, as the documentation says that they are ordered. */
export class Confirmed {
  readonly #tables: Record<TableName, Table> = { tasks: new Table(), comments: new Table() };
  #now = 0;

  /** A position among all requests and responses. */
  tick(): number {
    return (this.#now += 1);
  }

  read(table: TableName, row: Row, sentAt: number): void {
    this.#tables[table].learn(row.id, { row, sentAt, answeredAt: undefined });
  }

  readList(table: TableName, rows: readonly Row[], sentAt: number): void {
    for (const row of rows) this.read(table, row, sentAt);
    const known = this.#tables[table];
    // A list that was requested before a creation was answered may lack that, so it is not shown.
    const isNewer = [known.list.sentAt, ...known.created.values()].every((at) => sentAt > at);
    if (isNewer) known.list = { sentAt, ids: rows.map(({ id }) => id) };
  }

  done(
    table: TableName,
    { id, body, value, isCreate, isRemoval }: Done,
    sentAt: number,
    answeredAt: number,
  ): void {
    const known = this.#tables[table];
    const pk = id ?? value?.id;
    if (pk === undefined) throw new Error('A creation without a pk');
    const before = known.versions.get(pk)?.row;
    if (isCreate) known.created.set(pk, answeredAt);
    // Without a response, the prediction counts as one.
    const row = isRemoval ? undefined : (value ?? (before && { ...before, ...body }));
    known.learn(pk, { row, sentAt, answeredAt });
  }

  /** What is in the list. */
  rows(table: TableName): readonly Row[] {
    const { list, created, versions } = this.#tables[table];
    const added = [...created].filter(([, at]) => at > list.sentAt).map(([id]) => id);
    return [...new Set([...list.ids, ...added])].flatMap((id) => versions.get(id)?.row ?? []);
  }
}

function isOlder(version: Version, known: Version): boolean {
  const isRead = version.answeredAt === undefined;
  if (isRead === (known.answeredAt === undefined)) return version.sentAt < known.sentAt;
  return isRead ? known.answeredAt! > version.sentAt : version.answeredAt < known.sentAt;
}
