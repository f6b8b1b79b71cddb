import type { HoldfastError, MutationPlugin, PluginStatus } from 'holdfast';
import type { Failure } from './sending/classifyFailure.ts';

/** A mutation in the outbox, as the app sees it. The same object until something in it changes. */
export interface OutboxEntry {
  readonly key: string;
  /** Name of the endpoint. */
  readonly name: string;
  /** The args to send. Do not change them in place: pass a changed copy to `edit`. */
  readonly args: readonly unknown[];
  /**
   * - `queued`: will be sent
   * - `sending`: an attempt is in progress
   * - `retrying`: the last attempt failed, and the next is due at `retryAt`
   * - `needs-auth`: sent once the user has signed in
   * - `blocked`: its requests fail although the server is reachable; it is retried
   * - `conflict`: the server has another version; it waits for `resolve`
   * - `failed`: the server has rejected it; it waits for `retry`, `edit` or `discard`
   */
  readonly status: 'queued' | 'sending' | 'retrying' | 'needs-auth' | 'blocked' | 'conflict' | 'failed';
  /** When it was created, in ms since the epoch. */
  readonly createdAt: number;
  /** How many attempts have failed. */
  readonly attempts: number;
  /** The earliest time of the next attempt, in ms since the epoch; 0 if it is due. */
  readonly retryAt: number;
  /** Why the last attempt failed. */
  readonly error?: Failure | undefined;
  /**
   * The server's version in a conflict: what `onConflict` has returned as `theirs`, or the body of the 409 or 412.
   * `args` has ours.
   */
  readonly theirs?: unknown;
  /** The pk of the created entity until the server assigns one. */
  readonly temporaryPk: string;
  /** The temporary pks in its args: it is sent after the creates that these belong to. */
  readonly dependsOn: readonly string[];
}

/**
 * How to resolve a conflict:
 *
 * - `{ args }`: sends other args
 * - `{ theirs, mine }`: a person decides by `resolve`. `theirs` is the server's version; `mine` are the args to send
 *   if ours is chosen, such as the same changes with the server's new version number. Default: the same args
 * - `'discard'`: drops the entry
 * - undefined: a person decides; `theirs` is the body of the response
 */
export type Resolution =
  | { readonly args: readonly unknown[] }
  | { readonly theirs: unknown; readonly mine?: readonly unknown[] }
  | 'discard'
  | undefined;

/** Options of `outbox`. */
export interface OutboxOptions {
  /** Resources and endpoints whose mutations are queued. Stored mutations find their endpoint by name. */
  readonly endpoints: readonly object[];
  /**
   * Request options for each attempt, such as headers with a token, which is therefore never stored. If it throws,
   * for example because a token cannot be renewed, sending pauses as after a 401.
   */
  init?(): RequestInit | Promise<RequestInit>;
  /** Statuses that pause the queue until the user has signed in, like 401; for example 403. Default: none. */
  readonly pauseOn?: readonly number[];
  /** The timeout of an attempt in ms; 0 for none. An endpoint's own `timeout` takes precedence. Default: 60,000. */
  readonly timeout?: number;
  /** The queue of an endpoint. Queues do not wait for each other. Default: one queue. */
  queue?(endpoint: { readonly name: string }): string;
  /** The header with the idempotency key; false sends none. Default: `'Idempotency-Key'`. */
  readonly idempotencyHeader?: string | false;
  /** Called when the server answers 409 or 412. */
  onConflict?(entry: OutboxEntry, response: Response | undefined): Resolution | Promise<Resolution>;
  /**
   * Name of the lock, the background sync, and the database if there is no storage plugin. Apps that share an origin
   * need different ones. Default: `'holdfast-outbox'`.
   */
  readonly name?: string;
  /** Whose mutations they are, such as a user's id. They are never sent by an outbox of another scope. */
  readonly scope?: string;
  /**
   * The scope of the signed-in user, for apps whose token changes before the former user's controller is stopped.
   * Attempts are only made while it equals `scope`.
   */
  currentScope?(): string | undefined;
  /** From 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** Called with storage errors, and with reasons that keep mutations from being sent. Default: `console.error`. */
  readonly onError?: (error: HoldfastError) => void;
}

/** The contents of the outbox. The same object until something in it changes. */
export interface OutboxState {
  /** `needs-auth`: some wait for a sign-in. `blocked`: the requests of some fail although the server is reachable. */
  readonly state: 'working' | 'needs-auth' | 'blocked';
  /** All of them, in order. */
  readonly entries: readonly OutboxEntry[];
  /** Those that are waiting or being sent, in order. */
  readonly pending: readonly OutboxEntry[];
  /** Those being sent. */
  readonly sending: readonly OutboxEntry[];
  /** The dead letters, including conflicts. */
  readonly failed: readonly OutboxEntry[];
  /** How many have each status. */
  readonly counts: Readonly<Record<OutboxEntry['status'], number>>;
}

/** Actions on the outbox. */
export interface OutboxActions {
  /** Retries an entry at once: a dead letter, or one that waits for its next attempt. */
  readonly retry: (key: string) => void;
  /**
   * Removes an entry with its optimistic layer, and later ones that depend on it.
   *
   * @returns false if it is being sent, or gone
   */
  readonly discard: (key: string) => boolean;
  /**
   * Changes the args of an entry; a dead letter is sent again.
   *
   * @returns false if it is being sent, or gone
   * @throws HoldfastError `HF_OUTBOX_ARGS` when they cannot be stored
   */
  readonly edit: (key: string, args: readonly unknown[]) => boolean;
  /**
   * Resolves a conflict: `'mine'` sends our version again, `'theirs'` drops it, and other args are sent instead.
   * `'theirs'` also shows the server's version at once, if `theirs` of the entry is a row of the same pk. If the entry
   * is a create, `theirs` is shown as its response, and what depends on the create is sent with the pk of `theirs`.
   *
   * @returns false if it is not in conflict
   * @throws HoldfastError `HF_OUTBOX_ARGS` when the args cannot be stored
   */
  readonly resolve: (key: string, version: 'mine' | 'theirs' | readonly unknown[]) => boolean;
  /**
   * Retries everything that is waiting, also for a sign-in.
   *
   * @returns whether nothing is pending any more
   */
  readonly resume: () => Promise<boolean>;
  /**
   * Sends everything that can be sent.
   *
   * @returns whether nothing is pending any more
   */
  readonly drain: () => Promise<boolean>;
  /** Whether a pending mutation affects this entity. */
  readonly isPending: (entity: object) => boolean;
  /**
   * The entry that keeps this entity from being the same on the server, to be read and watched: a dead letter that would
   * have changed it, or the first entry whose change it shows. Undefined if there is none.
   */
  readonly pendingFor: (entity: object) => PluginStatus<OutboxEntry | undefined>;
}

/** The plugin that `outbox` makes. */
export interface OutboxPlugin extends MutationPlugin, OutboxActions {
  /** The contents, to be read and watched. */
  readonly status: PluginStatus<OutboxState>;
  /** The tag of its background sync, if the browser supports it. */
  readonly syncTag: string;
}
