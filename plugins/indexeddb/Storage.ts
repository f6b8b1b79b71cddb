import type { BatchRecord } from './batchRecord.ts';
import type { Header } from './header.ts';
import type { ResultRecord } from './resultRecord.ts';
import type { RowBlock } from './rowBlock.ts';
import type { SideChange } from './side.ts';

/**
 * Where records are kept: five stores that are read and written in transactions. It knows nothing of what is in a
 * record; whatever it gives back is checked by whoever asked.
 */
export interface Storage {
  /** Opens it, unless it is open. Rejects when that cannot be. */
  open(): Promise<void>;
  /** Reads in one transaction, which ends when `run` awaits anything else. `run` may be called twice. */
  read<T>(run: (view: StorageView) => Promise<T>): Promise<T>;
  /** Appends one record to the log, and writes records of other plugins, in one transaction. */
  append(
    batch: BatchRecord | undefined,
    side: readonly SideChange[],
    options: AppendOptions,
  ): Promise<Appended>;
  /**
   * Moves what is in the log elsewhere, in one transaction. `run` may be called twice.
   *
   * @returns undefined, with nothing written, when the epoch has passed
   */
  fold<T>(epoch: number, run: (view: FoldView) => Promise<T>): Promise<T | undefined>;
  /** Removes every record of every store and raises the epoch, in one transaction; gives the new epoch. */
  clear(): Promise<number>;
  close(): void;
}

/**
 * What became of a batch: it has its place in the log, or nothing was written since the epoch has passed (`'emptied'`)
 * or since others have written to the log meanwhile (`'moved'`).
 */
export type Appended = { readonly place: number | undefined } | 'emptied' | 'moved';

/** How a batch is to be written. */
export interface AppendOptions {
  readonly epoch: number;
  /** The last place of the log that whoever made the batch knows of. */
  readonly after: number;
  readonly durability: 'relaxed' | 'strict';
}

/** What a reading transaction sees. Everything unknown is as it lies on disk, unchecked. */
export interface StorageView {
  header(): Promise<unknown>;
  /** The log records after `through`, oldest first. */
  log(through: number): Promise<readonly (readonly [place: number, record: unknown])[]>;
  resultKeys(): Promise<readonly string[]>;
  result(key: string): Promise<unknown>;
  shard(table: string, shard: number): Promise<unknown>;
  /** Every record that a plugin keeps here. */
  side(plugin: string): Promise<readonly (readonly [key: string, record: unknown])[]>;
}

/** What a folding transaction may write. Awaiting each write lets go of the main thread in between. */
export interface FoldView extends StorageView {
  putHeader(header: Header): Promise<void>;
  putShard(table: string, shard: number, rows: RowBlock): Promise<void>;
  putResult(result: ResultRecord): Promise<void>;
  /** Deletes the log records up to `through`. */
  dropLog(through: number): Promise<void>;
}
