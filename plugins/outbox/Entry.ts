import type { EndpointInterface, Mutation } from 'holdfast';
import { decodeArgs, encodeArgs } from './bodies.ts';
import type { OutboxEntry } from './OutboxOptions.ts';
import type { Failure } from './outcome.ts';
import { QueuedMutation } from './QueuedMutation.ts';
import type { EntryRecord, Hold } from './record.ts';
import { temporaryPksIn } from './temporaryPks.ts';

/** Whoever waits for what `fetch` gives. */
export interface Waiter {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** One mutation in the outbox. */
export class Entry {
  readonly key: string;
  readonly queue: string;
  /** Undefined where no endpoint of its name was given. */
  readonly mutation: QueuedMutation | undefined;
  record: EntryRecord;
  waiter: Waiter | undefined;
  isSending = false;
  /** Whether it has been answered, and its answer waits to be stored. */
  isHeld = false;
  /** Whether it has come from elsewhere and is yet to be shown. */
  isArriving = false;
  /** Whether it is on disk, seen there or written by this tab. */
  isKept = false;
  /** When another tab told of it, in ms since the epoch; undefined for this tab's own, and what was found on disk. */
  heardAt: number | undefined;
  /** Whether this tab has written it more than once, which another tab's deletion may have preceded. */
  isRewritten = false;
  /** Whether another tab has removed it while it was being sent here. */
  isWithdrawn = false;
  /** What it was expected to answer when another tab saw to it. */
  expected: unknown;
  /** Settles, with whether it is on disk, when its first write has ended. */
  kept: Promise<boolean> = Promise.resolve(true);
  /** In ms since the epoch. */
  retryAt = 0;
  /** Whether it is not sent before somebody has signed in. */
  isPaused = false;
  /** How many attempts in a row the API did not answer, although it could be reached. */
  contradictions = 0;
  /** How many requests the API had answered when a web page last came in place of its answer. */
  answersBefore: number | undefined;
  /** Conflicts in a row. */
  conflicts = 0;
  /** The temporary pks that its args name. */
  references: ReadonlySet<string>;
  /** Names of the rows that its args name by other pks. */
  names: readonly string[] = [];
  /** How long it was to wait, in ms. */
  #wait = 0;
  /** Whether it is to be tried again although the last attempt has found something in the way. */
  #isLifted = false;
  #view: OutboxEntry | undefined;

  constructor(key: string, queue: string, record: EntryRecord, mutation: Mutation | undefined) {
    this.key = key;
    this.queue = queue;
    this.record = record;
    this.mutation = mutation && new QueuedMutation(mutation);
    this.references = temporaryPksIn(record.args);
  }

  /** An entry as it was stored. */
  static restored(
    key: string,
    queue: string,
    record: EntryRecord,
    endpoint: EndpointInterface | undefined,
  ): Entry {
    const { args, temporaryPk, createdAt: askedAt, order } = record;
    const mutation =
      endpoint === undefined ? undefined : { endpoint, args: decodeArgs(args), temporaryPk, askedAt, order };
    return new Entry(key, queue, record, mutation);
  }

  /** Whether it is known only from another tab, which may not have stored it yet, or may know that it is gone. */
  get isHearsay(): boolean {
    return !this.isKept && this.heardAt !== undefined;
  }

  get isFailed(): boolean {
    return this.record.failure !== undefined;
  }

  get args(): readonly unknown[] {
    return this.mutation?.args ?? decodeArgs(this.record.args);
  }

  /**
   * Has it wait.
   *
   * @param now - in ms since the epoch
   * @param wait - in ms
   */
  postpone(now: number, wait: number): void {
    this.retryAt = now + wait;
    this.#wait = wait;
  }

  /** What is in the way, as far as is known. */
  get hold(): Hold | undefined {
    return this.#isLifted || this.isFailed ? undefined : this.record.hold;
  }

  /**
   * Has it tried again, whatever was in the way.
   *
   * @param isAtOnce - before its time, too
   */
  lift(isAtOnce: boolean): void {
    this.isPaused = false;
    this.#isLifted = true;
    if (isAtOnce) this.retryAt = 0;
  }

  /**
   * How much longer it waits, in ms; `Infinity` until it is lifted. Not at all where that is more than it was to wait:
   * the clock was set back.
   */
  waits(now: number): number {
    if (this.isPaused) return Infinity;
    const left = this.retryAt - now;
    return left > this.#wait ? 0 : Math.max(left, 0);
  }

  /** An attempt has failed. */
  attempted(problem: Failure, hold: Hold | undefined): void {
    this.adopt({
      ...unhindered(this.record),
      isAwaited: this.waiter !== undefined,
      attempts: this.record.attempts + 1,
      problem,
      ...(hold && { hold }),
    });
  }

  /** Changes its record. */
  change(change: Partial<Omit<EntryRecord, 'args' | 'revision'>>): void {
    this.isPaused = false;
    this.adopt({
      ...unhindered(this.record),
      isAwaited: this.waiter !== undefined,
      ...change,
      revision: this.record.revision + 1,
    });
  }

  /** Gives it other args. */
  changeArgs(args: readonly unknown[]): void {
    this.record = { ...this.record, args: encodeArgs(args) };
    if (this.mutation !== undefined) this.mutation.args = args;
    this.references = temporaryPksIn(this.record.args);
    this.change({});
  }

  /** Takes over a record that another tab has written. */
  take(record: EntryRecord): void {
    this.references = temporaryPksIn(record.args);
    if (this.mutation !== undefined) this.mutation.args = decodeArgs(record.args);
    this.adopt(record);
  }

  adopt(record: EntryRecord): void {
    this.record = record;
    this.#isLifted = false;
    this.touch();
  }

  /** It shows otherwise now. */
  touch(): void {
    this.#view = undefined;
  }

  /** As the app sees it. */
  get view(): OutboxEntry {
    const { name, createdAt, attempts, temporaryPk, failure, problem } = this.record;
    this.#view ??= {
      key: this.key,
      name,
      args: this.args,
      status: failure !== undefined ? 'failed' : this.isSending ? 'sending' : (this.hold ?? 'pending'),
      createdAt,
      attempts,
      retryAt: this.retryAt,
      error: failure ?? problem,
      temporaryPk,
    };
    return this.#view;
  }
}

/** A record without what its last attempt has met. */
function unhindered({ problem: _problem, hold: _hold, ...record }: EntryRecord): EntryRecord {
  return record;
}

/** The mutations that can be shown and sent. */
export function mutationsOf(entries: readonly Entry[]): readonly Mutation[] {
  return entries.flatMap(({ mutation }) => mutation ?? []);
}
