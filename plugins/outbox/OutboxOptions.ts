import type { HoldfastError, Plugin, PluginStatus } from 'holdfast';
import type { Failure } from './outcome.ts';

/** One mutation in the outbox, as the app sees it. The same object until something in it changes. */
export interface OutboxEntry {
  readonly key: string;
  /** Name of the endpoint. */
  readonly name: string;
  readonly args: readonly unknown[];
  /**
   * `needs-auth`: it is sent once somebody has signed in. `blocked`: its requests do not get through, although the
   * server can be reached; it is tried again. `failed`: the server has refused it, and it waits for `retry`, `edit` or
   * `discard`.
   */
  readonly status: 'pending' | 'sending' | 'needs-auth' | 'blocked' | 'failed';
  /** When it was asked for, in ms since the epoch. */
  readonly createdAt: number;
  /** How many attempts have failed. */
  readonly attempts: number;
  /** Before when it is not tried again, in ms since the epoch; 0 where nothing holds it back. */
  readonly retryAt: number;
  /** Why the last attempt failed. */
  readonly error?: Failure | undefined;
  /** What has the pk of an entity until the server gives one. */
  readonly temporaryPk: string;
}

/** What to do about a conflict: other args to send, `'discard'`, or undefined to leave it to the app as a failure. */
export type Resolution = { readonly args: readonly unknown[] } | 'discard' | undefined;

/** Options of `outbox`. */
export interface OutboxOptions {
  /** Resources and endpoints whose mutations it keeps. Those that are stored are found again by their names. */
  readonly endpoints: readonly object[];
  /**
   * Request options of each attempt, such as headers with a token, which is thus never stored. Where it throws, such as
   * when a token cannot be renewed, sending pauses as after a 401.
   */
  init?(): RequestInit | Promise<RequestInit>;
  /** Statuses that, like 401, pause a queue until somebody has signed in; such as 403. Default: none. */
  readonly pauseOn?: readonly number[];
  /**
   * How long an attempt may take before it is given up and made again, in ms; 0 for as long as it likes. An endpoint's
   * own `timeout` goes before it. Default: 60,000.
   */
  readonly timeout?: number;
  /** Names the queue of an endpoint: queues do not wait for each other. Default: one queue. */
  queue?(endpoint: { readonly name: string }): string;
  /** The header that says which attempts are one mutation. False sends none. Default: `Idempotency-Key`. */
  readonly idempotencyHeader?: string | false;
  /** Asked when the server answers 409 or 412. */
  onConflict?(entry: OutboxEntry, response: Response | undefined): Resolution | Promise<Resolution>;
  /** Names the lock, the background sync, and the database where there is no storage plugin. Default: `holdfast-outbox`. */
  readonly name?: string;
  /** Whose mutations they are, such as a user's id. Those of one scope are never sent by the outbox of another. */
  readonly scope?: string;
  /**
   * The scope of whoever is signed in now, for apps whose token changes before the controller of its former owner is
   * stopped: asked before each attempt, which is only made while it is `scope`.
   */
  currentScope?(): string | undefined;
  /** From 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** Told of what goes wrong with keeping entries, and of what keeps them from being sent. Default: `console.error`. */
  readonly onError?: (error: HoldfastError) => void;
}

/** What is in the outbox. The same object until something in it changes. */
export interface OutboxState {
  /** `needs-auth`: some are not sent before somebody has signed in. `blocked`: requests of some do not get through. */
  readonly state: 'working' | 'needs-auth' | 'blocked';
  /** All of them, in order. */
  readonly entries: readonly OutboxEntry[];
  /** Those that wait or are being sent, in order. */
  readonly pending: readonly OutboxEntry[];
  /** Those being sent. */
  readonly sending: readonly OutboxEntry[];
  /** The dead letters. */
  readonly failed: readonly OutboxEntry[];
}

/** What an app can do with what is in the outbox. */
export interface OutboxActions {
  /** Tries an entry again: a failed one, or one that waits for its time. */
  readonly retry: (key: string) => void;
  /**
   * Takes an entry out, with what is shown of it, and every later one that names what it would have made.
   *
   * @returns false where it is being sent, or gone
   */
  readonly discard: (key: string) => boolean;
  /**
   * Gives an entry other args; a failed one is tried again.
   *
   * @returns false where it is being sent, or gone
   * @throws HoldfastError `HF_OUTBOX_ARGS` when they cannot be stored
   */
  readonly edit: (key: string, args: readonly unknown[]) => boolean;
  /**
   * Tries everything again that waits, also what waits for somebody to sign in.
   *
   * @returns whether nothing is pending any more
   */
  readonly resume: () => Promise<boolean>;
  /**
   * Sends what can be sent.
   *
   * @returns whether nothing is pending any more
   */
  readonly drain: () => Promise<boolean>;
  /** Whether an entity is shown as it is because of something pending. */
  readonly isPending: (entity: object) => boolean;
}

/** The plugin that `outbox` makes. */
export interface OutboxPlugin extends Plugin, OutboxActions {
  /** What is in it, to be read and watched. */
  readonly status: PluginStatus<OutboxState>;
  /** The tag of the background sync that it registers, where there is such a thing. */
  readonly syncTag: string;
}
