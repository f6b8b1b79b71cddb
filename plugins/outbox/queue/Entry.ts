import type { EndpointInterface, Mutation } from 'holdfast';
import { decodeArgs, encodeArgs } from '../storage/bodies.ts';
import type { OutboxEntry } from '../OutboxOptions.ts';
import type { Failure } from '../sending/classifyFailure.ts';
import { isDead, TRANSITIONS, type EntryEvent, type EntryStatus } from './entryStatus.ts';
import { QueuedMutation } from './QueuedMutation.ts';
import type { Conflict, EntryRecord } from '../storage/record.ts';
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
  /** Whether it comes from elsewhere and its layer is not replayed yet. */
  isReplayPending = false;
  /** Whether it is on disk, as read there or written by this tab. */
  isDurable = false;
  /** When another tab announced it, in ms since the epoch; undefined for this tab's own entries and stored ones. */
  announcedAt: number | undefined;
  /** Whether this tab has written it more than once, so that another tab's deletion may be older. */
  wasRewritten = false;
  /**
   * Whether this tab has created it and has yet to store it, even if another tab has done so. A write that waits for
   * the database, or is repeated on another connection, may come after other tabs have deleted the record.
   */
  isBeingStored = false;
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
  /** When the last attempt began, in ms since the epoch. */
  sentAt = 0;
  /** Whether the attempt has got a response with a status of success. */
  hasResponse = false;
  /** The number of the last failed attempt, among those of all entries. */
  lastFailure = 0;
  /** Whether another request has succeeded since. */
  isHinted = false;
  /** How often it has failed although another request had succeeded since its last attempt. */
  falseHints = 0;
  /** The current delay, in ms. */
  #delay = 0;
  /** The earliest next attempt that the server allows, in ms since the epoch. */
  #notBefore = 0;
  /** Of its attempt; undefined if there is none. */
  #attempt: 'sending' | 'answered' | undefined;
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

  /** What it is doing, or waiting for: see `TRANSITIONS`. */
  get status(): EntryStatus {
    const { status = 'queued' } = this.record;
    return isDead(status) ? status : (this.#attempt ?? status);
  }

  /** Changes its status. */
  handle(event: EntryEvent): void {
    const next = TRANSITIONS[this.status][event];
    if (next === undefined) return;
    const isAttempt = next === 'sending' || next === 'answered';
    this.#attempt = isAttempt ? next : undefined;
    if (!isAttempt && next !== 'stored') this.record = { ...this.record, status: next };
    this.invalidateView();
  }

  get isSending(): boolean {
    return this.#attempt !== undefined;
  }

  /** Whether it was answered and its response waits to be stored. */
  get isAnswered(): boolean {
    return this.status === 'answered';
  }

  get isDeadLetter(): boolean {
    return isDead(this.status);
  }

  get args(): readonly unknown[] {
    return this.mutation?.args ?? decodeArgs(this.record.args);
  }

  /**
   * Delays the next attempt.
   *
   * @param now - in ms since the epoch
   * @param delay - in ms
   * @param required - the part that the server demands, in ms
   */
  postpone(now: number, delay: number, required = 0): void {
    this.retryAt = now + delay;
    this.#delay = delay;
    this.#notBefore = now + required;
  }

  /** Something may have changed: the next attempt is due as soon as the server allows one. */
  hasten(): void {
    this.retryAt = Math.min(this.retryAt, this.#notBefore);
  }

  /** Whether it waits for a sign-in, apart from an attempt. */
  get needsAuth(): boolean {
    return this.record.status === 'needs-auth';
  }

  /** Whether its requests are blocked, apart from an attempt. */
  get isRequestBlocked(): boolean {
    return this.record.status === 'blocked';
  }

  /**
   * Has it tried again, whatever it waits for.
   *
   * @param isAtOnce - also before the next attempt is due
   */
  unblock(isAtOnce: boolean): void {
    this.isPaused = false;
    this.falseHints = 0;
    this.handle('requeue');
    if (isAtOnce) this.retryAt = 0;
  }

  /**
   * The remaining delay in ms; `Infinity` until it is unblocked. 0 if the clock was set back, which would prolong it.
   */
  remainingDelay(now: number): number {
    // Another tab may have found since that a user is signed in.
    if (this.isPaused && this.needsAuth) return Infinity;
    const left = this.retryAt - now;
    return left > this.#delay ? 0 : Math.max(left, 0);
  }

  /** Records a failed attempt. */
  recordFailure(problem: Failure, event: EntryEvent): void {
    this.record = {
      ...withoutOutcome(this.record),
      isAwaited: this.waiter !== undefined,
      attempts: this.record.attempts + 1,
      problem,
    };
    this.handle(event);
  }

  /** Makes it a dead letter. */
  fail(problem: Failure, conflict: Conflict | undefined): void {
    this.change({ problem, ...(conflict && { conflict }) });
    this.handle(problem.reason === 'conflict' ? 'conflict' : 'reject');
  }

  /** Changes its record. A dead letter stays one. */
  change(change: Partial<Omit<EntryRecord, 'args' | 'revision'>>): void {
    this.isPaused = false;
    this.setRecord({
      ...(this.isDeadLetter ? this.record : withoutOutcome(this.record)),
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
    if (this.isDeadLetter) this.#attempt = undefined;
    this.invalidateView();
  }

  /** Discards the cached view. */
  invalidateView(): void {
    this.#view = undefined;
  }

  /** The entry as the app sees it. */
  get view(): OutboxEntry {
    const { name, createdAt, attempts, temporaryPk, problem, conflict } = this.record;
    this.#view ??= {
      key: this.key,
      name,
      args: this.args,
      status: shownStatus(this.status),
      createdAt,
      attempts,
      retryAt: this.retryAt,
      error: problem,
      theirs: conflict?.theirs,
      temporaryPk,
      dependsOn: [...this.references],
    };
    return this.#view;
  }
}

/** A response that waits to be stored is no difference for the app. */
function shownStatus(status: EntryStatus): OutboxEntry['status'] {
  return status === 'answered' ? 'sending' : status;
}

/** The record without the outcome of the last attempt. */
export function withoutOutcome({
  status: _status,
  problem: _problem,
  conflict: _conflict,
  ...record
}: EntryRecord): EntryRecord {
  return record;
}

/** The mutations of entries that have an endpoint. */
export function mutationsOf(entries: readonly Entry[]): readonly Mutation[] {
  return entries.flatMap(({ mutation }) => mutation ?? []);
}
