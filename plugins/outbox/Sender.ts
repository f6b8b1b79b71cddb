import {
  HoldfastError,
  mergeRequestInit,
  type Controller,
  type EndpointInterface,
  type Mutation,
  type StoreAnswer,
} from 'holdfast';
import { backoff } from './backoff.ts';
import type { Entry } from './Entry.ts';
import type { IsMine } from './Lease.ts';
import type { Answered, Ledger } from './Ledger.ts';
import type { OutboxOptions } from './OutboxOptions.ts';
import { failureOf, outcomeOf } from './outcome.ts';

/** How often a conflict is resolved in a row before it counts as refused. */
const CONFLICTS = 10;

/** A queue shorter than this is stored one by one. */
const FEW = 64;

/** So many answers are stored at once at most: more would keep the page from doing anything else for too long. */
const MANY = 250;

/** What every `Endpoint` has, if not what a user has made in its likeness. */
interface Extendable extends EndpointInterface {
  readonly extend?: (options: { readonly requestInit: RequestInit }) => EndpointInterface;
}

/** Makes attempts, and sees to what comes of them. */
export class Sender {
  readonly #controller: Controller;
  readonly #ledger: Ledger;
  readonly #options: OutboxOptions;
  /** How many conflicts the app is thinking about: what it reads meanwhile must not wait for the queue. */
  #asking = 0;
  /** What has been answered and is not stored yet. */
  #held: Answered[] = [];

  constructor(controller: Controller, ledger: Ledger, options: OutboxOptions) {
    this.#controller = controller;
    this.#ledger = ledger;
    this.#options = options;
  }

  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /** Makes one attempt. Never rejects. What fails once others have their turn may have been done by them: it says nothing. */
  async attempt(entry: Entry, isMine: IsMine): Promise<void> {
    const { mutation } = entry;
    if (mutation === undefined) return;
    this.#sending(entry, true);
    const { idempotencyKey } = entry.record;
    let store: StoreAnswer;
    try {
      const endpoint = await this.#endpoint(entry, mutation);
      // After a reset while the app thought about its headers, they are another user's.
      if (!this.#isHere(entry)) return;
      store = await this.#ledger.mutations.send(mutation, endpoint);
    } catch (error) {
      this.#sending(entry, false);
      this.store();
      if (!this.#isHere(entry)) return;
      if (entry.isWithdrawn) this.cancel(entry, cancelled(entry));
      else if (isMine()) await this.#failed(entry, error);
      else this.#postpone(entry);
      return;
    }
    if (!this.#isHere(entry)) return;
    // Whoever waits gets what its own answer gives.
    if (entry.waiter !== undefined) this.store();
    this.#held.push({ entry, idempotencyKey, store });
    this.#ledger.entries.hold(entry);
    const { waiting } = this.#ledger.entries;
    // Each storing works out anew what is still pending: in a long queue, ever fewer at once keep that in proportion.
    if (entry.waiter !== undefined || waiting < FEW || this.#held.length >= Math.min(waiting / 4, MANY))
      this.store();
  }

  /** Stores what has been answered; gives whether there was anything. */
  store(): boolean {
    const held = this.#held;
    if (held.length === 0) return false;
    this.#held = [];
    try {
      this.#answered(held);
    } catch {
      // One of them does not fit: each by itself, to find out which.
      for (const answered of held) {
        try {
          this.#answered([answered]);
        } catch (error) {
          // The server has done it, but what it answered cannot be stored.
          const { entry } = answered;
          entry.isSending = entry.isHeld = false;
          if (this.#isHere(entry)) this.#refused(entry, error);
        }
      }
    }
    return true;
  }

  /** Forgets what has been answered. */
  clear(): void {
    this.#held = [];
  }

  #answered(answers: readonly Answered[]): void {
    const value = this.#ledger.answered(answers);
    for (const { entry } of answers) {
      const { waiter } = entry;
      entry.isSending = entry.isHeld = false;
      entry.waiter = undefined;
      waiter?.resolve(value);
    }
  }

  /** Tells whoever waits that it is queued; where it is not on disk, that it has failed. */
  release(entry: Entry, error: unknown): void {
    const { waiter } = entry;
    if (waiter === undefined) return;
    if (!entry.isKept) {
      this.cancel(entry, error);
      return;
    }
    entry.waiter = undefined;
    waiter.resolve(entry.mutation === undefined ? undefined : this.#ledger.mutations.shown(entry.mutation));
  }

  /** Takes it out, and those that name what it would have made; tells whoever waits for it of the error. */
  cancel(entry: Entry, error: unknown): void {
    for (const gone of this.#ledger.withdraw(entry)) reject(gone, gone === entry ? error : cancelled(gone));
  }

  async #endpoint(entry: Entry, { endpoint }: Mutation): Promise<EndpointInterface> {
    const { idempotencyHeader = 'Idempotency-Key' } = this.#options;
    const own = (endpoint as { readonly requestInit?: RequestInit }).requestInit; // read by name
    const given = mergeRequestInit(own, await this.#options.init?.());
    const requestInit =
      idempotencyHeader === false
        ? given
        : mergeRequestInit(given, { headers: { [idempotencyHeader]: entry.record.idempotencyKey } });
    const extendable = endpoint as Extendable;
    return extendable.extend?.({ requestInit }) ?? endpoint;
  }

  #sending(entry: Entry, isSending: boolean): void {
    entry.isSending = isSending;
    this.#ledger.entries.changed(entry);
  }

  #isHere(entry: Entry): boolean {
    return this.#ledger.entries.get(entry.key) === entry && !this.#isStopped(entry);
  }

  #isStopped({ record }: Entry): boolean {
    return record.failure !== undefined;
  }

  async #failed(entry: Entry, error: unknown): Promise<void> {
    const outcome = outcomeOf(error, this.#controller.now());
    if (outcome.kind === 'retry' || isStopped(error)) {
      this.#postpone(entry, outcome.kind === 'retry' ? outcome.after : undefined);
      entry.conflicts = 0;
      this.release(entry, error);
      if (this.#isHere(entry)) this.#ledger.attempted(entry);
      return;
    }
    if (
      outcome.kind === 'conflict' &&
      this.#options.onConflict !== undefined &&
      entry.conflicts < CONFLICTS
    ) {
      entry.conflicts += 1;
      const isResolved = await this.#resolve(entry, error, outcome.response);
      if (isResolved || !this.#isHere(entry)) return;
    }
    this.#refused(entry, error);
  }

  /** @param wait - in ms; by default, as long as it has to after so many attempts */
  #postpone(
    entry: Entry,
    wait: number = backoff(entry.record.attempts + 1, this.#options.random ?? Math.random),
  ): void {
    entry.postpone(this.#controller.now(), wait);
  }

  /** Whoever waits hears of it; otherwise the app finds it among the dead letters. */
  #refused(entry: Entry, error: unknown): void {
    if (entry.waiter === undefined) {
      this.#ledger.bury(entry, failureOf(error));
      return;
    }
    this.cancel(entry, error);
  }

  /** Does what the app makes of a conflict; gives whether it has decided anything. */
  async #resolve(entry: Entry, error: unknown, response: Response | undefined): Promise<boolean> {
    this.#asking += 1;
    try {
      const resolution = await this.#options.onConflict?.(entry.view, response);
      if (!resolution || !this.#isHere(entry)) return false;
      if (resolution === 'discard') this.cancel(entry, error);
      else this.#ledger.edit(entry, resolution.args);
      return true;
    } catch (cause) {
      this.#ledger.tell(
        new HoldfastError(
          'HF_PLUGIN',
          `onConflict threw, or gave what cannot be sent, so ${entry.record.name} counts as refused; check it`,
          { cause },
        ),
      );
      return false;
    } finally {
      this.#asking -= 1;
    }
  }
}

/** Tells whoever waits for it. */
export function reject(entry: Entry, error: unknown): void {
  entry.waiter?.reject(error);
  entry.waiter = undefined;
}

/** What whoever waits for a discarded entry gets. */
export function cancelled({ record }: Entry): HoldfastError {
  return new HoldfastError(
    'HF_OUTBOX_CANCELLED',
    `${record.name} was taken out of the outbox, or what it names was, so it is not sent; ask for it again if it is wanted`,
  );
}

function isStopped(error: unknown): boolean {
  return error instanceof HoldfastError && error.code === 'HF_STOPPED';
}
