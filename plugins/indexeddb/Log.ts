import type { Meta } from 'holdfast';
import { decodeBatch } from './batchRecord.ts';
import { decodeHeader, EMPTY_HEADER, sideEpochOf, type Header } from './header.ts';
import { newer, newerRow } from './newer.ts';
import type { Batch, Decoding, DiskResult, DiskRow } from './records.ts';
import type { Known, StorageView } from './Storage.ts';

/** Records read at a time: few enough for one task, whatever they hold. */
const READ_AT_ONCE = 16;

/** The epoch of a log that has not been looked at, so that the first look misses nothing. */
const NONE = -1;

/** Whom a log tells of what others have done. */
export interface LogListener {
  /** Another tab has written these since the last look. */
  foreign(batch: Batch): void;
  /** Batches of other tabs have left the log before they were looked at: anything may have changed. */
  missed(tables: Iterable<string>, results: readonly string[]): void;
  /** Another tab has evicted something; these results are left. */
  evicted(results: readonly string[]): void;
}

/** The newest version in the log, and the last record that brought one. */
interface Logged<T> {
  readonly newest: T;
  readonly place: number;
}

/**
 * What the log holds, read once and then kept up to date by what was appended since. A read starts with `refresh`, in
 * the transaction in which it goes on to read what has left the log, so that it sees both as of one moment.
 */
export class Log {
  readonly #rows = new Map<string, Map<string, Logged<DiskRow>>>();
  readonly #results = new Map<string, Logged<DiskResult>>();
  readonly #reads = new Map<string, Logged<number>>();
  readonly #decoding: Decoding;
  readonly #listener: LogListener;
  /** Places of the records that are in it. */
  readonly #places = new Set<number>();
  /** What this tab has written and has not sorted in yet: after a long list, that is a task of its own. */
  readonly #unsorted: (readonly [place: number, batch: Batch])[] = [];
  #known = 0;
  #folded = 0;
  #epoch = NONE;
  #sideEpoch = 0;
  #evictions = 0;
  #version = 0;

  constructor(decoding: Decoding, listener: LogListener) {
    this.#decoding = decoding;
    this.#listener = listener;
  }

  /** The epoch since which the records of other plugins have been kept, as of the last look. */
  get sideEpoch(): number {
    return this.#sideEpoch;
  }

  /** The epoch as of the last look. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The last place that this tab has read or written, and before which it knows everything. */
  get known(): number {
    return this.#known;
  }

  /** What a batch that is made now takes into account. */
  get stamp(): Known {
    const [after, epoch, evictions, version] = [this.#known, this.#epoch, this.#evictions, this.#version];
    return { after, epoch, evictions, version };
  }

  /** How many records are in the log, and how many rows they change. */
  get size(): { readonly records: number; readonly rows: number } {
    let rows = 0;
    for (const table of this.#rows.values()) rows += table.size;
    return { records: this.#places.size, rows };
  }

  /** The highest order in the log. */
  get order(): number {
    let order = 0;
    const witness = ({ newest: { meta } }: Logged<{ readonly meta: Meta }>): void => {
      order = Math.max(order, meta.order, meta.answered);
    };
    for (const rows of this.#rows.values()) rows.forEach(witness);
    this.#results.forEach(witness);
    return order;
  }

  /**
   * Brings itself up to date, and gives the header as of the same moment.
   *
   * @throws NewerVersion when a newer version of the app has written
   */
  async refresh(view: StorageView): Promise<Header> {
    while (this.sortIn());
    let reading = view.log(this.#known, READ_AT_ONCE);
    // Awaited below, unless the header says otherwise.
    reading.catch(() => undefined);
    const header = decodeHeader(await view.header());
    if (header.version > this.#decoding.version) throw new NewerVersion();
    const hasMissed = header.epoch === this.#epoch && header.foldedThrough > this.#known;
    const hasEvicted = header.epoch === this.#epoch && header.evictions > this.#evictions;
    if (header.epoch !== this.#epoch) {
      this.clear();
      // What it knew of this epoch, such as what this tab has written since a reset of its own, it has forgotten too.
      if (this.#known > header.foldedThrough) reading = view.log(header.foldedThrough, READ_AT_ONCE);
    } else if (header.foldedThrough > this.#folded) this.#drop(header.foldedThrough);
    this.#learn(header);
    for (;;) {
      const entries = await reading;
      for (const [place, record] of entries) {
        if (this.#places.has(place) || place <= this.#folded) continue;
        const batch = decodeBatch(record, `log record ${place}`, this.#decoding);
        this.#listener.foreign(batch);
        this.#note(place);
        this.#add(place, batch);
      }
      const last = entries.at(-1)?.[0];
      if (last === undefined || entries.length < READ_AT_ONCE) break;
      reading = view.log(last, READ_AT_ONCE);
    }
    this.#known = Math.max(this.#known, header.foldedThrough);
    if (hasMissed)
      this.#listener.missed([...header.tables.keys(), ...this.tables()], await view.resultKeys());
    if (hasEvicted) this.#listener.evicted(await view.resultKeys());
    return header;
  }

  /** Takes note of what this tab has written, right after all that it knew of; `sortIn` does the work. */
  appended(places: readonly number[], parts: readonly Batch[]): void {
    this.#version = this.#decoding.version;
    for (const [index, place] of places.entries()) {
      const part = parts[index];
      if (part === undefined || place <= this.#folded || this.#places.has(place)) continue;
      this.#note(place);
      this.#unsorted.push([place, part]);
    }
  }

  /** Sorts in one record of what this tab has written. Returns whether there are more, which the next look sorts in. */
  sortIn(): boolean {
    const next = this.#unsorted.shift();
    if (next !== undefined) this.#add(...next);
    return this.#unsorted.length > 0;
  }

  /** This tab has emptied the disk itself, and left this header. */
  emptied(header: Header): void {
    if (this.#epoch === header.epoch) return;
    this.clear();
    this.#learn(header);
    this.#known = Math.max(this.#known, header.foldedThrough);
  }

  /** The database has been replaced by an empty one. */
  replaced(): void {
    this.clear();
    this.#known = 0;
    this.#learn(EMPTY_HEADER);
  }

  /** This tab has evicted something itself. */
  evicted({ evictions }: Header): void {
    this.#evictions = evictions;
  }

  /** Forgets what was read: the next look reads it again. */
  clear(): void {
    this.#epoch = NONE;
    this.#rows.clear();
    this.#results.clear();
    this.#reads.clear();
    this.#places.clear();
    this.#unsorted.length = 0;
  }

  /** The newest version of a row in the log. */
  row(table: string, pk: string): DiskRow | undefined {
    return this.#rows.get(table)?.get(pk)?.newest;
  }

  /** The newest versions of a table's rows in the log. */
  *rowsOf(table: string): Iterable<DiskRow> {
    for (const { newest } of this.#rows.get(table)?.values() ?? []) yield newest;
  }

  /** The tables that it has rows of. */
  tables(): string[] {
    return [...this.#rows.keys()];
  }

  /** The newest version of a result in the log. */
  result(key: string): DiskResult | undefined {
    return this.#results.get(key)?.newest;
  }

  /** The newest version of each result in the log. */
  *results(): Iterable<DiskResult> {
    for (const { newest } of this.#results.values()) yield newest;
  }

  /** When results were read, as far as it is in the log. */
  *reads(): Iterable<readonly [key: string, at: number]> {
    for (const [key, { newest }] of this.#reads) yield [key, newest];
  }

  /** When a result was read, as far as it is in the log. */
  readAt(key: string): number | undefined {
    return this.#reads.get(key)?.newest;
  }

  #add(place: number, { rows: incoming, results, reads = [] }: Batch): void {
    for (const row of incoming) {
      let rows = this.#rows.get(row.table);
      if (rows === undefined) this.#rows.set(row.table, (rows = new Map<string, Logged<DiskRow>>()));
      rows.set(row.pk, { newest: newerRow(rows.get(row.pk)?.newest, row), place });
    }
    for (const result of results) {
      const newest = newer(this.#results.get(result.key)?.newest, result);
      this.#results.set(result.key, { newest, place });
    }
    for (const [key, at] of reads) this.#reads.set(key, { newest: at, place });
  }

  #learn(header: Header): void {
    const { epoch, foldedThrough, evictions, version } = header;
    this.#epoch = epoch;
    this.#sideEpoch = sideEpochOf(header);
    this.#folded = foldedThrough;
    this.#evictions = evictions;
    this.#version = version;
  }

  #note(place: number): void {
    this.#known = Math.max(this.#known, place);
    this.#places.add(place);
  }

  /** Drops what has left the log. What was appended while a fold was made ready is still there. */
  #drop(through: number): void {
    if (through >= this.#known) {
      this.clear();
      return;
    }
    for (const place of this.#places) if (place <= through) this.#places.delete(place);
    for (const [table, rows] of this.#rows) {
      for (const [pk, row] of rows) if (row.place <= through) rows.delete(pk);
      if (rows.size === 0) this.#rows.delete(table);
    }
    for (const [key, result] of this.#results) if (result.place <= through) this.#results.delete(key);
    for (const [key, read] of this.#reads) if (read.place <= through) this.#reads.delete(key);
  }
}

/** A newer version of the app has written to the database: this one leaves it alone. */
export class NewerVersion extends Error {
  override readonly name: string = 'NewerVersion';

  constructor() {
    super('a newer version of the app has written to it');
  }
}
