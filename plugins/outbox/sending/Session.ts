import type { Controller } from 'holdfast';
import { errorName } from '../../shared/errorName.ts';
import { withTimeout } from '../../shared/withTimeout.ts';
import type { Queue } from '../queue/Queue.ts';
import { messageOf } from './classifyFailure.ts';

/** The default timeout of an attempt, in ms. */
export const TIMEOUT = 60_000;

/** An attempt cannot be made: `init` failed, or another user is signed in. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/**
 * A signal that the user may have signed in: a mutation outside of the outbox has succeeded (`login`), the user or
 * the network is back (`activity`), or a read has succeeded. Except for `login`, the headers of `init` decide, if
 * there are any.
 */
export type SessionSignal = 'login' | 'activity' | 'read';

/** The signals, the strongest first. */
const SIGNALS: readonly SessionSignal[] = ['login', 'activity', 'read'];

/**
 * Settles with a promise, or rejects after a timeout.
 *
 * @param timeout - in ms; 0 for none
 */
export function within<T>(controller: Controller, timeout: number, promise: Promise<T>): Promise<T> {
  return timeout > 0
    ? withTimeout(timeout, promise, `No response in ${timeout} ms`, (run, delay) =>
        controller.schedule(run, delay),
      )
    : promise;
}

/** The signed-in user, as far as the outbox needs to know. */
export class Session {
  readonly #queue: Queue;
  readonly #onSignIn: (signal: SessionSignal) => Promise<void>;
  /** The last headers of `init`; undefined if there were none, or it failed. */
  #headers: string | undefined;
  /** Calls of `init` in progress, whose own requests are no signal. */
  #initCalls = 0;
  /** The strongest signal that no check has answered yet. */
  #signal: SessionSignal | undefined;
  /** The check in progress. */
  #checking: Promise<void> | undefined;

  /** @param onSignIn - called when the user may have signed in */
  constructor(queue: Queue, onSignIn: (signal: SessionSignal) => Promise<void>) {
    this.#queue = queue;
    this.#onSignIn = onSignIn;
  }

  /** Whether entries wait for a sign-in. */
  get #isAwaited(): boolean {
    return !this.#queue.isStopped && this.#queue.entries.needsAuth;
  }

  /**
   * The request options of an attempt.
   *
   * @throws NotSignedIn if there are none
   */
  async init(): Promise<RequestInit | undefined> {
    this.#headers = undefined;
    try {
      this.#assertSignedIn();
      const init = await this.#callInit();
      this.#assertSignedIn();
      this.#headers = textOf(init);
      return init;
    } catch (cause) {
      if (errorName(cause) === 'TimeoutError' || cause instanceof NotSignedIn) throw cause;
      throw new NotSignedIn(`init() failed: ${messageOf(cause)}`, { cause });
    }
  }

  /**
   * Checks that the signed-in user owns this outbox.
   *
   * @throws NotSignedIn otherwise
   */
  #assertSignedIn(): void {
    const { options } = this.#queue;
    if (options.currentScope === undefined || options.currentScope() === options.scope) return;
    throw new NotSignedIn('The user has changed or signed out');
  }

  /** Checks whether the user has signed in, after a signal for it, and again after those that arrive during the check. */
  check(signal: SessionSignal): Promise<void> {
    // Requests of `init` itself are no signal, but cannot be told from others.
    if (this.#isAwaited && (signal === 'activity' || this.#initCalls === 0)) {
      this.#signal = SIGNALS.find((each) => each === signal || each === this.#signal);
      this.#checking ??= this.#check();
    }
    return this.#checking ?? Promise.resolve();
  }

  async #check(): Promise<void> {
    try {
      while (this.#signal !== undefined && this.#isAwaited) {
        const signal = this.#signal;
        this.#signal = undefined;
        if (await this.#mayHaveChanged(signal)) await this.#onSignIn(signal);
      }
    } finally {
      this.#signal = this.#checking = undefined;
    }
  }

  /** Whether an attempt may succeed now. */
  async #mayHaveChanged(signal: SessionSignal): Promise<boolean> {
    const before = this.#headers;
    try {
      this.#assertSignedIn();
      if (signal === 'login') return true;
      const headers = textOf(await this.#callInit());
      return headers === NONE ? signal === 'activity' : headers !== before;
    } catch {
      return false;
    }
  }

  async #callInit(): Promise<RequestInit | undefined> {
    this.#initCalls += 1;
    const { controller, options } = this.#queue;
    try {
      return await within(controller, options.timeout ?? TIMEOUT, Promise.resolve(options.init?.()));
    } finally {
      this.#initCalls -= 1;
    }
  }
}

/** Without headers, `init` does not show whether the session changed: cookies may have. */
const NONE = '[]';

/** The headers as text, for comparison in memory. */
function textOf(init: RequestInit | undefined): string {
  return JSON.stringify([...new Headers(init?.headers)]);
}
