import type { Meta } from 'holdfast';
import { LOST } from '../../shared/unreadableRecords.ts';
import { decodeBatch } from '../records/batchRecord.ts';
import { decodeHeader, EMPTY_HEADER, type Header } from '../records/header.ts';
import { newer, newerRow } from '../records/newer.ts';
import {
  rowRefs,
  type WriteBatch,
  type Decoding,
  type DiskResult,
  type DiskRow,
} from '../records/records.ts';
import type { AppendGuard, StorageView } from '../storage/Storage.ts';

/** Records read at a time: few enough for one task. */
const READ_AT_ONCE = 16;

/** The epoch of a log that has not been read yet. */
const NOT_READ = -1;

/** The epoch of a log that is to be read again after a reset. */
const DISCARDED = -2;

/** Notified of the changes of other tabs. */
export interface LogListener {
  /** Another tab has written this batch. */
  onForeign(batch: WriteBatch): void;
  /** Batches of other tabs were compacted before they were read: anything may have changed. */
  onMissed(tables: Iterable<string>, results: readonly string[]): void;
  /** Records had to be deleted, since the browser cannot read them any more: what memory has of them disk may lack. */
  lost(): void;
  /** Another tab has evicted data; these results are left. */
  onEvicted(results: readonly string[]): void;
}

/** The length of a log, in records and in the rows that they change. */
export interface LogSize {
  readonly records: number;
  readonly rows: number;
}

/** The newest version in the log, and the sequence number of the last record that contained it. */
interface LogEntry<T> {
  readonly value: T;
  readonly sequence: number;
}

/**
 * The write-ahead log in memory, kept up to date by reading what was appended. Every read starts with `refresh` in
 * its own transaction, so that it sees log and shards of the same moment.
 */
export class WriteAheadLog {
  /** As of the last read, with what this tab has changed since. */
  header: Header = EMPTY_HEADER;
  readonly #rows = new Map<string, Map<string, LogEntry<DiskRow>>>();
  readonly #results = new Map<string, LogEntry<DiskResult>>();
  readonly #reads = new Map<string, LogEntry<number>>();
  readonly #decoding: Decoding;
  readonly #listener: LogListener;
  /** How many rows each of its records changes, by sequence number. */
  readonly #sequences = new Map<number, number>();
  /** Batches of this tab that are not merged yet: for a long list, each is a task of its own. */
  readonly #unmerged: (readonly [sequence: number, batch: WriteBatch])[] = [];
  /** What the listener has yet to be notified of: a read may fail in between, and is repeated. */
  readonly #unnotified = { missed: false, evicted: false, lost: false };
  #lastSeen = 0;
  #lostAt = 0;
  #order = 0;
  #epoch = NOT_READ;

  constructor(decoding: Decoding, listener: LogListener) {
    this.#decoding = decoding;
    this.#listener = listener;
  }

  /** The reset epoch as of the last read. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The last sequence number that this tab has read or written. */
  get lastSeen(): number {
    return this.#lastSeen;
  }

  /** The sequence number of the last record that says that records were lost. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /** The guard for a batch that is prepared now. */
  get guard(): Omit<AppendGuard, 'identity'> {
    const { evictions, version } = this.header;
    return { lastSeen: this.#lastSeen, epoch: this.#epoch, evictions, version };
  }

  /** Its length: every start has to read it. */
  get size(): LogSize {
    let rows = 0;
    for (const changed of this.#sequences.values()) rows += changed;
    return { records: this.#sequences.size, rows };
  }

  /** How many rows it has a version of. */
  get rowCount(): number {
    let count = 0;
    for (const rows of this.#rows.values()) count += rows.size;
    return count;
  }

  /** The highest order that was on disk so far. */
  get order(): number {
    return this.#order;
  }

  /**
   * Reads what was appended; returns the header of the same moment.
   *
   * @throws NewerVersion when a newer version of the app has written
   */
  async refresh(view: StorageView): Promise<Header> {
    while (this.mergeNext());
    // Before the first read, it is not known where the log begins. Deleted records before that would slow down Chromium.
    const isFirst = this.#epoch === NOT_READ;
    let reading = isFirst ? undefined : view.log(this.#lastSeen, READ_AT_ONCE);
    // Awaited below, unless the header requires another read.
    reading?.catch(() => undefined);
    const header = decodeHeader(await view.header());
    if (header.version > this.#decoding.version) throw new NewerVersion();
    const unnotified = this.#unnotified;
    if (header.epoch !== this.#epoch) {
      // The log lacks what was compacted since the reset. Before the first read, nothing is known that could be
      // outdated.
      unnotified.missed = this.#epoch !== NOT_READ && header.revision > 0;
      unnotified.evicted = unnotified.lost = false;
      this.clear();
      // Clearing the log also discarded records of the current epoch, such as those written since a reset of this
      // tab.
      if (this.#lastSeen > header.foldedThrough) reading = view.log(header.foldedThrough, READ_AT_ONCE);
    } else {
      unnotified.missed ||= header.foldedThrough > this.#lastSeen;
      unnotified.evicted ||= header.evictions > this.header.evictions;
      unnotified.lost ||= header.lostAt > this.#lostAt;
      if (header.foldedThrough > this.header.foldedThrough) this.#dropThrough(header.foldedThrough);
    }
    this.#readHeader(header);
    const hadRecords = this.#sequences.size > 0;
    reading ??= view.log(header.foldedThrough, READ_AT_ONCE);
    for (;;) {
      const entries = await reading;
      for (const [sequence, record] of entries) {
        if (this.#sequences.has(sequence) || sequence <= this.header.foldedThrough) continue;
        if (record === LOST) {
          this.#recordSequence(sequence, 0);
          this.#lostAt = Math.max(this.#lostAt, sequence);
          unnotified.lost = true;
          continue;
        }
        const batch = decodeBatch(record, `log record ${sequence}`, this.#decoding);
        this.#recordSequence(sequence, batch.rows.length);
        this.#add(sequence, batch);
        this.#listener.onForeign(batch);
      }
      const last = entries.at(-1)?.[0];
      if (last === undefined || entries.length < READ_AT_ONCE) break;
      reading = view.log(last, READ_AT_ONCE);
    }
    if (unnotified.lost) {
      // A lost version must not hide what is left of a row.
      if (hadRecords) await this.#readAgain(view, header.foldedThrough);
      unnotified.lost = false;
      this.#listener.lost();
    }
    this.#lastSeen = Math.max(this.#lastSeen, header.foldedThrough);
    if (unnotified.missed || unnotified.evicted) {
      const results = await view.resultKeys();
      const { missed, evicted } = unnotified;
      unnotified.missed = unnotified.evicted = false;
      if (missed) this.#listener.onMissed([...header.tables.keys(), ...this.tables()], results);
      if (evicted) this.#listener.onEvicted(results);
    }
    return header;
  }

  /** Records what this tab has appended; `mergeNext` merges it. */
  onAppended(sequences: readonly number[], parts: readonly WriteBatch[]): void {
    this.header = { ...this.header, version: this.#decoding.version };
    for (const [index, sequence] of sequences.entries()) {
      const part = parts[index];
      if (part === undefined || sequence <= this.header.foldedThrough || this.#sequences.has(sequence))
        continue;
      this.#recordSequence(sequence, part.rows.length);
      this.#unmerged.push([sequence, part]);
    }
  }

  /** Merges one appended batch of this tab. Returns whether there are more. */
  mergeNext(): boolean {
    const next = this.#unmerged.shift();
    if (next !== undefined) this.#add(...next);
    return this.#unmerged.length > 0;
  }

  /** The database was replaced by an empty one. */
  onReplaced(): void {
    this.clear();
    this.#lastSeen = 0;
    this.#readHeader(EMPTY_HEADER);
  }

  /** This tab has evicted data. */
  onEvicted({ evictions }: Header): void {
    this.header = { ...this.header, evictions };
  }

  /** Discards everything: the next read starts over. */
  clear(): void {
    this.#epoch = DISCARDED;
    this.#lostAt = 0;
    this.#rows.clear();
    this.#results.clear();
    this.#reads.clear();
    this.#sequences.clear();
    this.#unmerged.length = 0;
  }

  /** The newest version of a row in the log. */
  row(table: string, pk: string): DiskRow | undefined {
    return this.#rows.get(table)?.get(pk)?.value;
  }

  /** The newest versions of a table's rows in the log. */
  *rowsOf(table: string): Iterable<DiskRow> {
    for (const { value } of this.#rows.get(table)?.values() ?? []) yield value;
  }

  /** The tables that it has rows of. */
  tables(): string[] {
    return [...this.#rows.keys()];
  }

  /** The tables that it has rows of, with those that these name. */
  named(): Map<string, Set<string>> {
    const tables = new Map<string, Set<string>>();
    for (const [table, rows] of this.#rows) {
      const names = new Set<string>();
      for (const { value } of rows.values()) for (const [name] of rowRefs(value.refs)) names.add(name);
      tables.set(table, names);
    }
    return tables;
  }

  /** The newest version of a result in the log. */
  result(key: string): DiskResult | undefined {
    return this.#results.get(key)?.value;
  }

  /** The newest version of each result in the log. */
  *results(): Iterable<DiskResult> {
    for (const { value } of this.#results.values()) yield value;
  }

  /** The read times of results, as far as the log has them. */
  *reads(): Iterable<readonly [key: string, at: number]> {
    for (const [key, { value }] of this.#reads) yield [key, value];
  }

  /** The read time of a result, if the log has it. */
  readAt(key: string): number | undefined {
    return this.#reads.get(key)?.value;
  }

  #add(sequence: number, { rows: incoming, results, reads = [] }: WriteBatch): void {
    for (const row of incoming) {
      let rows = this.#rows.get(row.table);
      if (rows === undefined) this.#rows.set(row.table, (rows = new Map<string, LogEntry<DiskRow>>()));
      rows.set(row.pk, { value: newerRow(rows.get(row.pk)?.value, row), sequence });
      this.#witness(row.meta);
    }
    for (const result of results) {
      const value = newer(this.#results.get(result.key)?.value, result);
      this.#results.set(result.key, { value, sequence });
      this.#witness(result.meta);
    }
    for (const [key, at] of reads) this.#reads.set(key, { value: at, sequence });
  }

  #readHeader(header: Header): void {
    this.header = header;
    this.#epoch = header.epoch;
    this.#lostAt = Math.max(this.#lostAt, header.lostAt);
    this.#order = Math.max(this.#order, header.order);
  }

  #witness({ order, answered }: Meta): void {
    this.#order = Math.max(this.#order, order, answered);
  }

  #recordSequence(sequence: number, rows: number): void {
    this.#lastSeen = Math.max(this.#lastSeen, sequence);
    this.#sequences.set(sequence, rows);
  }

  /** Replaces everything that it knows by what can be read of the records after this one. */
  async #readAgain(view: StorageView, after: number): Promise<void> {
    const left: (readonly [sequence: number, batch: WriteBatch])[] = [];
    for (let last: number | undefined = after; last !== undefined;) {
      const entries: readonly (readonly [number, unknown])[] = await view.log(last, READ_AT_ONCE);
      for (const [sequence, record] of entries)
        if (record !== LOST)
          left.push([sequence, decodeBatch(record, `log record ${sequence}`, this.#decoding)]);
      last = entries.length < READ_AT_ONCE ? undefined : entries.at(-1)?.[0];
    }
    this.#rows.clear();
    this.#results.clear();
    this.#reads.clear();
    for (const [sequence, batch] of left) this.#add(sequence, batch);
  }

  /** Removes what was compacted, but keeps what was appended during the compaction. */
  #dropThrough(through: number): void {
    if (through >= this.#lastSeen) {
      this.clear();
      return;
    }
    for (const sequence of this.#sequences.keys()) if (sequence <= through) this.#sequences.delete(sequence);
    for (const [table, rows] of this.#rows) {
      for (const [pk, row] of rows) if (row.sequence <= through) rows.delete(pk);
      if (rows.size === 0) this.#rows.delete(table);
    }
    for (const [key, result] of this.#results) if (result.sequence <= through) this.#results.delete(key);
    for (const [key, read] of this.#reads) if (read.sequence <= through) this.#reads.delete(key);
  }
}

/** A newer version of the app has written to the database, so this one must not use it. */
export class NewerVersion extends Error {
  override readonly name: string = 'NewerVersion';

  constructor() {
    super('a newer version of the app has written to it');
  }
}
