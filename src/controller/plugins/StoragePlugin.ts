import type { Meta } from '../../schema/Meta.ts';
import type { SideRecords } from '../../store/Commit.ts';
import type { StoredResult, StoredRow } from '../../store/State.ts';
import type { ListChange } from '../../store/lazyListRow.ts';
import type { PluginOf } from './Plugin.ts';

/**
 * A plugin that keeps data outside of memory, such as `indexedDB`: it stores commits, and restores what memory lacks.
 */
export interface StoragePluginOf<Controller> extends PluginOf<Controller> {
  /**
   * Called before a request for data that is not in memory. Restored data is merged, never over newer data. Large
   * parts, such as whole tables, are better merged by `controller.apply` in several steps before the promise resolves.
   */
  restore(wanted: RestoreQuery): Promise<Restored | undefined>;
  /** Settles when the background restore is complete. */
  readonly restored?: Promise<void>;
  /**
   * Whether `restore` can bring back the result of this key, with everything it refers to, at any time. Memory may
   * then drop it while it is fresh, once it is unmounted.
   */
  holds?(key: string): boolean;
  /** `invalidateAll` and `expireAll`: also applies the change to stored results that are not in memory. */
  revise?(revision: ResultRevision): void;
  /** Changes of other tabs were missed: reads shared storage again for what is in memory. */
  catchUp?(): Promise<void>;
  /**
   * The records that a plugin of this name has put into `commit.side`. A storage plugin with this member writes them
   * in the transaction of the commit.
   */
  side?(plugin: string): Promise<SideRecords>;
  /**
   * The name of its database, if that contains records as they are, neither encoded nor encrypted. Other plugins may
   * then keep records elsewhere in the same browser, for example while the page unloads.
   */
  readonly plainDatabase?: string | undefined;
}

/** An idempotent change of every result whose key passes the test. */
export interface ResultRevision {
  testKey(this: void, key: string): boolean;
  change(this: void, result: StoredResult): StoredResult;
}

/** Data that is not in memory. */
export interface RestoreQuery {
  /** Endpoint keys. Everything their results refer to, transitively, is included. */
  readonly results?: readonly string[];
  /** Rows by table and pk. Everything they refer to, transitively, is included. */
  readonly rows?: readonly (readonly [table: string, pk: string])[];
  /** Whole tables. Everything their rows refer to, transitively, is included. */
  readonly tables?: readonly string[];
}

/** Rows and results with their own times and orders. */
export interface Restored {
  /** Each row with the meta of the version it was merged over, if known; it replaces that version as a whole. */
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow, over?: Meta])[];
  readonly results: readonly (readonly [key: string, result: StoredResult])[];
  /** Changes of lists, applied to whichever lists are in memory: after restored rows, and before the rows of other tabs. */
  readonly listChanges?: readonly ListChange[];
}
