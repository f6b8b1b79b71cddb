import type { EndpointInterface, Mutation } from 'holdfast';
import { decodeArgs, encodeArgs } from './bodies.ts';
import type { OutboxEntry } from './OutboxOptions.ts';
import { QueuedMutation } from './QueuedMutation.ts';
import type { EntryRecord } from './record.ts';
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
  /** Conflicts in a row. */
  conflicts = 0;
  /** The temporary pks that its args name. */
  references: ReadonlySet<string>;
  /** How long it was to wait, in ms. */
  #wait = 0;
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

  /** How much longer it waits, in ms. Not at all where that is more than it was to wait: the clock was set back. */
  waits(now: number): number {
    const left = this.retryAt - now;
    return left > this.#wait ? 0 : Math.max(left, 0);
  }

  /** An attempt has failed. */
  attempted(): void {
    this.isRewritten = true;
    this.adopt({ ...this.record, isAwaited: this.waiter !== undefined, attempts: this.record.attempts + 1 });
  }

  /** Changes its record. */
  change(change: Partial<Omit<EntryRecord, 'args' | 'revision'>>): void {
    this.isRewritten = true;
    this.adopt({
      ...this.record,
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
    this.touch();
  }

  /** It shows otherwise now. */
  touch(): void {
    this.#view = undefined;
  }

  /** As the app sees it. */
  get view(): OutboxEntry {
    const { name, createdAt, attempts, temporaryPk, failure } = this.record;
    this.#view ??= {
      key: this.key,
      name,
      args: this.args,
      status: failure !== undefined ? 'failed' : this.isSending ? 'sending' : 'pending',
      createdAt,
      attempts,
      retryAt: this.retryAt,
      error: failure,
      temporaryPk,
    };
    return this.#view;
  }
}

/** The mutations that can be shown and sent. */
export function mutationsOf(entries: readonly Entry[]): readonly Mutation[] {
  return entries.flatMap(({ mutation }) => mutation ?? []);
}
