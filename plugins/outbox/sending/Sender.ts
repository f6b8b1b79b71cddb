import { errorStatus, HoldfastError, isUnanswered, type Mutation, type StoreResponse } from 'holdfast';
import type { Entry } from '../queue/Entry.ts';
import type { HasLock } from './withLock.ts';
import type { AnsweredEntry, Queue } from '../queue/Queue.ts';
import type { EntryEvent } from '../queue/entryStatus.ts';
import type { Conflict } from '../storage/record.ts';
import { temporaryPksIn } from '../queue/temporaryPks.ts';
import { snapshotArgs, storedArgs } from '../storage/bodies.ts';
import { BlockDetector } from './BlockDetector.ts';
import { isServiceWorker } from './backgroundSync.ts';
import {
  classifyFailure,
  failureOf,
  messageOf,
  type Failure,
  type FailureReason,
} from './classifyFailure.ts';
import { answeredAsDeleted, headerOf, isAlreadyDeleted, requestOf } from './requestOf.ts';
import { MAX_FALSE_HINTS, retryDelay, slowDelay, type FailedAttempt } from './retryDelay.ts';
import { NotSignedIn, TIMEOUT, within, type Session } from './Session.ts';

/** Conflicts in a row before a mutation counts as rejected. */
const MAX_CONFLICTS = 10;

/** Responses of shorter queues are stored one by one. */
const STORED_SINGLY = 64;

/** The maximum number of responses stored at once: more would block the page for too long. */
const MAX_STORED_AT_ONCE = 250;

/** An attempt to send an entry. */
interface Attempt {
  /** In ms since the epoch. */
  readonly startedAt: number;
  /** Whether it has got a response with a status of success. */
  hasResponse: boolean;
}

/** Sends entries and handles the outcome. */
export class Sender {
  readonly #queue: Queue;
  readonly #session: Session;
  readonly #blocks: BlockDetector;
  /** Aborts the attempts in progress. */
  readonly #attempts = new Set<AbortController>();
  /** How many conflicts the app is resolving: reads of its handler must not wait for the queue. */
  resolvingConflicts = 0;
  /** How many attempts have failed. */
  #failures = 0;
  /** Responses that are not stored yet. */
  #answered: AnsweredEntry[] = [];

  constructor(queue: Queue, session: Session) {
    this.#queue = queue;
    this.#session = session;
    this.#blocks = new BlockDetector(queue);
  }

  /** Aborts all attempts. */
  stop(): void {
    this.#end('HF_STOPPED', 'The outbox was stopped while it was sending');
  }

  /**
   * Another request is evidence of whether the server is back.
   *
   * @param onHint - called if an entry is due now
   */
  observe(response: Promise<unknown>, onHint: () => void): void {
    const since = this.#failures;
    response.then(
      () => {
        this.#blocks.answers += 1;
        if (this.#hint(since)) onHint();
      },
      (error: unknown) => {
        if (errorStatus(error) && !isUnanswered(error)) this.#blocks.answers += 1;
      },
    );
  }

  /**
   * A request has succeeded: the next entry of each queue is due now, unless it has failed since the request began.
   *
   * @param since - `failures` when the request began
   * @returns whether any is due
   */
  #hint(since: number): boolean {
    const { entries } = this.#queue;
    let isAnyDue = false;
    for (const queue of entries.queues) {
      const entry = entries.first(queue);
      if (entry?.status !== 'retrying' || entry.lastFailure > since || entry.falseHints >= MAX_FALSE_HINTS)
        continue;
      entry.hasten();
      isAnyDue = entry.isHinted = true;
    }
    return isAnyDue;
  }

  /**
   * Sends an entry once. Never rejects. A failure after the lock was lost proves nothing, because another tab may have
   * sent it.
   */
  async attempt(entry: Entry, hasLock: HasLock): Promise<void> {
    const { mutation } = entry;
    if (mutation === undefined) return;
    const { entries } = this.#queue;
    const unsendable = this.#unsendableError(entry, mutation);
    if (unsendable !== undefined) {
      if (entry.waiter === undefined) this.#queue.report(unsendable);
      this.#onRejected(entry, unsendable, 'error');
      return;
    }
    entries.handle(entry, 'send');
    const { idempotencyKey } = entry.record;
    const attempt: Attempt = { startedAt: this.#queue.controller.now(), hasResponse: false };
    let store: StoreResponse;
    try {
      const { timeout = this.#queue.options.timeout ?? TIMEOUT } = mutation.endpoint;
      store = await this.#withTimeout(timeout, (signal) => this.#send(entry, mutation, attempt, signal));
    } catch (error) {
      // It may have reached the server, although no response arrived.
      mutation.isRepeated = true;
      this.storeAnswered();
      const isCurrent = this.#queue.entries.isCurrent(entry) && !this.#queue.isStopped;
      if (isCurrent && hasLock() && !entry.isWithdrawn) await this.#onFailure(entry, error, attempt);
      else {
        entries.handle(entry, 'release');
        if (isCurrent && entry.isWithdrawn) this.#queue.cancel(entry);
        else if (isCurrent) entry.postpone(this.#queue.controller.now(), slowDelay(entry, this.#random));
      }
      return;
    }
    if (!this.#queue.entries.isCurrent(entry)) return;
    entry.contradictions = 0;
    // A waiting caller gets its own response.
    if (entry.waiter !== undefined) this.storeAnswered();
    this.#answered.push({ entry, idempotencyKey, store });
    entries.handle(entry, 'answer');
    const { pendingCount } = entries;
    // Each batch rebases the remaining layers, so a longer queue is stored in larger batches. Those after a rename are sent
    // with the new pk.
    if (
      entry.waiter !== undefined ||
      this.#queue.args.predictsRename(mutation) ||
      pendingCount < STORED_SINGLY ||
      this.#answered.length >= Math.min(pendingCount / 4, MAX_STORED_AT_ONCE)
    )
      this.storeAnswered();
  }

  /** Stores collected responses; returns whether there were any. */
  storeAnswered(): boolean {
    const answers = this.#answered;
    if (answers.length === 0) return false;
    this.#answered = [];
    try {
      this.#storeAll(answers);
    } catch {
      // One of them does not match its schema: stores each separately.
      for (const answered of answers) {
        try {
          this.#storeAll([answered]);
        } catch (error) {
          // The server has done it, but its response cannot be stored.
          const { entry } = answered;
          if (this.#queue.entries.isCurrent(entry)) this.#onRejected(entry, error, 'error');
        }
      }
    }
    return true;
  }

  /** Drops collected responses and aborts all attempts. */
  clear(): void {
    this.#answered = [];
    this.#end('HF_RESET', 'The outbox was reset while it was sending');
  }

  #storeAll(answers: readonly AnsweredEntry[]): void {
    const value = this.#queue.storeAnswers(answers);
    for (const { entry } of answers) {
      const { waiter } = entry;
      entry.waiter = undefined;
      waiter?.resolve(value);
    }
  }

  #end(code: 'HF_RESET' | 'HF_STOPPED', message: string): void {
    for (const attempt of this.#attempts) attempt.abort(new HoldfastError(code, message));
  }

  /**
   * Runs an attempt. After a timeout, a reset or a stop, its result is ignored.
   *
   * @param timeout - in ms; 0 for none
   */
  async #withTimeout<T>(timeout: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const attempt = new AbortController();
    const { signal } = attempt;
    this.#attempts.add(attempt);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error)); // as given to abort()
    });
    const result = run(signal).finally(() => this.#attempts.delete(attempt));
    try {
      return await within(this.#queue.controller, timeout, Promise.race([result, ended]));
    } catch (error) {
      // Aborting a request that has been answered would end the body of its response, which `onConflict` may read.
      if (this.#attempts.has(attempt)) attempt.abort(error);
      throw error;
    } finally {
      this.#attempts.delete(attempt);
    }
  }

  async #send(
    entry: Entry,
    mutation: Mutation,
    attempt: Attempt,
    signal: AbortSignal,
  ): Promise<StoreResponse> {
    const init = await this.#session.init();
    // If it was reset while `init` ran, the headers may be another user's.
    if (signal.aborted || !this.#queue.entries.isCurrent(entry)) throw new NotSignedIn('It was reset');
    const endpoint = requestOf(entry, mutation.endpoint, {
      init,
      header: headerOf(this.#queue.options),
      signal,
      onResponse: () => (attempt.hasResponse = true),
    });
    const { mutations } = this.#queue;
    try {
      return await mutations.send(mutation, endpoint);
    } catch (error) {
      const answered = isAlreadyDeleted(entry, endpoint, error) ? answeredAsDeleted(endpoint) : undefined;
      if (answered === undefined) throw error;
      return mutations.send(mutation, answered);
    }
  }

  get #random(): () => number {
    return this.#queue.options.random ?? Math.random;
  }

  async #onFailure(entry: Entry, error: unknown, { startedAt, hasResponse }: Attempt): Promise<void> {
    const now = this.#queue.controller.now();
    const { pauseOn } = this.#queue.options;
    const { reason, isTransient, after, response } = classifyFailure(error, now, { pauseOn, hasResponse });
    entry.lastFailure = this.#failures += 1;
    if (entry.isHinted) entry.falseHints += 1;
    entry.isHinted = false;
    const attempt = { reason, duration: now - startedAt };
    if (reason === 'needs-auth') {
      const isFirst = this.#queue.entries.unauthorized().length === 0;
      this.#retryLater(entry, failureOf(error, reason), error, 'unauthorized', attempt);
      // A rejected session waits for a sign-in; a failed `init` is retried after a delay.
      entry.awaitsSignIn = !(error instanceof NotSignedIn);
      if (isFirst && this.#queue.entries.isCurrent(entry)) this.#queue.report(needsAuthError(entry, error));
      return;
    }
    if (isTransient) {
      // Many servers respond 500 to what their code or database cannot handle, such as a duplicate.
      const isCrash = errorStatus(error) === 500;
      const mayBeBlocked = isCrash || reason === 'no-connection' || reason === 'web-page';
      const isBlocked = mayBeBlocked && entry.record.status === 'blocked';
      // The earlier diagnosis says more than the next failure.
      const problem = (isBlocked ? entry.record.problem : undefined) ?? failureOf(error, reason);
      const event = isBlocked ? 'block' : 'postpone';
      this.#retryLater(entry, problem, error, event, attempt, after);
      if (reason === 'no-connection') void this.#blocks.diagnose(entry, error);
      else if (reason === 'web-page') this.#blocks.onFalseOutage(entry, error);
      else {
        entry.contradictions = 0;
        if (isCrash && entry.falseHints >= MAX_FALSE_HINTS) this.#blocks.onContradicted(entry, error);
      }
      return;
    }
    if (reason !== 'conflict') {
      this.#onRejected(entry, error, reason);
      return;
    }
    const conflict = await this.#onConflict(entry, error, response);
    if (conflict !== undefined && this.#queue.entries.isCurrent(entry))
      this.#onRejected(entry, error, reason, conflict);
  }

  /**
   * Schedules a retry; a waiting caller gets the queued result.
   *
   * @param problem - what is shown, which may be an earlier one
   * @param after - the server's `Retry-After` in ms
   */
  #retryLater(
    entry: Entry,
    problem: Failure,
    error: unknown,
    event: EntryEvent,
    { reason, duration }: Omit<FailedAttempt, 'isWaitedFor'>,
    after = 0,
  ): void {
    const isWaitedFor = this.#queue.controller.environment.isVisible && !isServiceWorker();
    const delay = retryDelay(entry, { reason, duration, isWaitedFor }, this.#random);
    const required = reason === 'rate-limited' ? after || delay : after;
    entry.postpone(this.#queue.controller.now(), Math.max(delay, after), required);
    entry.conflicts = 0;
    this.#queue.callers.release(entry, error);
    const attempts = entry.record.attempts + 1;
    if (this.#queue.entries.isCurrent(entry)) this.#queue.update(entry, event, { problem, attempts });
  }

  /**
   * Why a mutation cannot be sent, whatever the server would say: an update of the app has changed its endpoint, or it
   * refers to an entity whose pk stays unknown.
   */
  #unsendableError({ references }: Entry, mutation: Mutation): HoldfastError | undefined {
    const { endpoint, args } = mutation;
    const remedy = 'correct them with edit(), or remove it with discard()';
    try {
      endpoint.key(...args);
      this.#queue.args.check(mutation);
    } catch (cause) {
      return new HoldfastError(
        'HF_OUTBOX_ARGS',
        `${endpoint.name} is not sent, since its stored args do not fit its endpoint (${messageOf(cause)}); ${remedy}`,
        { cause },
      );
    }
    if (references.size === 0) return undefined;
    // It is not blocked, so these creates are not queued any more.
    const [unknown] = temporaryPksIn(this.#queue.args.current(mutation));
    return unknown === undefined
      ? undefined
      : new HoldfastError(
          'HF_OUTBOX_PK',
          `${endpoint.name} is not sent, since its args refer to ${unknown}, and no response to the creation of that had a pk; ${remedy}`,
        );
  }

  /** Rejects the caller's promise; without a caller, it becomes a dead letter. */
  #onRejected(entry: Entry, error: unknown, reason: FailureReason, conflict?: Conflict): void {
    if (entry.waiter === undefined) {
      this.#queue.deadLetter(entry, failureOf(error, reason), conflict);
      return;
    }
    this.#queue.cancel(entry, error);
  }

  /** Applies the app's resolution of a conflict; otherwise returns both versions. */
  async #onConflict(
    entry: Entry,
    error: unknown,
    response: Response | undefined,
  ): Promise<Conflict | undefined> {
    const undecided: Conflict = { theirs: failureOf(error, 'conflict').body };
    if (this.#queue.options.onConflict === undefined || entry.conflicts >= MAX_CONFLICTS) return undecided;
    entry.conflicts += 1;
    const { entries } = this.#queue;
    entries.handle(entry, 'release');
    const { idempotencyKey } = entry.record;
    // An edit in the meantime is another mutation, which is sent instead.
    const isSame = (): boolean => entries.isCurrent(entry) && entry.record.idempotencyKey === idempotencyKey;
    this.resolvingConflicts += 1;
    try {
      // It may ask a person, who may log out instead.
      const resolution = await this.#withTimeout(0, async () =>
        this.#queue.options.onConflict?.(entry.view, response),
      );
      if (!isSame()) return undefined;
      if (!resolution) return undecided;
      if (resolution === 'discard') this.#queue.yieldTo(undefined, entry, error);
      else if ('theirs' in resolution) {
        const { theirs, mine } = resolution;
        const { name } = entry.record;
        return {
          theirs: structuredClone(theirs),
          ...(mine && { mine: storedArgs(name, snapshotArgs(name, mine)) }),
        };
      } else this.#queue.resend(entry, resolution.args);
      return undefined;
    } catch (cause) {
      if (this.#queue.isStopped || !isSame()) return undefined;
      this.#queue.report(
        new HoldfastError(
          'HF_PLUGIN',
          `onConflict threw or did not return a valid result, so ${entry.record.name} counts as rejected; check it`,
          { cause },
        ),
      );
      return undecided;
    } finally {
      this.resolvingConflicts -= 1;
    }
  }
}

/** The error that reports entries waiting for a sign-in. */
function needsAuthError({ record }: Entry, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_OUTBOX_AUTH',
    `${record.name} was not sent, since the user is not signed in (${messageOf(cause)}); it stays queued until sign-in or resume()`,
    { cause },
  );
}
