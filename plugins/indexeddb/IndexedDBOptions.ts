import type { HoldfastError, Plugin, PluginStatus, SideRecords } from 'holdfast';
import type { Codec } from './Codec.ts';
import type { Migrate } from './migration.ts';
import type { StorageEstimate } from './browserStorage.ts';
import type { Persist } from './persisted.ts';
import type { StorageStatus } from './Status.ts';

/** Options of `indexedDB`. */
export interface IndexedDBOptions {
  /** Name of the database. */
  readonly name: string;
  /** Whose data it is, such as a user's id: each scope has a database of its own. */
  readonly scope?: string;
  /**
   * What is kept. Default: what an endpoint with a `dataExpiryLength` of `Infinity` brought. What a kept result reaches
   * is kept too, and so is every later change to what once was.
   */
  readonly persist?: Persist;
  /** Version of the app's rows; raise it with each change of their shape. Default: 0. */
  readonly version?: number;
  /**
   * Brings rows of earlier versions up to date, by entity key; they are changed as they are read. Rows of an entity that
   * is not here are taken as they are.
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
   * `'progressive'` (default) brings everything into memory, bit by bit, after the start; `'lazy'` only what is read,
   * for data larger than memory.
   */
  readonly restore?: 'progressive' | 'lazy';
  /**
   * Writes and reads every record, to encrypt it, say. Names of tables and numbers of rows stay readable. All tabs need
   * the same one; what it does not accept is left out and fetched again.
   */
  readonly codec?: Codec;
  /**
   * Rows that are kept, about. Where there are more, the results that were not read for longest go, in idle time, and
   * the rows that no other result reaches; records of other plugins never do. Default: no limit.
   */
  readonly maxRows?: number;
  /** The same in bytes, estimated by rows as text. Default: no limit. */
  readonly maxBytes?: number;
  /** `'strict'` makes the browser write through to the device before a flush counts as done. Default: `'relaxed'`. */
  readonly durability?: 'relaxed' | 'strict';
  /** Told of whatever goes wrong; the app goes on from memory and network. Default: `console.error`. */
  readonly onError?: (error: HoldfastError) => void;
}

/** The plugin that `indexedDB` makes. */
export interface IndexedDBPlugin extends Plugin {
  readonly restored: Promise<void>;
  /** How it is doing: what the restore has come to, what is stored, whether something is wrong. */
  readonly status: PluginStatus<StorageStatus>;
  /**
   * Asks the browser to keep what is stored also when the device gets full; some ask the user. Call it when the user
   * has reason to agree, such as after a first edit.
   *
   * @returns whether it will
   */
  requestPersistence(): Promise<boolean>;
  /** What the origin uses and may use, in bytes; undefined where the browser does not say. */
  estimate(): Promise<StorageEstimate | undefined>;
  /** The records that a plugin of this name has put into `commit.side`. */
  side(plugin: string): Promise<SideRecords>;
}
