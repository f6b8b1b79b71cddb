import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Meta } from '../schema/Meta.ts';
import type { Commit, LayerId, SideRecords } from '../store/Commit.ts';
import type { StoredResult, StoredRow } from '../store/State.ts';
import type { ListAddition } from '../store/lazyListRow.ts';
import type { Environment } from './Environment.ts';
import type { Mutation } from './Mutation.ts';

/**
 * The contract of plugins; `Plugin` is this type for the Controller. Everything outside of the core is a plugin. It
 * may wrap requests (`request`), restore data (`restore`), and react to a few events.
 *
 * @example
 * const logger: Plugin = {
 *   name: 'logger',
 *   commit: ({ action, headChanges }) => console.log(action.type, headChanges),
 * };
 */
export interface PluginOf<Controller> {
  /** Names the plugin in errors and as the `origin` of its commits. */
  readonly name: string;
  /**
   * The device environment that the controller uses, unless its options give one. The first plugin that has one
   * provides it.
   */
  readonly environment?: Environment;
  /**
   * True once a controller has started it, if it cannot be shared: another controller then rejects it with
   * `HF_PLUGIN`.
   */
  readonly isAttached?: boolean;
  /** Called once, when the controller is created. `controller.ready` waits for it. */
  start?(controller: Controller): void | Promise<void>;
  /** Wraps each network call, like fetch middleware; the first plugin is the outermost. */
  request?(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown>;
  /**
   * Called synchronously by `fetch` of a mutation. A plugin that returns a promise takes it over: it shows and sends
   * it by `Mutations`, now or later, and `fetch` returns this promise.
   */
  mutate?(mutation: Mutation): Promise<unknown> | undefined;
  /**
   * Called for the first subscriber of a read. The first plugin that returns a function handles the subscription and
   * writes updates by `controller.set`, `setResponse` and the like. If none does, the read is polled if its endpoint
   * has a `pollFrequency`.
   *
   * @returns ends the subscription; called after the last subscriber has gone, or when the controller stops
   */
  subscribe?(read: Read): (() => void) | undefined;
  /** Called before a request for data that is not in memory. Restored data is merged, never over newer data. */
  restore?(wanted: RestoreQuery): Promise<Restored | undefined>;
  /**
   * Whether `restore` can bring back the result of this key, with everything it refers to, at any time. Memory may
   * then drop it while it is fresh, once it is unmounted.
   */
  holds?(key: string): boolean;
  /** Called after each commit, in order. */
  commit?(commit: Commit): void;
  /** `invalidateAll` and `expireAll`: also applies the change to stored results that are not in memory. */
  revise?(revision: ResultRevision): void;
  /** Settles when the background restore is complete. */
  readonly restored?: Promise<void>;
  /**
   * Deletes everything it stores; resolves when that is done.
   *
   * @param origin - `'app'`, or the name of the plugin that announces a reset of another tab, which clears shared
   * storage itself
   * @param unsent - whether mutations that have not reached the server stay on disk. Memory is cleared in any case
   */
  reset?(origin: string, unsent?: Unsent): Promise<void>;
  /** Changes of other tabs were missed: reads shared storage again for what is in memory. */
  catchUp?(): Promise<void>;
  /**
   * Another tab has committed these records under this plugin's name; undefined means deleted. Called before the
   * commit's other changes are applied here.
   *
   * @returns the layers of this controller that the same commit removes
   */
  settles?(records: SideRecords): readonly LayerId[];
  /** The records that a plugin of this name has put into `commit.side`, from the storage plugin. */
  side?(plugin: string): Promise<SideRecords>;
  /**
   * The browser has deleted the storage plugin's database, so other plugins commit the records again that they still
   * need.
   */
  sideLost?(): void;
  /** Resolves when every commit so far is durable. */
  flush?(): Promise<void>;
  /** Its status, if there is something to show. */
  readonly status?: PluginStatus;
  stop?(): void | Promise<void>;
}

/**
 * What a reset does with mutations that have not reached the server: keep them for the next sign-in, or discard them.
 */
export type Unsent = 'keep' | 'discard';

/** A read: an endpoint with args. */
export interface Read {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** The endpoint's key for these args. */
  readonly key: string;
}

/** A mounted read. */
export interface MountedRead extends Read {
  /** Whether its data or error is stale. False while it has neither. */
  readonly isStale: boolean;
  /** How many readers, such as components, are mounted. */
  readonly readers: number;
}

/** One network call. */
export interface PluginRequest {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** Its position in the order of all requests. */
  readonly order: number;
  /** When it started, in ms since the epoch. */
  readonly requestedAt: number;
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
  /** Whole tables. */
  readonly tables?: readonly string[];
}

/** Rows and results with their own times and orders. */
export interface Restored {
  /** Each row with the meta of the version it was merged over, if known; it replaces that version as a whole. */
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow, over?: Meta])[];
  readonly results: readonly (readonly [key: string, result: StoredResult])[];
  /** Additions to lists, applied after the rows to whichever lists are in memory. */
  readonly additions?: readonly ListAddition[];
}

/** The status of a plugin. */
export interface PluginStatus<Value = unknown> {
  /** The status before the plugin starts, for server rendering and hydration. Default: the result of `get`. */
  readonly initial?: Value;
  /** The current status; the identical value while nothing changes. Works without `this`. */
  readonly get: () => Value;
  /** Calls `listener` after each change. Returns a function that stops it. Works without `this`. */
  readonly subscribe: (listener: () => void) => () => void;
}
