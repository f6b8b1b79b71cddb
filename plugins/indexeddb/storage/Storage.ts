import type { Header } from '../records/header.ts';
import type { Reset } from '../records/resets.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import type { SideChange } from '../writing/side.ts';
import type { WriteGuard } from '../writing/writeGuard.ts';

/** The records of a database, in five object stores. They are opaque here; readers validate them. */
export interface Records {
  /** Identifies the database: changes when the browser has deleted it. Undefined until it has been opened. */
  readonly identity: string | undefined;
  /** Reads in one transaction, which ends when `run` awaits anything else. May call `run` again. */
  read<T>(run: (view: StorageView) => Promise<T>): Promise<T>;
  /**
   * Appends records to the WAL and writes other plugins' records in one transaction. A short batch is requested
   * synchronously if the database is open, so it is written even if the page unloads right after.
   *
   * @returns false if the disk is not in the state of the guard any more, or the database was deleted. Nobody reads the
   * records then
   */
  append(records: readonly unknown[], side: readonly SideChange[], options: AppendOptions): Promise<boolean>;
  /**
   * Executes a plan in one transaction.
   *
   * @param from - the header that the plan is based on
   * @returns false, with nothing written, if the disk has changed since, or the database was deleted
   */
  rewrite(plan: RewritePlan, from: Header): Promise<boolean>;
  /** Which of these values no record can contain. */
  findUnstorable(values: readonly unknown[]): Promise<ReadonlySet<unknown>>;
}

/** A database of records that are read and written in transactions. */
export interface Storage extends Records {
  /** What the browser has reported as lost when it opened the database; undefined if nothing. */
  readonly dataLoss: string | undefined;
  /** Whether this page has created the database when it last opened it. */
  readonly isCreated: boolean;
  /** Calls `listener` when the database was deleted and recreated, empty, since it was last used. */
  onReplaced(listener: () => void): void;
  /** Calls `listener` with the keys of records that were deleted because the browser could no longer read them. */
  onLost(listener: (records: string) => void): void;
  /** Opens it, unless it is open. Rejects if that fails or takes too long. */
  open(): Promise<unknown>;
  /** Settles when it is open, or cannot be opened, however long that takes. */
  openWithoutTimeout(): Promise<unknown>;
  /**
   * Records that a reset has begun, which the next page to open the database must finish. It is requested synchronously
   * if the database is open, so it is written even if the page unloads right after, when `clear` would be lost.
   */
  markReset(reset: Reset): Promise<void>;
  /** Records the same outside of the database, where that is not open yet or full, if there is a place for that. */
  noteReset(reset: Reset): void;
  /** The resets that were recorded in either way and have yet to be finished. */
  readUnfinishedResets(): Promise<readonly Reset[]>;
  /**
   * Carries out resets, in one transaction: deletes all records and increases the epoch, unless other tabs have carried
   * them all out. Resets of other tabs that came before the last one are carried out with them. Returns the header.
   *
   * @param resets - of one tab, oldest first
   */
  clear(resets: readonly Reset[]): Promise<Header>;
  /** The page may unload: aborts whatever would delay an append. */
  prepareUnload(): void;
  close(): void;
}

/** How a batch is to be written. */
export interface AppendOptions {
  /** The state of the disk that the batch is based on. */
  readonly guard: AppendGuard;
  /** The app's version of its rows. */
  readonly version: number;
  readonly durability: 'relaxed' | 'strict';
  /** Whether the page is unloading: then everything is requested at once, however long the batch. */
  readonly isUnloading: boolean;
}

/** The state of the disk as of the last read. */
export interface AppendGuard extends WriteGuard {
  /** The `identity` of the database. */
  readonly identity: string | undefined;
  /** The last sequence number. */
  readonly lastSeen: number;
}

/** What a read transaction sees. Unknown values are unchecked records. */
export interface StorageView {
  header(): Promise<unknown>;
  /** Log records after `through`, oldest first, at most `limit`. */
  log(through: number, limit: number): Promise<readonly (readonly [sequence: number, record: unknown])[]>;
  resultKeys(): Promise<readonly string[]>;
  result(key: string): Promise<unknown>;
  shard(table: string, shard: number): Promise<unknown>;
  /** The keys of all shards. */
  shardKeys(): Promise<readonly (readonly [table: string, shard: number])[]>;
  /** `count` shards, starting at `first`. */
  shards(table: string, first: number, count: number): Promise<readonly unknown[]>;
  /** The directory, if results are not stored under their keys. */
  directory(): Promise<unknown>;
  /** Every record of a plugin. */
  side(plugin: string): Promise<readonly (readonly [key: string, record: unknown])[]>;
}
