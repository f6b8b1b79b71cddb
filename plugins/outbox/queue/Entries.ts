import { orderAt } from 'holdfast';
import type { Entry } from './Entry.ts';
import { SortedEntries } from './SortedEntries.ts';
import { OutboxStateCache } from './OutboxStateCache.ts';
import type { OutboxState } from '../OutboxOptions.ts';
import type { EntryRecord } from '../storage/record.ts';
import { PendingRows } from './PendingRows.ts';

/** The entries, by key, queue, and the temporary pks that they refer to or create. */
export class Entries {
  readonly #entries = new Map<string, Entry>();
  readonly #queues = new Map<string, SortedEntries>();
  readonly #creators = new Map<string, Entry>();
  readonly #references = new Map<string, Set<Entry>>();
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  readonly #stateCache = new OutboxStateCache();
  /** The rows that entries affect. */
  readonly rows: PendingRows;
  readonly #namesOf: (entry: Entry) => readonly string[];
  #lastOrder = 0;

  /**
   * @param namesOf - further names by which an entry is found
   * @param ownRow - the row that an entry's params name
   */
  constructor(
    namesOf: (entry: Entry) => readonly string[] = () => [],
    ownRow: (entry: Entry) => readonly [table: string, pk: string] | undefined = () => undefined,
  ) {
    this.#namesOf = namesOf;
    this.rows = new PendingRows((entry) => this.get(entry.key) === entry, ownRow);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether no entry is waiting to be sent. */
  get isDrained(): boolean {
    return this.#queues.size === 0;
  }

  /** Names of the queues with waiting entries. */
  get queues(): readonly string[] {
    return [...this.#queues.keys()];
  }

  /** In order. */
  all(): Iterable<Entry> {
    return this.#stateCache.entries;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** The order for a new entry. */
  nextOrder(now: number): number {
    return Math.max(this.#lastOrder + 1, orderAt(now));
  }

  add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    this.#creators.set(entry.record.temporaryPk, entry);
    this.rows.observe(entry);
    this.#insert(entry);
    this.notifyChanged(entry);
  }

  remove(entry: Entry): void {
    if (this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    this.#creators.delete(entry.record.temporaryPk);
    this.unindex(entry);
    this.#dequeue(entry);
    this.#stateCache.remove(entry);
    this.notifyChanged(entry);
  }

  /** Applies another record of an entry, which may move it. */
  applyRecord(entry: Entry, record: EntryRecord): void {
    this.unindex(entry);
    this.#dequeue(entry);
    this.#stateCache.remove(entry);
    entry.applyRecord(record);
    this.#insert(entry);
    this.notifyChanged(entry);
  }

  /** How many entries are waiting to be sent. */
  get pendingCount(): number {
    let waiting = 0;
    for (const queue of this.#queues.values()) waiting += queue.size;
    return waiting;
  }

  /** The entry was answered; its response is stored together with others. */
  markAnswered(entry: Entry): void {
    entry.handle('answer');
    this.#dequeue(entry);
  }

  /** The entry has become a dead letter. */
  deadLetter(entry: Entry): void {
    this.#dequeue(entry);
    this.notifyChanged(entry);
  }

  /** The entry is to be sent again. */
  requeue(entry: Entry): void {
    this.#enqueue(entry);
    this.notifyChanged(entry);
  }

  /**
   * Removes everything; returns an order after all removed entries, in all tabs, and before all later ones.
   *
   * @param now - in ms since the epoch
   */
  clear(now: number): number {
    this.#lastOrder = Math.max(this.#lastOrder, orderAt(now + 1) - 1);
    this.#entries.clear();
    this.#queues.clear();
    this.#creators.clear();
    this.#references.clear();
    this.#stateCache.clear();
    this.rows.clear();
    this.notifyChanged();
    return this.#lastOrder;
  }

  /**
   * The first sendable entry of a queue. Entries that depend on a dead letter or on another queue are skipped; an
   * entry that is not replayed yet blocks those after it.
   */
  first(queue: string): Entry | undefined {
    for (const entry of this.#queues.get(queue) ?? []) {
      if (entry.isReplayPending) return undefined;
      if (entry.mutation === undefined) continue;
      if (!this.isBlocked(entry)) return entry;
      // It is next as soon as the row it depends on is stored.
      if ([...entry.references].some((pk) => this.#creators.get(pk)?.isAnswered === true)) return undefined;
    }
    return undefined;
  }

  /** Whether it depends on a pending create. */
  isBlocked(entry: Entry): boolean {
    for (const pk of entry.references) if (this.#creators.has(pk)) return true;
    return false;
  }

  /** Whether it depends on a dead letter, directly or indirectly. */
  dependsOnDeadLetter(entry: Entry): boolean {
    for (const pk of entry.references) {
      const creator = this.#creators.get(pk);
      if (
        creator !== undefined &&
        creator !== entry &&
        (creator.isDeadLetter || this.dependsOnDeadLetter(creator))
      )
        return true;
    }
    return false;
  }

  /** The create that uses this temporary pk. */
  creatorOf(temporaryPk: string): Entry | undefined {
    return this.#creators.get(temporaryPk);
  }

  /** The entries that refer to this temporary pk. */
  referencing(temporaryPk: string): readonly Entry[] {
    return [...(this.#references.get(temporaryPk) ?? [])];
  }

  /** The entries that depend on `entry`, directly or indirectly, in order. */
  dependents(entry: Entry): readonly Entry[] {
    const found = new Set<Entry>([entry]);
    for (const { record } of found) for (const next of this.referencing(record.temporaryPk)) found.add(next);
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

  /** The entries that wait for a sign-in. */
  unauthorized(): readonly Entry[] {
    return this.#stateCache.unauthorized();
  }

  /**
   * Has held entries tried again.
   *
   * @param isAtOnce - also before their next attempt is due
   */
  unblock(entries: Iterable<Entry>, isAtOnce = true): void {
    for (const entry of entries) {
      if (entry.isSending || entry.isDeadLetter) continue;
      entry.unblock(isAtOnce);
      this.notifyChanged(entry);
    }
  }

  /** Whether entries are kept on disk until the user signs in again. */
  set isParked(isParked: boolean) {
    this.#stateCache.isParked = isParked;
    this.notifyChanged();
  }

  get state(): OutboxState {
    return this.#stateCache.state;
  }

  subscribe(listener: () => void): () => void {
    const subscription = { listener };
    this.#listeners.add(subscription);
    return () => void this.#listeners.delete(subscription);
  }

  /** Notifies of a change. */
  notifyChanged(entry?: Entry): void {
    if (entry !== undefined) {
      entry.invalidateView();
      this.#stateCache.change(entry);
      this.rows.change(entry);
    }
    for (const { listener } of [...this.#listeners]) listener();
  }

  #insert(entry: Entry): void {
    this.#lastOrder = Math.max(this.#lastOrder, entry.record.order);
    this.index(entry);
    if (!entry.isDeadLetter && !entry.isAnswered) this.#enqueue(entry);
    this.#stateCache.add(entry);
  }

  #enqueue(entry: Entry): void {
    let queue = this.#queues.get(entry.queue);
    if (queue === undefined) this.#queues.set(entry.queue, (queue = new SortedEntries()));
    queue.add(entry);
  }

  #dequeue(entry: Entry): void {
    const entries = this.#queues.get(entry.queue);
    entries?.remove(entry);
    if (entries?.size === 0) this.#queues.delete(entry.queue);
  }
}
