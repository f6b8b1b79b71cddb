import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Meta } from '../schema/Meta.ts';
import type { Commit, LayerId, SideRecords } from '../store/Commit.ts';
import type { StoredResult, StoredRow } from '../store/State.ts';
import type { ListAddition } from '../store/grownRow.ts';
import type { Environment } from './Environment.ts';
import type { Mutation } from './Mutation.ts';

/**
 * The contract of plugins; `Plugin` is this for the Controller. Everything that is not the core is a plugin: two seams (`request`, `restore`) and a few moments.
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
  /** What the controller goes by to know the device, unless its options say. The first plugin that has one gives it. */
  readonly environment?: Environment;
  /** True once it has been started, where what it keeps is of one controller: another is refused it with `HF_PLUGIN`. */
  readonly isTaken?: boolean;
  /** Called once, when the controller is made. `controller.ready` waits for it. */
  start?(controller: Controller): void | Promise<void>;
  /** Around each network call, like a fetch middleware: the first plugin is the outermost. */
  request?(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown>;
  /**
   * Called by `fetch` of a mutation, at once. A plugin that returns a promise takes it over: it shows and sends it, now
   * or later, by `Mutations`, and `fetch` gives what the promise does.
   */
  mutate?(mutation: Mutation): Promise<unknown> | undefined;
  /**
   * Asked when somebody begins to want a read kept up to date, whatever number of subscribers it gets. The first plugin
   * that answers takes it: it writes what it learns by `controller.set`, `setResponse` and the like. Where none does,
   * the read is polled if its endpoint has a `pollFrequency`.
   *
   * @returns ends it: called when the last subscriber has gone, or the controller stops
   */
  subscribe?(read: Read): (() => void) | undefined;
  /** Asked before the network when memory misses. What comes back is merged, never over something newer. */
  restore?(wanted: Wanted): Promise<Restored | undefined>;
  /**
   * Whether `restore` could bring back the result of this endpoint key, with all that it reaches, at any time: then
   * memory may forget it although it is fresh, when nobody shows it any more.
   */
  holds?(key: string): boolean;
  /** Called after each commit, in order. */
  commit?(commit: Commit): void;
  /** `invalidateAll` and `expireAll`: the results that it keeps and memory does not have are to change too. */
  revise?(revision: ResultRevision): void;
  /** Settles once everything that was to be restored without being asked for is in memory. */
  readonly restored?: Promise<void>;
  /**
   * Forget everything; resolves when it is gone.
   *
   * @param origin - `'app'`, or the name of the plugin that tells of a reset in another tab: what tabs share, such as a
   * database, is emptied there
   * @param unsent - what becomes of mutations that have not reached the server: memory forgets them in any case, a disk
   * only when they are discarded
   */
  reset?(origin: string, unsent?: Unsent): Promise<void>;
  /** Changes of other tabs have been missed: read anew what memory holds of what tabs share. */
  catchUp?(): Promise<void>;
  /**
   * Another tab has committed these records under this plugin's name, undefined where it has deleted one. Called
   * before what came with them is committed here.
   *
   * @returns the layers of this controller that the same commit takes away
   */
  settles?(records: SideRecords): readonly LayerId[];
  /** The records that a plugin of this name has put into `commit.side`: what the storage plugin has. */
  side?(plugin: string): Promise<SideRecords>;
  /**
   * The storage plugin has lost all that others keep with it, since the browser has deleted its database: what is still
   * needed is to be committed again.
   */
  sideLost?(): void;
  /** Resolves when every commit so far is durable. */
  flush?(): Promise<void>;
  /** How it is doing, where there is something to show. */
  readonly status?: PluginStatus;
  stop?(): void | Promise<void>;
}

/** What a reset does with mutations that have not reached the server: keep them for whoever signs in next, or not. */
export type Unsent = 'keep' | 'discard';

/** What is read: an endpoint with given args. */
export interface Read {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** The endpoint's key for these args. */
  readonly key: string;
}

/** A read that is on screen. */
export interface MountedRead extends Read {
  /** Whether what it shows, data or error, is out of date. False while there is nothing yet. */
  readonly isStale: boolean;
  /** How many readers, such as components, show it. */
  readonly readers: number;
}

/** One network call. */
export interface PluginRequest {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** Its place in the order of all requests. */
  readonly order: number;
  /** When it began, in ms since the epoch. */
  readonly requestedAt: number;
}

/** A change of every result of some keys. Doing it twice is as doing it once. */
export interface ResultRevision {
  testKey(this: void, key: string): boolean;
  change(this: void, result: StoredResult): StoredResult;
}

/** What memory lacks. */
export interface Wanted {
  /** Endpoint keys; what their results reach, transitively, is wanted too. */
  readonly results?: readonly string[];
  /** Rows by table and pk; what they reach, transitively, is wanted too. */
  readonly rows?: readonly (readonly [table: string, pk: string])[];
  /** Whole tables. */
  readonly tables?: readonly string[];
}

/** Rows and results with their own times and orders. */
export interface Restored {
  /** With each row, where that is known, the meta of the version that it was merged over: it replaces that one whole. */
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow, over?: Meta])[];
  readonly results: readonly (readonly [key: string, result: StoredResult])[];
  /** What is added to lists, whichever are here, once the rows are. */
  readonly additions?: readonly ListAddition[];
}

/** What a plugin tells of how it is doing. */
export interface PluginStatus<Value = unknown> {
  /** What it is before the plugin starts: what a server renders, and a page while it hydrates. Default: what `get` gives. */
  readonly initial?: Value;
  /** The status as of now: the identical value while nothing changes. Does not need its `this`. */
  readonly get: () => Value;
  /** Calls `listener` after each change. Returns how to stop that. Does not need its `this`. */
  readonly subscribe: (listener: () => void) => () => void;
}
