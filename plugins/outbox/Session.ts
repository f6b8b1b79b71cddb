import type { Schedule } from 'holdfast';
import type { OutboxOptions } from './OutboxOptions.ts';

/** How long an attempt may take, in ms. */
export const TIMEOUT = 60_000;

/** No attempt is made without request options: `init` failed, or somebody else is signed in. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/**
 * What may be a sign that somebody has signed in: a mutation that the outbox does not keep has succeeded (`login`), the user
 * or the network is back (`activity`), or a read has succeeded. But for the first, other headers of `init` decide, where it
 * gives any.
 */
export type Sign = 'login' | 'activity' | 'read';

/** Who the app says is signed in, as far as the outbox has to know: whose mutations it may send, and with what. */
export class Session {
  readonly #options: OutboxOptions;
  readonly #schedule: Schedule;
  /** The headers that `init` gave last; undefined where it has given none, or failed. */
  #headers: string | undefined;
  /** How many calls of `init` are under way: what they request themselves is no sign of anything. */
  #asking = 0;

  constructor(options: OutboxOptions, schedule: Schedule) {
    this.#options = options;
    this.#schedule = schedule;
  }

  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /**
   * The request options of an attempt.
   *
   * @throws NotSignedIn when there can be none
   */
  async init(): Promise<RequestInit | undefined> {
    this.#headers = undefined;
    let init: RequestInit | undefined;
    try {
      this.check();
      init = await this.#ask();
    } catch (cause) {
      const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
      if (isLate || cause instanceof NotSignedIn) throw cause;
      throw new NotSignedIn(`init() failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
    this.check();
    this.#headers = textOf(init);
    return init;
  }

  /**
   * Whether this is the outbox of whoever is signed in.
   *
   * @throws NotSignedIn when it is not
   */
  check(): void {
    const { scope } = this.#options;
    if (this.#options.currentScope === undefined || this.#options.currentScope() === scope) return;
    throw new NotSignedIn('Somebody else is signed in, or nobody');
  }

  /** Whether an attempt may go better than the last, since somebody may have signed in. */
  async mayHaveChanged(sign: Sign): Promise<boolean> {
    const before = this.#headers;
    try {
      this.check();
      if (sign === 'login') return true;
      const headers = textOf(await this.#ask());
      return headers === NONE ? sign === 'activity' : headers !== before;
    } catch {
      return false;
    }
  }

  async #ask(): Promise<RequestInit | undefined> {
    this.#asking += 1;
    const { timeout = TIMEOUT } = this.#options;
    let cancel: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = (): void => reject(new DOMException(`No answer in ${timeout} ms`, 'TimeoutError'));
      if (timeout > 0) cancel = this.#schedule(giveUp, timeout);
    });
    try {
      return await Promise.race([this.#options.init?.(), late]);
    } finally {
      cancel?.();
      this.#asking -= 1;
    }
  }
}

/** Where `init` gives no headers, it cannot tell: cookies, say, may have changed. */
const NONE = '[]';

/** The headers of request options, to compare them; in memory only. */
function textOf(init: RequestInit | undefined): string {
  return JSON.stringify([...new Headers(init?.headers)]);
}
