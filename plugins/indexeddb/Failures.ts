import { HoldfastError, type ErrorCode } from 'holdfast';
import type { Unreadable } from './records.ts';
import { Status } from './Status.ts';

/** Tells the app what went wrong, and how it is now. What repeats is told once. */
export class Failures {
  readonly status = new Status();
  readonly #database: string;
  readonly #onError: (error: HoldfastError) => void;
  readonly #told = new Set<string>();

  /** @param database - its name, for messages */
  constructor(database: string, onError: (error: HoldfastError) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Tells of an error, unless one with the same text was told of, and gives it back. */
  tell(error: HoldfastError): HoldfastError {
    if (!this.#told.has(error.message)) {
      this.#told.add(error.message);
      // Not in the middle of a commit: what the app does then may commit too, or throw.
      queueMicrotask(() => this.#onError(error));
    }
    return error;
  }

  /**
   * Tells that the database failed.
   *
   * @param what - what failed
   * @param then - what that means, and what to do
   */
  storage(what: string, then: string, cause: unknown): HoldfastError {
    const failure = this.failure('HF_STORAGE', `${what} (${reason(cause)})`, then, cause);
    this.status.degraded(failure);
    return failure;
  }

  /** Tells that a function of the app's threw where it must not. */
  thrown(what: string, cause: unknown): HoldfastError {
    return this.failure(
      'HF_PLUGIN',
      `${what} (${reason(cause)})`,
      'nothing is kept until it does not',
      cause,
    );
  }

  failure(code: ErrorCode, what: string, then: string, cause?: unknown): HoldfastError {
    const where = `IndexedDB database ${JSON.stringify(this.#database)}`;
    return this.tell(new HoldfastError(code, `${where}: ${what}; ${then}`, { cause }));
  }

  /** Tells of what is on disk but not of our shape. */
  readonly unreadable: Unreadable = (where) => {
    this.failure(
      'HF_STORAGE',
      `${where} is not of the shape that Holdfast writes`,
      'it was left out and is fetched again',
    );
  };
}

function reason(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
