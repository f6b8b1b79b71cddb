import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Commit } from '../../store/Commit.ts';
import type { Environment } from '../Environment.ts';

/**
 * The contract of plugins: reacts to requests, commits and the life of a controller. A plugin that restores data is
 * a `StoragePlugin`; one that sends mutations itself is a `MutationPlugin`.
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
  /** Called once, when the controller is created. `controller.ready` and every request wait for it: do not await one. */
  start?(controller: Controller): void | Promise<void>;
  /** Wraps each network call, like fetch middleware; the first plugin is the outermost. */
  request?(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown>;
  /**
   * Called for the first subscriber of a read. The first plugin that returns a function handles the subscription and
   * writes updates by `controller.set`, `setResponse` and the like. If none does, the read is polled if its endpoint
   * has a `pollFrequency`. For an entity with a temporary pk, it is called once the server has assigned the pk. After a
   * rename it is called again, with the new pk.
   *
   * @returns ends the subscription; called when the last subscriber has gone, before `subscribe` is called again, and when
   * the controller stops
   */
  subscribe?(read: Read): (() => void) | undefined;
  /**
   * In development builds, called when a component begins to show a read.
   *
   * @param key - of the read
   * @param at - its stack has the component, and is formatted when it is read
   * @returns called when the component shows it no more
   */
  mounted?(key: string, at: Error): () => void;
  /** Called after each commit, in order. */
  commit?(commit: Commit): void;
  /**
   * Deletes everything it stores; resolves when that is done.
   *
   * @param origin - `'app'`, or the name of the plugin that announces a reset of another tab, which clears shared
   * storage itself
   * @param unsent - whether mutations that have not reached the server stay on disk. Memory is cleared in any case
   * @param at - when the app, or the other tab, was reset, in ms since the epoch; 0 if that is unknown
   */
  reset?(origin: string, unsent?: Unsent, at?: number): Promise<void>;
  /** Resolves when every commit so far is durable. */
  flush?(): Promise<void>;
  /** Called when the controller stops, which waits for it. Commits of other plugins may still follow. */
  stop?(): void | Promise<void>;
  /** Its status, if there is something to show. */
  readonly status?: PluginStatus;
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
export interface PluginRequest extends Read {
  /** Its position in the order of all requests. */
  readonly order: number;
  /** When it started, in ms since the epoch. */
  readonly requestedAt: number;
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
