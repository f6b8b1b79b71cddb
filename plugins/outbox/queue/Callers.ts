import { HoldfastError, NetworkError, type Mutation } from 'holdfast';
import { errorName } from '../../shared/errorName.ts';
import type { Entries } from './Entries.ts';
import type { Entry, Waiter } from './Entry.ts';

/** The part of the queue that callers wait for. */
interface AwaitedQueue {
  readonly entries: Entries;
  cancel(entry: Entry, error: unknown): void;
  optimisticValue(mutation: Mutation): unknown;
}

/** The callers of `fetch` that wait for their promises. */
export class Callers {
  readonly #queue: AwaitedQueue;
  /** Entries with a waiting caller, except those whose caller is released after the first write. */
  readonly #awaited = new Set<Entry>();

  constructor(queue: AwaitedQueue) {
    this.#queue = queue;
  }

  add(entry: Entry, waiter: Waiter): void {
    entry.waiter = waiter;
    this.#awaited.add(entry);
  }

  /** Resolves the callers that wait for entries which cannot be sent now. */
  releaseAwaited(isReady: (entry: Entry) => boolean): void {
    for (const entry of this.#awaited) {
      if (entry.waiter !== undefined && isReady(entry)) continue;
      this.#awaited.delete(entry);
      const error = notSent(`${entry.record.name} could neither be sent nor queued`);
      void entry.written.then(() => this.release(entry, error));
    }
  }

  /**
   * Resolves the caller's promise, as the mutation is queued; rejects it if the mutation is not on disk, or the caller
   * has aborted it.
   */
  release(entry: Entry, error: unknown): void {
    const { waiter, mutation } = entry;
    if (waiter === undefined) return;
    const signal = mutation?.endpoint.signal;
    // While it waited for earlier ones, no request followed the signal. A timeout limits an attempt, not the wait.
    if (signal?.aborted === true && errorName(signal.reason) !== 'TimeoutError') {
      this.#queue.cancel(entry, signal.reason ?? error);
      return;
    }
    if (!entry.isDurable) {
      // It may be being written again, since the browser has deleted the database.
      void entry.written.then((isWritten) => {
        if (isWritten) this.release(entry, error);
        else if (entry.waiter !== undefined) this.#queue.cancel(entry, error);
      });
      return;
    }
    entry.waiter = undefined;
    waiter.resolve(mutation && this.#queue.optimisticValue(mutation));
  }

  /**
   * Settles the promises of all callers, since the entries are removed by a reset.
   *
   * @param isKept - whether the entries stay on disk: then they count as queued
   */
  dismiss(isKept: boolean): void {
    this.#awaited.clear();
    for (const entry of this.#queue.entries.all()) {
      if (entry.waiter === undefined) continue;
      const message = `${entry.record.name} was removed from the outbox by a reset; fetch again`;
      const error = new HoldfastError('HF_RESET', message);
      if (!isKept) reject(entry, error);
      else
        void entry.written.then((isOnDisk) =>
          isOnDisk ? entry.waiter?.resolve(undefined) : reject(entry, error),
        );
    }
  }
}

/** Rejects the promise of a waiting caller. */
export function reject(entry: Entry, error: unknown): void {
  entry.waiter?.reject(error);
  entry.waiter = undefined;
}

/** The error for a request that is not made. */
export function notSent(message: string, method = ''): NetworkError {
  return new NetworkError(message, { status: 0, url: '', method });
}

/** The error for callers of a discarded entry. */
export function cancelledError({ record }: Entry): HoldfastError {
  return new HoldfastError(
    'HF_OUTBOX_CANCELLED',
    `${record.name} or a creation that it depends on was removed from the outbox, so it is not sent; call it again if necessary`,
  );
}
