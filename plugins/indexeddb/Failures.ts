import { HoldfastError, type ErrorCode } from 'holdfast';
import { remedy } from '../shared/remedy.ts';
import { reportOnce } from '../shared/reportOnce.ts';
import type { OnUnreadable } from './records/records.ts';
import { Status } from './Status.ts';

/** Reports errors and the storage status. The same message is reported once. */
export class Failures {
  readonly status = new Status();
  readonly #database: string;
  readonly #report: (error: HoldfastError) => void;

  /** @param database - its name, for messages */
  constructor(database: string, onError: ((error: HoldfastError) => void) | undefined) {
    this.#database = database;
    this.#report = reportOnce(onError);
  }

  /** Reports an error, unless the same message was reported before. Returns it. */
  report(error: HoldfastError): HoldfastError {
    this.#report(error);
    return error;
  }

  /**
   * Reports that the database failed; the status is degraded until it works again.
   *
   * @param what - what failed
   * @param then - the consequence, and what to do
   */
  degrade(what: string, then: string, cause: unknown): HoldfastError {
    const failure = this.failure('HF_STORAGE', `${what} (${reason(cause)})`, remedy(cause, then), cause);
    this.status.markDegraded(failure);
    return failure;
  }

  /** Reports that a function of the app threw. */
  thrown(what: string, cause: unknown): HoldfastError {
    return this.failure(
      'HF_PLUGIN',
      `${what} (${reason(cause)})`,
      'what it threw for is not kept until it works',
      cause,
    );
  }

  /** Reports an error of the database. Returns it. */
  failure(code: ErrorCode, what: string, then: string, cause?: unknown): HoldfastError {
    const where = `IndexedDB database ${JSON.stringify(this.#database)}`;
    return this.report(new HoldfastError(code, `${where}: ${what}; ${then}`, { cause }));
  }

  /** Reports a record of unexpected shape. */
  readonly unreadable: OnUnreadable = (where) => {
    this.failure(
      'HF_STORAGE',
      `${where} does not have Holdfast's format`,
      'it was left out and is fetched again',
    );
  };
}

function reason(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
