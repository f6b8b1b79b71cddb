import type { Meta } from 'holdfast';
import { decodeBatch } from './batchRecord.ts';
import { decodeHeader, type Header } from './header.ts';
import { newer, newerRow } from './order.ts';
import type { Batch, DiskResult, DiskRow, Unreadable } from './records.ts';
import type { StorageView } from './Storage.ts';

/** Whom a log tells of what others have done. */
export interface LogListener {
  readonly unreadable: Unreadable;
  /** Another tab has written these since the last look. */
  foreign(batch: Batch): void;
  /** Batches of other tabs have left the log before they were looked at: anything may have changed. */
  missed(tables: Iterable<string>, results: readonly string[]): void;
}

/**
 * What the log holds, read once and then kept up to date by what was appended since. A read starts with `refresh`, in
 * the transaction in which it goes on to read what has left the log, so that it sees both as of one moment.
 */
export class Log {
  readonly #rows = new Map<string, Map<string, DiskRow>>();
  readonly #results = new Map<string, DiskResult>();
  readonly #listener: LogListener;
  /** Records of this tab's own that were not read yet. */
  readonly #own = new Set<number>();
  #through = 0;
  #known = 0;
  #epoch = 0;
  #records = 0;

  constructor(listener: LogListener) {
    this.#listener = listener;
  }

  /** The epoch as of the last look. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The last place that this tab has read or written, and before which it knows everything. */
  get known(): number {
    return this.#known;
  }

  /** The last log record that was read. */
  get through(): number {
    return this.#through;
  }

  /** How many records were read that are still in the log, and how many rows they change. */
  get size(): { readonly records: number; readonly rows: number } {
    let rows = 0;
    for (const table of this.#rows.values()) rows += table.size;
    return { records: this.#records, rows };
  }

  /** The highest order in the log. */
  get order(): number {
    let order = 0;
    const witness = ({ meta }: { readonly meta: Meta }): void => {
      order = Math.max(order, meta.order, meta.answered);
    };
    for (const rows of this.#rows.values()) rows.forEach(witness);
    this.#results.forEach(witness);
    return order;
  }

  /** Brings itself up to date, and gives the header as of the same moment. */
  async refresh(view: StorageView): Promise<Header> {
    const [record, entries] = await Promise.all([view.header(), view.log(this.#through)]);
    const header = decodeHeader(record, this.#listener.unreadable);
    const hasMissed = header.epoch === this.#epoch && header.foldedThrough > this.#known;
    // A reset or a fold takes the whole log, so either all that was read has left it or nothing has.
    if (header.epoch !== this.#epoch || header.foldedThrough >= this.#through) this.clear();
    this.#epoch = header.epoch;
    for (const place of this.#own) if (place <= header.foldedThrough) this.#own.delete(place);
    for (const [place, batch] of entries) if (place > this.#through) this.#add(place, batch);
    this.#known = Math.max(this.#known, this.#through, header.foldedThrough);
    if (hasMissed)
      this.#listener.missed([...header.tables.keys(), ...this.tables()], await view.resultKeys());
    return header;
  }

  /** Takes note of a record that this tab has written, right after all that it knew of. */
  appended(place: number): void {
    this.#own.add(place);
    this.#known = Math.max(this.#known, place);
  }

  /** Forgets what was read. */
  clear(): void {
    this.#rows.clear();
    this.#results.clear();
    this.#records = 0;
  }

  /** The newest version of a row in the log. */
  row(table: string, pk: string): DiskRow | undefined {
    return this.#rows.get(table)?.get(pk);
  }

  /** The newest versions of a table's rows in the log. */
  rowsOf(table: string): Iterable<DiskRow> {
    return this.#rows.get(table)?.values() ?? [];
  }

  /** The tables that it has rows of. */
  tables(): Iterable<string> {
    return this.#rows.keys();
  }

  /** The newest version of a result in the log. */
  result(key: string): DiskResult | undefined {
    return this.#results.get(key);
  }

  /** The newest version of each result in the log. */
  results(): Iterable<DiskResult> {
    return this.#results.values();
  }

  #add(place: number, record: unknown): void {
    const batch = decodeBatch(record, `log record ${place}`, this.#listener.unreadable);
    if (!this.#own.delete(place)) this.#listener.foreign(batch);
    for (const row of batch.rows) {
      let rows = this.#rows.get(row.table);
      if (rows === undefined) this.#rows.set(row.table, (rows = new Map<string, DiskRow>()));
      rows.set(row.pk, newerRow(rows.get(row.pk), row));
    }
    for (const result of batch.results) {
      this.#results.set(result.key, newer(this.#results.get(result.key), result));
    }
    this.#through = Math.max(this.#through, place);
    this.#records += 1;
  }
}
