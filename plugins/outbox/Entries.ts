import type { Entry } from './Entry.ts';
import { InOrder } from './InOrder.ts';
import { Listing } from './Listing.ts';
import type { OutboxState } from './OutboxOptions.ts';
import { PER_MS, type EntryRecord } from './record.ts';
import { ShownRows } from './ShownRows.ts';

/** Every entry, found by key, queue, or by the temporary pk that it names or will replace. */
export class Entries {
  readonly #entries = new Map<string, Entry>();
  readonly #queues = new Map<string, InOrder>();
  readonly #makers = new Map<string, Entry>();
  readonly #references = new Map<string, Set<Entry>>();
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  readonly #listing = new Listing();
  readonly #rows = new ShownRows();
  readonly #namesOf: (entry: Entry) => readonly string[];
  #lastOrder = 0;

  /** @param namesOf - by which an entry is found besides the temporary pks in its args */
  constructor(namesOf: (entry: Entry) => readonly string[] = () => []) {
    this.#namesOf = namesOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether nothing waits to be sent. */
  get isDrained(): boolean {
    return this.#queues.size === 0;
  }

  /** Names of the queues that something waits in. */
  get queues(): readonly string[] {
    return [...this.#queues.keys()];
  }

  /** In order. */
  all(): Iterable<Entry> {
    return this.#listing.entries;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** The order of an entry made now. */
  nextOrder(now: number): number {
    return Math.max(this.#lastOrder + 1, now * PER_MS);
  }

  add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    this.#makers.set(entry.record.temporaryPk, entry);
    if (entry.mutation !== undefined) this.#rows.observe(entry.mutation);
    this.#place(entry);
    this.changed(entry);
  }

  remove(entry: Entry): void {
    if (this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    this.#makers.delete(entry.record.temporaryPk);
    this.unindex(entry);
    this.#dequeue(entry);
    this.#listing.remove(entry);
    this.changed(entry);
  }

  /** It is as another record of it says, which may give it another place. */
  take(entry: Entry, record: EntryRecord): void {
    this.unindex(entry);
    this.#dequeue(entry);
    this.#listing.remove(entry);
    entry.take(record);
    this.#place(entry);
    this.changed(entry);
  }

  /** How many wait to be sent. */
  get waiting(): number {
    let waiting = 0;
    for (const queue of this.#queues.values()) waiting += queue.size;
    return waiting;
  }

  /** It has been answered, and is stored together with others. */
  hold(entry: Entry): void {
    entry.isHeld = true;
    this.#dequeue(entry);
  }

  /** It has become a dead letter. */
  bury(entry: Entry): void {
    this.#dequeue(entry);
    this.changed(entry);
  }

  /** It waits to be sent again. */
  revive(entry: Entry): void {
    this.#enqueue(entry);
    this.changed(entry);
  }

  /**
   * Forgets everything; gives an order above all that was forgotten, here and in other tabs, and below all to come.
   *
   * @param now - in ms since the epoch
   */
  clear(now: number): number {
    this.#lastOrder = Math.max(this.#lastOrder, now * PER_MS + PER_MS - 1);
    this.#entries.clear();
    this.#queues.clear();
    this.#makers.clear();
    this.#references.clear();
    this.#listing.clear();
    this.#rows.clear();
    this.changed();
    return this.#lastOrder;
  }

  /**
   * The first of a queue that can go next: those that name what a dead letter or another queue is to make wait. Those
   * that come after one that is yet to be shown wait too.
   */
  first(queue: string): Entry | undefined {
    for (const entry of this.#queues.get(queue) ?? []) {
      if (entry.isArriving) return undefined;
      if (entry.mutation === undefined) continue;
      if (!this.isBlocked(entry)) return entry;
      // It is next as soon as what it names is stored.
      if ([...entry.references].some((pk) => this.#makers.get(pk)?.isHeld === true)) return undefined;
    }
    return undefined;
  }

  /** Whether it names something that is not made yet. */
  isBlocked(entry: Entry): boolean {
    for (const pk of entry.references) if (this.#makers.has(pk)) return true;
    return false;
  }

  /** Whether it names something that a dead letter was to make, or that names such a thing. */
  isHopeless(entry: Entry): boolean {
    for (const pk of entry.references) {
      const maker = this.#makers.get(pk);
      if (maker !== undefined && maker !== entry && (maker.isFailed || this.isHopeless(maker))) return true;
    }
    return false;
  }

  /** What is to make what has this temporary pk. */
  maker(temporaryPk: string): Entry | undefined {
    return this.#makers.get(temporaryPk);
  }

  /** Those that name what `entry` is to make. */
  naming(temporaryPk: string): readonly Entry[] {
    return [...(this.#references.get(temporaryPk) ?? [])];
  }

  /** Those that name what `entry` is to make, and those that name what these are to make, and so on; in order. */
  dependents(entry: Entry): readonly Entry[] {
    const found = new Set<Entry>([entry]);
    for (const { record } of found) for (const next of this.naming(record.temporaryPk)) found.add(next);
    found.delete(entry);
    return [...found].sort((left, right) => left.record.order - right.record.order);
  }

  index(entry: Entry): void {
    entry.names = this.#namesOf(entry);
    for (const pk of [...entry.references, ...entry.names]) {
      let entries = this.#references.get(pk);
      if (entries === undefined) this.#references.set(pk, (entries = new Set<Entry>()));
      entries.add(entry);
    }
  }

  unindex(entry: Entry): void {
    for (const pk of [...entry.references, ...entry.names]) {
      const entries = this.#references.get(pk);
      entries?.delete(entry);
      if (entries?.size === 0) this.#references.delete(pk);
    }
  }

  /** Those that are not sent, or not before their time, since nobody is signed in. */
  unauthorized(): readonly Entry[] {
    return this.#listing.unauthorized();
  }

  /**
   * Those that something is in the way of are tried again.
   *
   * @param isAtOnce - before their time, too
   */
  lift(entries: Iterable<Entry>, isAtOnce = true): void {
    for (const entry of entries) {
      if (entry.isSending || entry.isFailed) continue;
      entry.lift(isAtOnce);
      this.changed(entry);
    }
  }

  /** Whether some are kept on disk until somebody signs in. */
  set isAsleep(isAsleep: boolean) {
    this.#listing.isAsleep = isAsleep;
    this.changed();
  }

  get state(): OutboxState {
    return this.#listing.state;
  }

  /** Whether something pending shows this row as it is. */
  concerns(table: string, pk: string): boolean {
    return this.#rows.has(table, pk);
  }

  subscribe(listener: () => void): () => void {
    const subscription = { listener };
    this.#listeners.add(subscription);
    return () => void this.#listeners.delete(subscription);
  }

  /** Tells that something is otherwise than it was. */
  changed(entry?: Entry): void {
    if (entry !== undefined) {
      entry.touch();
      this.#listing.change(entry);
    }
    for (const { listener } of [...this.#listeners]) listener();
  }

  #place(entry: Entry): void {
    this.#lastOrder = Math.max(this.#lastOrder, entry.record.order);
    this.index(entry);
    if (!entry.isFailed && !entry.isHeld) this.#enqueue(entry);
    this.#listing.add(entry);
  }

  #enqueue(entry: Entry): void {
    let queue = this.#queues.get(entry.queue);
    if (queue === undefined) this.#queues.set(entry.queue, (queue = new InOrder()));
    queue.add(entry);
  }

  #dequeue(entry: Entry): void {
    const entries = this.#queues.get(entry.queue);
    entries?.remove(entry);
    if (entries?.size === 0) this.#queues.delete(entry.queue);
  }
}
