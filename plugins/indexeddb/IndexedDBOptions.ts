import type { HoldfastError, PluginStatus, SideRecords, StoragePlugin } from 'holdfast';
import type { Codec } from './records/Codec.ts';
import type { Migrate } from './maintenance/migration.ts';
import type { StorageEstimate } from './storage/browserStorage.ts';
import type { Persist } from './writing/persisted.ts';
import type { StorageStatus } from './Status.ts';
import type { Storage } from './storage/Storage.ts';

/** Options of `indexedDB`. */
export interface IndexedDBOptions {
  /** Name of the database. */
  readonly name: string;
  /** Whose data it is, such as a user's id. Each scope has its own database. */
  readonly scope?: string;
  /**
   * What is persisted. Default: responses of endpoints with `dataExpiryLength: Infinity`, with the entities they
   * contain and all later updates of those.
   */
  readonly persist?: Persist;
  /** Version of the app's rows; increase it whenever their fields change. Default: 0. */
  readonly version?: number;
  /**
   * Migrates rows of earlier versions, by entity key, when they are read. Entities that are not listed are used as
   * they are.
   *
   * @example
   * indexedDB({
   *   name: 'app',
   *   version: 2,
   *   migrate: { Article: (row) => ({ ...row, title: row.headline }) },
   * });
   */
  readonly migrate?: Readonly<Record<string, Migrate>>;
  /**
   * `'progressive'` restores everything into memory in the background; `'lazy'` restores only what is read, for data
   * larger than memory. Default: `'progressive'`.
   */
  readonly restore?: 'progressive' | 'lazy';
  /**
   * Encodes and decodes every record, for example to encrypt it. Names of tables and numbers of rows stay readable.
   * All tabs need the same codec; records that it rejects are skipped and fetched again.
   */
  readonly codec?: Codec;
  /**
   * The approximate number of rows to keep. Above it, the least recently read results are evicted in idle time, with
   * the rows that no other result refers to. Other plugins' records are never evicted. Default: no limit.
   */
  readonly maxRows?: number;
  /** The same in bytes, estimated from the rows as text. Default: no limit. */
  readonly maxBytes?: number;
  /** Keeps the records elsewhere than in IndexedDB: `memoryStorage()`, for tests. */
  readonly storage?: (database: string) => Storage;
  /** `'strict'` makes the browser write to the device before a flush is complete. Default: `'relaxed'`. */
  readonly durability?: 'relaxed' | 'strict';
  /** Called with every storage error; the app continues from memory and network. Default: `console.error`. */
  readonly onError?: (error: HoldfastError) => void;
}

/** The plugin that `indexedDB` makes. */
export interface IndexedDBPlugin extends StoragePlugin {
  readonly restored: Promise<void>;
  /** The storage status: restore progress, what is stored, and problems. */
  readonly status: PluginStatus<StorageStatus>;
  /**
   * Asks the browser to keep the data even under storage pressure; some browsers ask the user. Call it at a moment
   * when the user has a reason to agree, such as after a first edit.
   *
   * @returns whether the browser agrees
   */
  requestPersistence(): Promise<boolean>;
  /** The origin's usage and quota in bytes; undefined if the browser does not report them. */
  estimate(): Promise<StorageEstimate | undefined>;
  /** The records that a plugin of this name has put into `commit.side`. */
  side(plugin: string): Promise<SideRecords>;
}
