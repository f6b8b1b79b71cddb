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
import { getOrInsert } from '../../shared/getOrInsert.ts';

/** Records read at a time: few enough for one task. */
const READ_AT_ONCE = 16;

/** The epoch of a log that has not been read yet. */
const NOT_READ = -1;

/** The epoch of a log that is to be read again after a reset. */
const DISCARDED = -2;

/** Where the log begins is only known once the header was read. */
const UNKNOWN = -1;

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

const NO_RECORDS: LogSize = { records: 0, rows: 0 };

const NO_CHANGES: WriteBatch = { rows: [], results: [] };

/**
 * The write-ahead log in memory, kept up to date by reading what was appended. Every read starts with `refresh` in
 * its own transaction, so that it sees log and shards of the same moment.
 */
export class WriteAheadLog {
  /** As of the last read, with what this tab has changed since. */
  header: Header = EMPTY_HEADER;
  readonly #rows = new Map<string, Map<string, DiskRow>>();
  readonly #results = new Map<string, DiskResult>();
  /** The read times of results, as far as the log has them. */
  readonly reads = new Map<string, number>();
  readonly #decoding: Decoding;
  readonly #listener: LogListener;
  /** Its length: every start has to read it. */
  size: LogSize = NO_RECORDS;
  /** What the listener has yet to be notified of: a read may fail in between, and is repeated. */
  readonly #unnotified = { missed: false, evicted: false, lost: false };
  /** The last sequence number whose record is part of what it returns. */
  mergedThrough = UNKNOWN;
  /** The last sequence number that this tab has read or written. */
  lastSeen = 0;
  /** The sequence number of the last record that says that records were lost. */
  lostAt = 0;
  /** The highest order that was on disk so far. */
  order = 0;
  /** The reset epoch as of the last read. */
  epoch = NOT_READ;

  constructor(decoding: Decoding, listener: LogListener) {
    this.#decoding = decoding;
    this.#listener = listener;
  }

  /** The guard for a batch that is prepared now. */
  get guard(): Omit<AppendGuard, 'identity'> {
    const { evictions, version } = this.header;
    return { lastSeen: this.lastSeen, epoch: this.epoch, evictions, version };
  }

  /** How many rows it has a version of. */
  get rowCount(): number {
    let count = 0;
    for (const rows of this.#rows.values()) count += rows.size;
    return count;
  }

  /**
   * Reads what was appended; returns the header of the same moment.
   *
   * @throws NewerVersion when a newer version of the app has written
   */
  async refresh(view: StorageView): Promise<Header> {
    const after = this.mergedThrough;
    // Before the header is read, it may not be known where the log begins. Deleted records before that would slow down
    // Chromium.
    const ahead = after > 0 ? view.log(after, READ_AT_ONCE) : undefined;
    // Awaited below, unless reading the header fails.
    ahead?.catch(() => undefined);
    const header = decodeHeader(await view.header());
    if (header.version > this.#decoding.version) throw new NewerVersion();
    const unnotified = this.#unnotified;
    // Before the first read, nothing is known that could be outdated.
    if (this.epoch !== NOT_READ) {
      unnotified.missed ||= header.foldedThrough > this.lastSeen;
      unnotified.evicted ||= header.evictions > this.header.evictions;
      unnotified.lost ||= header.lostAt > this.lostAt;
    }
    // A compaction or a reset has deleted the records up to there.
    if (header.foldedThrough > this.header.foldedThrough || this.mergedThrough === UNKNOWN)
      this.#restartAfter(header.foldedThrough);
    this.#readHeader(header);
    await (ahead === undefined ? this.#read(view) : this.#read(view, after, ahead));
    if (unnotified.lost) {
      unnotified.lost = false;
      this.#listener.lost();
      // A lost version must not hide what is left of a row.
      this.#restartAfter(header.foldedThrough);
      await this.#read(view);
    }
    this.lastSeen = Math.max(this.lastSeen, header.foldedThrough);
    if (unnotified.missed || unnotified.evicted) {
      const results = await view.resultKeys();
      const { missed, evicted } = unnotified;
      unnotified.missed = unnotified.evicted = false;
      if (missed) this.#listener.onMissed([...header.tables.keys(), ...this.tables()], results);
      if (evicted) this.#listener.onEvicted(results);
    }
    return header;
  }

  /** Records that this tab has appended records, the last of which is this one; `merge` adds each of them. */
  onAppended(last: number): void {
    this.header = { ...this.header, version: this.#decoding.version };
    this.lastSeen = Math.max(this.lastSeen, last);
  }

  /** Merges a record that this tab has appended, unless the records before it have yet to be read again. */
  merge(sequence: number, batch: WriteBatch): void {
    if (sequence === this.mergedThrough + 1) this.#add(sequence, batch);
  }

  /** The database was replaced by an empty one. */
  onReplaced(): void {
    this.clear();
    this.#readHeader(EMPTY_HEADER);
  }

  /** This tab has evicted data. */
  onEvicted({ evictions }: Header): void {
    this.header = { ...this.header, evictions };
  }

  /** Discards everything: the next read starts over. */
  clear(): void {
    this.epoch = DISCARDED;
    this.lastSeen = 0;
    this.lostAt = 0;
    this.#restartAfter(UNKNOWN);
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
  tables(): string[] {
    return [...this.#rows.keys()];
  }

  /** The tables that it has rows of, with those that these name. */
  named(): Map<string, Set<string>> {
    const tables = new Map<string, Set<string>>();
    for (const [table, rows] of this.#rows) {
      const names = new Set<string>();
      for (const { refs } of rows.values()) for (const [name] of rowRefs(refs)) names.add(name);
      tables.set(table, names);
    }
    return tables;
  }

  /** The newest version of a result in the log. */
  result(key: string): DiskResult | undefined {
    return this.#results.get(key);
  }

  /** The newest version of each result in the log. */
  results(): Iterable<DiskResult> {
    return this.#results.values();
  }

  /** Merges what comes after the last merged record. */
  async #read(
    view: StorageView,
    first = this.mergedThrough,
    ahead = view.log(first, READ_AT_ONCE),
  ): Promise<void> {
    let after = first;
    let reading = ahead;
    for (;;) {
      const entries = await reading;
      // Unless they come after records that are to be read again.
      if (after <= this.mergedThrough) {
        for (const [sequence, record] of entries)
          if (sequence > this.mergedThrough) this.#decode(sequence, record);
        if (entries.length < READ_AT_ONCE) return;
      }
      after = this.mergedThrough;
      reading = view.log(after, READ_AT_ONCE);
    }
  }

  #decode(sequence: number, record: unknown): void {
    const isForeign = sequence > this.lastSeen;
    this.lastSeen = Math.max(this.lastSeen, sequence);
    if (record === LOST) {
      this.#add(sequence, NO_CHANGES);
      this.lostAt = Math.max(this.lostAt, sequence);
      if (isForeign) this.#unnotified.lost = true;
      return;
    }
    const batch = decodeBatch(record, `log record ${sequence}`, this.#decoding);
    this.#add(sequence, batch);
    if (isForeign) this.#listener.onForeign(batch);
  }

  #add(sequence: number, { rows: incoming, results, reads = [] }: WriteBatch): void {
    this.mergedThrough = sequence;
    this.size = { records: this.size.records + 1, rows: this.size.rows + incoming.length };
    for (const row of incoming) {
      const rows = getOrInsert(this.#rows, row.table, () => new Map<string, DiskRow>());
      rows.set(row.pk, newerRow(rows.get(row.pk), row));
      this.#witness(row.meta);
    }
    for (const result of results) {
      this.#results.set(result.key, newer(this.#results.get(result.key), result));
      this.#witness(result.meta);
    }
    for (const [key, at] of reads) this.reads.set(key, at);
  }

  #readHeader(header: Header): void {
    this.header = header;
    this.epoch = header.epoch;
    this.lostAt = Math.max(this.lostAt, header.lostAt);
    this.order = Math.max(this.order, header.order);
  }

  #witness({ order, answered }: Meta): void {
    this.order = Math.max(this.order, order, answered);
  }

  /** Drops everything: what follows this record is read again. */
  #restartAfter(sequence: number): void {
    this.mergedThrough = sequence;
    this.size = NO_RECORDS;
    this.#rows.clear();
    this.#results.clear();
    this.reads.clear();
  }
}

/** The log as everything else sees it: only its methods change it. */
export type Log = Readonly<WriteAheadLog>;

/** A newer version of the app has written to the database, so this one must not use it. */
export class NewerVersion extends Error {
  override readonly name: string = 'NewerVersion';

  constructor() {
    super('a newer version of the app has written to it');
  }
}
