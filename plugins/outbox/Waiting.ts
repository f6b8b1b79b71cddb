import { HoldfastError, NetworkError } from 'holdfast';
import type { News } from './Arrivals.ts';
import type { Drainer } from './Drainer.ts';
import type { Entry } from './Entry.ts';
import type { Ledger } from './Ledger.ts';
import { reject, type Sender } from './Sender.ts';

/** Those that `fetch` has not given anything yet, and what they are told where no attempt of this tab tells them. */
export class Waiting {
  readonly #ledger: Ledger;
  readonly #sender: Sender;
  /** Those that somebody waits for, or did when last looked at. */
  readonly #entries = new Set<Entry>();

  constructor(ledger: Ledger, sender: Sender) {
    this.#ledger = ledger;
    this.#sender = sender;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
  }

  /** Nothing more can be sent now: whoever waits hears that theirs is queued. */
  rest(drainer: Drainer): void {
    for (const entry of this.#entries) {
      if (entry.waiter !== undefined && drainer.isReady(entry)) continue;
      this.#entries.delete(entry);
      if (entry.waiter !== undefined) this.#release(entry);
    }
  }

  /** Nothing will be sent from here any more. */
  releaseAll(): void {
    for (const entry of [...this.#ledger.entries.all()]) this.#release(entry);
  }

  /** Another tab has seen to these. */
  doneElsewhere({ gone, refused }: News): void {
    for (const { waiter, mutation, expected } of gone)
      if (mutation !== undefined) {
        const { endpoint, args } = mutation;
        // What it shows now is what came of it.
        waiter?.resolve(this.#ledger.mutations.shown({ endpoint, args, expected }));
      }
    for (const entry of refused) this.#sender.cancel(entry, errorOf(entry));
  }

  /** A reset has dropped these, or kept them on disk alone: they are queued then. */
  dropped(entries: readonly Entry[], isKept: boolean): void {
    for (const entry of entries) {
      const error = new HoldfastError(
        'HF_RESET',
        `${entry.record.name} was dropped from the outbox by a reset; fetch again`,
      );
      if (!isKept) reject(entry, error);
      else
        void entry.kept.then((isOnDisk) => {
          if (isOnDisk) entry.waiter?.resolve(undefined);
          else reject(entry, error);
        });
    }
  }

  #release(entry: Entry): void {
    void entry.kept.then(() =>
      this.#sender.release(
        entry,
        new NetworkError(`${entry.record.name} could neither be sent nor kept for later`, {
          status: 0,
          url: '',
          method: '',
        }),
      ),
    );
  }
}

/** Why the server has refused it, as whoever waits in another tab hears of it. */
function errorOf({ record: { name, failure } }: Entry): NetworkError {
  const { status = 0, message = '' } = failure ?? {};
  return new NetworkError(message || `${name} was refused`, { status, url: '', method: '' });
}
