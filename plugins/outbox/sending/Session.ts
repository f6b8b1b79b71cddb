import type { Schedule } from 'holdfast';
import { withTimeout } from '../../shared/withTimeout.ts';
import type { OutboxOptions } from '../OutboxOptions.ts';

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

const SIGNALS: readonly SessionSignal[] = ['login', 'activity', 'read'];

/** The one of two signals that says more. */
export function strongerSignal(one: SessionSignal, other: SessionSignal = one): SessionSignal {
  return SIGNALS.indexOf(one) < SIGNALS.indexOf(other) ? one : other;
}

/** The signed-in user, as far as the outbox needs to know. */
export class Session {
  readonly #options: OutboxOptions;
  readonly #schedule: Schedule;
  /** The last headers of `init`; undefined if there were none, or it failed. */
  #headers: string | undefined;
  /** Calls of `init` in progress, whose own requests are no signal. */
  #initCalls = 0;

  constructor(options: OutboxOptions, schedule: Schedule) {
    this.#options = options;
    this.#schedule = schedule;
  }

  get isCallingInit(): boolean {
    return this.#initCalls > 0;
  }

  /**
   * The request options of an attempt.
   *
   * @throws NotSignedIn if there are none
   */
  async init(): Promise<RequestInit | undefined> {
    this.#headers = undefined;
    let init: RequestInit | undefined;
    try {
      this.assertSignedIn();
      init = await this.#callInit();
    } catch (cause) {
      const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
      if (isLate || cause instanceof NotSignedIn) throw cause;
      throw new NotSignedIn(`init() failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
    this.assertSignedIn();
    this.#headers = textOf(init);
    return init;
  }

  /**
   * Checks that the signed-in user owns this outbox.
   *
   * @throws NotSignedIn otherwise
   */
  assertSignedIn(): void {
    const { scope } = this.#options;
    if (this.#options.currentScope === undefined || this.#options.currentScope() === scope) return;
    throw new NotSignedIn('The user has changed or signed out');
  }

  /** Whether an attempt may succeed now, since the user may have signed in. */
  async mayHaveChanged(signal: SessionSignal): Promise<boolean> {
    const before = this.#headers;
    try {
      this.assertSignedIn();
      if (signal === 'login') return true;
      const headers = textOf(await this.#callInit());
      return headers === NONE ? signal === 'activity' : headers !== before;
    } catch {
      return false;
    }
  }

  async #callInit(): Promise<RequestInit | undefined> {
    this.#initCalls += 1;
    const { timeout = TIMEOUT } = this.#options;
    try {
      const init = Promise.resolve(this.#options.init?.());
      return await (timeout > 0
        ? withTimeout(timeout, init, `No response in ${timeout} ms`, this.#schedule)
        : init);
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
