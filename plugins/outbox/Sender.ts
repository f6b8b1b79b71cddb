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
import type { Hold } from './record.ts';
import type { OutboxOptions } from './OutboxOptions.ts';
import { diagnose } from './diagnose.ts';
import { failureOf, outcomeOf } from './outcome.ts';
import { NotSignedIn, TIMEOUT, type Session } from './Session.ts';

/** How often a conflict is resolved in a row before it counts as refused. */
const CONFLICTS = 10;

/** A queue shorter than this is stored one by one. */
const FEW = 64;

/** So many answers are stored at once at most: more would keep the page from doing anything else for too long. */
const MANY = 250;

/** After how many attempts that the API did not answer, while it answers others, it is not the network. */
const CONTRADICTIONS = 3;

const NO_HINT = { after: undefined, instead: undefined };

/** What every `Endpoint` has, if not what a user has made in its likeness. */
interface Extendable extends EndpointInterface {
  readonly requestInit?: RequestInit;
  readonly extend?: (options: { readonly requestInit: RequestInit }) => EndpointInterface;
}

/** Makes attempts, and sees to what comes of them. */
export class Sender {
  readonly #controller: Controller;
  readonly #ledger: Ledger;
  readonly #options: OutboxOptions;
  readonly #session: Session;
  /** Ends each attempt under way. */
  readonly #attempts = new Set<AbortController>();
  #isOver = false;
  /** How many conflicts the app is thinking about: what it reads meanwhile must not wait for the queue. */
  #asking = 0;
  /** How many requests the API has answered, whoever made them. */
  #answers = 0;
  /** What has been answered and is not stored yet. */
  #held: Answered[] = [];

  constructor(controller: Controller, ledger: Ledger, options: OutboxOptions, session: Session) {
    this.#controller = controller;
    this.#ledger = ledger;
    this.#options = options;
    this.#session = session;
  }

  /** Ends every attempt under way, and makes none from here on. */
  stop(): void {
    this.#isOver = true;
    this.#end('HF_STOPPED', 'The outbox was stopped while it was sending');
  }

  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /** The API has answered a request. */
  heard(): void {
    this.#answers += 1;
  }

  /** Makes one attempt. Never rejects. What fails once others have their turn may have been done by them: it says nothing. */
  async attempt(entry: Entry, isMine: IsMine): Promise<void> {
    const { mutation } = entry;
    if (mutation === undefined) return;
    this.#sending(entry, true);
    const { idempotencyKey } = entry.record;
    let store: StoreAnswer;
    try {
      store = await this.#inTime(mutation, (signal) => this.#send(entry, mutation, signal));
    } catch (error) {
      this.#sending(entry, false);
      this.store();
      if (!this.#isHere(entry) || this.#isOver) return;
      if (entry.isWithdrawn) this.cancel(entry, cancelled(entry));
      else if (isMine()) await this.#failed(entry, error);
      else this.#postpone(entry);
      return;
    }
    if (!this.#isHere(entry)) return;
    entry.contradictions = 0;
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

  /** Forgets what has been answered, and waits for nothing that was asked. */
  clear(): void {
    this.#held = [];
    this.#end('HF_RESET', 'The outbox was reset while it was sending');
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

  #end(code: 'HF_RESET' | 'HF_STOPPED', message: string): void {
    for (const attempt of this.#attempts) attempt.abort(new HoldfastError(code, message));
  }

  /** Runs an attempt until it has taken too long, or nothing is sent any more: what it gives then is dropped. */
  async #inTime<T>({ endpoint }: Mutation, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeout = this.#options.timeout ?? TIMEOUT } = endpoint;
    const attempt = new AbortController();
    const { signal } = attempt;
    this.#attempts.add(attempt);
    const giveUp = (): void => attempt.abort(new DOMException(`No answer in ${timeout} ms`, 'TimeoutError'));
    const cancel = timeout > 0 ? this.#controller.schedule(giveUp, timeout) : undefined;
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error)); // as given to abort()
    });
    try {
      return await Promise.race([run(signal), ended]);
    } finally {
      cancel?.();
      this.#attempts.delete(attempt);
    }
  }

  async #send(entry: Entry, mutation: Mutation, signal: AbortSignal): Promise<StoreAnswer> {
    const init = await this.#session.init();
    // What was ended, or reset, while the app thought about its headers may not be sent with them: they may be another user's.
    signal.throwIfAborted();
    if (!this.#isHere(entry)) throw new NotSignedIn('It was reset');
    return this.#ledger.mutations.send(mutation, this.#endpoint(entry, mutation, init, signal));
  }

  #endpoint(
    entry: Entry,
    { endpoint }: Mutation,
    init: RequestInit | undefined,
    signal: AbortSignal,
  ): EndpointInterface {
    const extendable = endpoint as Extendable; // its members are looked for
    const given = mergeRequestInit(extendable.requestInit, init);
    const header = this.#header;
    const requestInit: RequestInit = {
      ...(header === undefined
        ? given
        : mergeRequestInit(given, { headers: { [header]: entry.record.idempotencyKey } })),
      signal: given.signal ? AbortSignal.any([given.signal, signal]) : signal,
    };
    return extendable.extend?.({ requestInit }) ?? endpoint;
  }

  /** The header that says which attempts are one mutation. */
  get #header(): string | undefined {
    const { idempotencyHeader = 'Idempotency-Key' } = this.#options;
    return idempotencyHeader === false ? undefined : idempotencyHeader;
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
    const isUnknown = error instanceof NotSignedIn;
    const outcome = isUnknown
      ? ({ kind: 'needs-auth' } as const)
      : outcomeOf(error, this.#controller.now(), this.#options);
    if (outcome.kind === 'needs-auth') {
      const isNews = this.#ledger.entries.unauthorized().length === 0;
      this.#wait(entry, error, 'needs-auth');
      // The server is asked again when somebody may have signed in; the app's own function, now and then.
      entry.isPaused = !isUnknown;
      if (isNews && this.#isHere(entry)) this.#ledger.tell(needsAuth(entry, error));
      return;
    }
    if (outcome.kind === 'retry' || isStopped(error)) {
      const { after, instead } = outcome.kind === 'retry' ? outcome : NO_HINT;
      this.#wait(
        entry,
        error,
        instead !== undefined && entry.hold === 'blocked' ? 'blocked' : undefined,
        after,
      );
      if (instead === 'nothing') void this.#diagnose(entry, error);
      else if (instead === 'page') this.#pageCame(entry, error);
      else entry.contradictions = 0;
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

  /** It is tried again later; whoever waits hears that it is queued. */
  #wait(entry: Entry, error: unknown, hold?: Hold, atLeast?: number): void {
    this.#postpone(entry, atLeast);
    entry.conflicts = 0;
    this.release(entry, error);
    if (!this.#isHere(entry)) return;
    const { problem } = entry.record;
    // The next of a kind says less than what was found out about it.
    this.#ledger.attempted(entry, hold === 'blocked' && problem ? problem : failureOf(error), hold);
  }

  /** @param atLeast - how long it is to wait, in ms, where that is longer than after so many attempts anyway */
  #postpone(entry: Entry, atLeast = 0): void {
    const wait = backoff(entry.record.attempts + 1, this.#options.random ?? Math.random);
    entry.postpone(this.#controller.now(), Math.max(wait, atLeast));
  }

  /** There seems to be no connection: finds out whether that is so, or a browser keeps this one request from the server. */
  async #diagnose(entry: Entry, error: unknown): Promise<void> {
    const { idempotencyKey, attempts } = entry.record;
    const finding = await diagnose(error, this.#header);
    if (finding === 'unreachable') entry.contradictions = 0;
    if (finding === undefined || finding === 'unreachable') return;
    entry.contradictions += 1;
    const isSame = entry.record.idempotencyKey === idempotencyKey && entry.record.attempts === attempts;
    if (!isSame || !this.#isHere(entry) || entry.isSending || this.#isOver || entry.hold === 'blocked')
      return;
    if (finding.isCertain || entry.contradictions >= CONTRADICTIONS)
      this.#blocked(entry, finding.message, error);
  }

  /** A web page came in place of an answer: of a portal, unless the API answers others between the attempts. */
  #pageCame(entry: Entry, error: unknown): void {
    if (entry.answersBefore !== this.#answers) entry.contradictions += 1;
    entry.answersBefore = this.#answers;
    if (!this.#isHere(entry) || entry.hold === 'blocked' || entry.contradictions < CONTRADICTIONS) return;
    const { message } = failureOf(error);
    this.#blocked(
      entry,
      `${message}. This is attempt ${entry.record.attempts}, and the API has answered other requests between the last ones; correct it by edit(), or give it up by discard()`,
      error,
    );
  }

  #blocked(entry: Entry, message: string, cause: unknown): void {
    const problem = new HoldfastError('HF_OUTBOX_BLOCKED', `${entry.record.name}: ${message}`, { cause });
    this.#ledger.held(entry, 'blocked', failureOf(problem));
    this.#ledger.tell(problem);
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

/** What the app is told where entries wait for somebody to sign in. */
function needsAuth({ record }: Entry, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_OUTBOX_AUTH',
    `${record.name} was not sent, since nobody is signed in (${failureOf(cause).message}); it is kept, and sent after signing in or resume()`,
    { cause },
  );
}

function isStopped(error: unknown): boolean {
  return error instanceof HoldfastError && error.code === 'HF_STOPPED';
}
