import type { Mutation, SideRecords } from 'holdfast';
import { decodeArgs, encodeArgs } from '../storage/bodies.ts';
import type { OutboxEntry } from '../OutboxOptions.ts';
import { isDead, TRANSITIONS, type EntryEvent, type EntryStatus } from './entryStatus.ts';
import type { EntryRecord } from '../storage/record.ts';

/** The caller of `fetch`, waiting for its promise. */
export interface Waiter {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A call that its entry, and the controller, change while it waits. */
type QueuedMutation = { -readonly [Member in keyof Mutation]: Mutation[Member] };

/** A copy of a call, which notifies after each change of its prediction. */
function observed({ ...call }: Mutation, onExpected: () => void): QueuedMutation {
  let { expected } = call;
  return Object.defineProperty(call, 'expected', {
    get: () => expected,
    set(changed: unknown) {
      expected = changed;
      onExpected();
    },
  });
}

/** One mutation in the outbox. */
export class Entry {
  readonly key: string;
  readonly queue: string;
  /** Undefined if there is no endpoint of its name. */
  readonly mutation: QueuedMutation | undefined;
  record: EntryRecord;
  /** Called after each change of the prediction. */
  onExpected: (() => void) | undefined;
  waiter: Waiter | undefined;
  /** Whether it is on disk, as read there or written by this tab. */
  isDurable = false;
  /** When another tab announced it, in ms since the epoch; undefined for this tab's own entries and stored ones. */
  announcedAt: number | undefined;
  /**
   * How many writes of this tab may come after another tab's deletion of the record: all but the first one of an entry
   * created here, once that has succeeded.
   */
  ownWrites = 0;
  /** Whether it was left to the tab of a waiting caller once. */
  wasDeferred = false;
  /** Whether another tab has removed it while it was being sent here. */
  isWithdrawn = false;
  /** Settles when its first write has ended, or the one after the disk was lost, with whether it is on disk. */
  written: Promise<boolean> = Promise.resolve(true);
  /** In ms since the epoch. */
  retryAt = 0;
  /** Whether it waits for a sign-in. */
  awaitsSignIn = false;
  /** Consecutive attempts without an answer while the API was reachable. */
  contradictions = 0;
  /** The number of API answers when its last request got none, or an HTML page. */
  answersBefore: number | undefined;
  /** Consecutive conflicts. */
  conflicts = 0;
  /** The temporary pks in its args. */
  references: ReadonlySet<string> = new Set();
  /** The rows that its args refer to by other pks. */
  names: readonly string[] = [];
  /** What others may refer to until it has succeeded: its temporary pk, and the row that it creates under a pk of the app. */
  creates: readonly string[] = [];
  /** The rows that it affects, as of the last access: see `PendingRows`. */
  rows: readonly string[] = [];
  /** The number of the last failed attempt, among those of all entries. */
  lastFailure = 0;
  /** Whether another request has succeeded since. */
  isHinted = false;
  /** How often it has failed although another request had succeeded since its last attempt. */
  falseHints = 0;
  /** When it was last postponed, in ms since the epoch. */
  #postponedAt = 0;
  /** The earliest next attempt that the server allows, in ms since the epoch. */
  #notBefore = 0;
  /** Of its attempt; undefined if there is none. */
  #attempt: 'sending' | 'answered' | undefined;
  #view: OutboxEntry | undefined;

  constructor(key: string, queue: string, record: EntryRecord, mutation: Mutation | undefined) {
    this.key = key;
    this.queue = queue;
    this.record = record;
    this.mutation = mutation && observed(mutation, () => this.onExpected?.());
  }

  /** Whether only another tab has announced it, which may not have stored it, or may have removed it. */
  get isUnconfirmed(): boolean {
    return !this.isDurable && this.announcedAt !== undefined;
  }

  /** What it is doing, or waiting for: see `TRANSITIONS`. */
  get status(): EntryStatus {
    return this.#attempt ?? this.record.status;
  }

  /**
   * Changes its status.
   *
   * @param change - of the record
   */
  handle(event: EntryEvent, change: Partial<EntryRecord> = {}): void {
    const next = TRANSITIONS[this.status][event];
    if (next === undefined) return;
    const isAttempt = next === 'sending' || next === 'answered';
    this.#attempt = isAttempt ? next : undefined;
    if (!isAttempt && next !== 'stored') this.record = { ...this.record, ...change, status: next };
  }

  get isSending(): boolean {
    return this.#attempt !== undefined;
  }

  /** Whether it was answered and its response waits to be stored. */
  get isAnswered(): boolean {
    return this.#attempt === 'answered';
  }

  /** Whether it waits for a person. It has no attempt then. */
  get isDeadLetter(): boolean {
    return isDead(this.record.status);
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
    this.#postponedAt = now;
    this.#notBefore = now + required;
  }

  /** Something may have changed: the next attempt is due as soon as the server allows one. */
  hasten(): void {
    this.retryAt = Math.min(this.retryAt, this.#notBefore);
  }

  /**
   * The remaining delay in ms; `Infinity` until it is requeued. 0 if the clock was set back, which would prolong it.
   */
  remainingDelay(now: number): number {
    // Another tab may have found since that a user is signed in.
    if (this.awaitsSignIn && this.record.status === 'needs-auth') return Infinity;
    return now < this.#postponedAt ? 0 : Math.max(this.retryAt - now, 0);
  }

  /** Changes its args. It is as if it had not been tried, unless it is a dead letter, which stays one. */
  changeArgs(
    args: readonly unknown[],
    idempotencyKey = this.record.idempotencyKey,
    givesPk = this.record.givesPk,
  ): void {
    this.awaitsSignIn = false;
    this.applyRecord({
      ...this.record,
      ...(!this.isDeadLetter && { status: 'queued', problem: undefined, conflict: undefined }),
      args: encodeArgs(args),
      idempotencyKey,
      ...(givesPk !== undefined && { givesPk }),
      isAwaited: this.waiter !== undefined,
      revision: this.record.revision + 1,
    });
  }

  /** Replaces its record, as another tab has written it. */
  applyRecord(record: EntryRecord): void {
    this.record = record;
    if (this.mutation !== undefined) {
      this.mutation.args = decodeArgs(record.args);
      this.mutation.givesPk = record.givesPk;
    }
    if (this.isDeadLetter) this.#attempt = undefined;
  }

  /** Discards the cached view. */
  invalidateView(): void {
    this.#view = undefined;
  }

  /** The entry as the app sees it. The same object until `invalidateView`. */
  get view(): OutboxEntry {
    if (this.#view !== undefined) return this.#view;
    const { name, createdAt, attempts, temporaryPk, problem, conflict } = this.record;
    const { status } = this;
    this.#view = {
      key: this.key,
      name,
      args: this.args,
      // A response that waits to be stored is no difference for the app.
      status: status === 'answered' ? 'sending' : status,
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

/** The mutations of entries that have an endpoint. */
export function mutationsOf(entries: Iterable<Entry>): readonly Mutation[] {
  return [...entries].flatMap(({ mutation }) => mutation ?? []);
}

/** The records of entries, to be written. */
export function recordsOf(entries: Iterable<Entry>): SideRecords {
  return Array.from(entries, ({ key, record }) => [key, record] as const);
}
