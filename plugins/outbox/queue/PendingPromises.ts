import { HoldfastError, NetworkError } from 'holdfast';
import type { RemoteChanges } from './RemoteEntries.ts';
import type { Drainer } from '../sending/Drainer.ts';
import type { Entry } from './Entry.ts';
import type { Queue } from './Queue.ts';
import { reject, type Sender } from '../sending/Sender.ts';

/** The pending promises of `fetch`, and how they settle without an attempt of this tab. */
export class PendingPromises {
  readonly #queue: Queue;
  readonly #sender: Sender;
  /** Entries with a waiting caller at the last check. */
  readonly #entries = new Set<Entry>();

  constructor(queue: Queue, sender: Sender) {
    this.#queue = queue;
    this.#sender = sender;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
  }

  /** Nothing more can be sent: resolves the promises of queued entries. */
  releaseIdle(drainer: Drainer): void {
    for (const entry of this.#entries) {
      if (entry.waiter !== undefined && drainer.isReady(entry)) continue;
      this.#entries.delete(entry);
      if (entry.waiter !== undefined) this.#release(entry);
    }
  }

  /** Nothing more is sent from here. */
  releaseAll(): void {
    for (const entry of [...this.#queue.entries.all()]) this.#release(entry);
  }

  /** Another tab has handled these. */
  settleRemote({ removed, rejected }: RemoteChanges): void {
    for (const { waiter, mutation, expected } of removed)
      if (mutation !== undefined) {
        const { endpoint, args } = mutation;
        // The current value is the result.
        waiter?.resolve(this.#queue.mutations.optimisticValue({ endpoint, args, expected }));
      }
    for (const entry of rejected) this.#sender.cancel(entry, errorOf(entry));
  }

  /** A reset has dropped these, or parked them on disk, which counts as queued. */
  onReset(entries: readonly Entry[], isDurable: boolean): void {
    for (const entry of entries) {
      const error = new HoldfastError(
        'HF_RESET',
        `${entry.record.name} was removed from the outbox by a reset; fetch again`,
      );
      if (!isDurable) reject(entry, error);
      else
        void entry.firstWrite.then((isOnDisk) => {
          if (isOnDisk) entry.waiter?.resolve(undefined);
          else reject(entry, error);
        });
    }
  }

  #release(entry: Entry): void {
    void entry.firstWrite.then(() =>
      this.#sender.release(
        entry,
        new NetworkError(`${entry.record.name} could neither be sent nor queued`, {
          status: 0,
          url: '',
          method: '',
        }),
      ),
    );
  }
}

/** The server's rejection, for a caller in another tab. */
function errorOf({ record: { name, problem } }: Entry): NetworkError {
  const { status = 0, message = '' } = problem ?? {};
  return new NetworkError(message || `${name} was refused`, { status, url: '', method: '' });
}
