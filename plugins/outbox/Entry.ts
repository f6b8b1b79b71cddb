import type { EndpointInterface, Mutation } from 'holdfast';
import { decodeArgs, encodeArgs } from './bodies.ts';
import type { OutboxEntry } from './OutboxOptions.ts';
import type { Failure } from './classifyFailure.ts';
import { QueuedMutation } from './QueuedMutation.ts';
import type { EntryRecord, Hold } from './record.ts';
import { temporaryPksIn } from './temporaryPks.ts';

/** The caller of `fetch`, waiting for its promise. */
export interface Waiter {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** One mutation in the outbox. */
export class Entry {
  readonly key: string;
  readonly queue: string;
  /** Undefined if there is no endpoint of its name. */
  readonly mutation: QueuedMutation | undefined;
  record: EntryRecord;
  waiter: Waiter | undefined;
  isSending = false;
  /** Whether it was answered and its response waits to be stored. */
  isAnswered = false;
  /** Whether it comes from elsewhere and its layer is not replayed yet. */
  isReplayPending = false;
  /** Whether it is on disk, as read there or written by this tab. */
  isDurable = false;
  /** When another tab announced it, in ms since the epoch; undefined for this tab's own entries and stored ones. */
  announcedAt: number | undefined;
  /** Whether this tab has written it more than once, so that another tab's deletion may be older. */
  wasRewritten = false;
  /** Whether another tab has removed it while it was being sent here. */
  isWithdrawn = false;
  /** Its prediction when another tab removed it. */
  expected: unknown;
  /** Settles when its first write has ended, with whether it is on disk. */
  firstWrite: Promise<boolean> = Promise.resolve(true);
  /** In ms since the epoch. */
  retryAt = 0;
  /** Whether it waits for a sign-in. */
  isPaused = false;
  /** Consecutive attempts without an answer while the API was reachable. */
  contradictions = 0;
  /** The number of API answers when an HTML page last came instead of its response. */
  answersBefore: number | undefined;
  /** Consecutive conflicts. */
  conflicts = 0;
  /** The temporary pks in its args. */
  references: ReadonlySet<string>;
  /** The rows that its args refer to by other pks. */
  names: readonly string[] = [];
  /** The current delay, in ms. */
  #delay = 0;
  /** Whether to try it again despite its hold. */
  #isUnblocked = false;
  #view: OutboxEntry | undefined;

  constructor(key: string, queue: string, record: EntryRecord, mutation: Mutation | undefined) {
    this.key = key;
    this.queue = queue;
    this.record = record;
    this.mutation = mutation && new QueuedMutation(mutation);
    this.references = temporaryPksIn(record.args);
  }

  /** Creates an entry from a stored record. */
  static restored(
    key: string,
    queue: string,
    record: EntryRecord,
    endpoint: EndpointInterface | undefined,
  ): Entry {
    const { args, temporaryPk, createdAt, order } = record;
    const mutation =
      endpoint === undefined
        ? undefined
        : { endpoint, args: decodeArgs(args), temporaryPk, createdAt, order };
    return new Entry(key, queue, record, mutation);
  }

  /** Whether only another tab has announced it, which may not have stored it, or may have removed it. */
  get isUnconfirmed(): boolean {
    return !this.isDurable && this.announcedAt !== undefined;
  }

  get isDeadLetter(): boolean {
    return this.record.failure !== undefined;
  }

  get args(): readonly unknown[] {
    return this.mutation?.args ?? decodeArgs(this.record.args);
  }

  /**
   * Delays the next attempt.
   *
   * @param now - in ms since the epoch
   * @param delay - in ms
   */
  postpone(now: number, delay: number): void {
    this.retryAt = now + delay;
    this.#delay = delay;
  }

  /** Why it is held back, as far as known. */
  get hold(): Hold | undefined {
    return this.#isUnblocked || this.isDeadLetter ? undefined : this.record.hold;
  }

  /**
   * Has it tried again despite its hold.
   *
   * @param isAtOnce - also before the next attempt is due
   */
  unblock(isAtOnce: boolean): void {
    this.isPaused = false;
    this.#isUnblocked = true;
    if (isAtOnce) this.retryAt = 0;
  }

  /**
   * The remaining delay in ms; `Infinity` until it is unblocked. 0 if the clock was set back, which would prolong it.
   */
  remainingDelay(now: number): number {
    // Another tab may have found since that a user is signed in.
    if (this.isPaused && this.hold === 'needs-auth') return Infinity;
    const left = this.retryAt - now;
    return left > this.#delay ? 0 : Math.max(left, 0);
  }

  /** Records a failed attempt. */
  recordFailure(problem: Failure, hold: Hold | undefined): void {
    this.setRecord({
      ...withoutProblem(this.record),
      isAwaited: this.waiter !== undefined,
      attempts: this.record.attempts + 1,
      problem,
      ...(hold && { hold }),
    });
  }

  /** Changes its record. */
  change(change: Partial<Omit<EntryRecord, 'args' | 'revision'>>): void {
    this.isPaused = false;
    this.setRecord({
      ...withoutProblem(this.record),
      isAwaited: this.waiter !== undefined,
      ...change,
      revision: this.record.revision + 1,
    });
  }

  /** Changes its args. */
  changeArgs(args: readonly unknown[]): void {
    this.record = { ...this.record, args: encodeArgs(args) };
    if (this.mutation !== undefined) this.mutation.args = args;
    this.references = temporaryPksIn(this.record.args);
    this.change({});
  }

  /** Applies a record that another tab has written. */
  applyRecord(record: EntryRecord): void {
    this.references = temporaryPksIn(record.args);
    if (this.mutation !== undefined) this.mutation.args = decodeArgs(record.args);
    this.setRecord(record);
  }

  setRecord(record: EntryRecord): void {
    this.record = record;
    this.#isUnblocked = false;
    this.invalidateView();
  }

  /** Discards the cached view. */
  invalidateView(): void {
    this.#view = undefined;
  }

  get #status(): OutboxEntry['status'] {
    const { failure } = this.record;
    if (failure !== undefined) return failure.reason === 'conflict' ? 'conflict' : 'failed';
    return this.isSending ? 'sending' : (this.hold ?? 'pending');
  }

  /** The entry as the app sees it. */
  get view(): OutboxEntry {
    const { name, createdAt, attempts, temporaryPk, failure, problem, conflict } = this.record;
    this.#view ??= {
      key: this.key,
      name,
      args: this.args,
      status: this.#status,
      createdAt,
      attempts,
      retryAt: this.retryAt,
      error: failure ?? problem,
      theirs: conflict?.theirs,
      temporaryPk,
    };
    return this.#view;
  }
}

/** The record without the outcome of the last attempt. */
function withoutProblem({
  problem: _problem,
  hold: _hold,
  conflict: _conflict,
  ...record
}: EntryRecord): EntryRecord {
  return record;
}

/** The mutations of entries that have an endpoint. */
export function mutationsOf(entries: readonly Entry[]): readonly Mutation[] {
  return entries.flatMap(({ mutation }) => mutation ?? []);
}
