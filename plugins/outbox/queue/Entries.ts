import { orderAt } from 'holdfast';
import type { Entry } from './Entry.ts';
import type { Cleared } from './GoneEntries.ts';
import { isDead, type EntryEvent } from './entryStatus.ts';
import type { MutationArgs } from './MutationArgs.ts';
import { compareEntries, SortedEntries } from './SortedEntries.ts';
import type { OutboxEntry, OutboxState } from '../OutboxOptions.ts';
import type { EntryRecord } from '../storage/record.ts';
import { PendingRows, rowName } from './PendingRows.ts';
import { temporaryPksIn } from './temporaryPks.ts';
import { runIsolated } from '../../shared/runIsolated.ts';
import { SetMap } from '../../shared/SetMap.ts';

type StatusCounts = Record<OutboxEntry['status'], number>;

const STATUSES = ['queued', 'sending', 'retrying', 'needs-auth', 'blocked', 'conflict', 'failed'] as const;

/** The entries, by key, queue, status, and the temporary pks that they refer to or create; and what the app sees of them. */
export class Entries {
  readonly #entries = new Map<string, Entry>();
  readonly #sorted = new SortedEntries();
  /** Those from elsewhere whose layers are to be replayed. Others are shown, as far as no dead letter hides them. */
  readonly #unreplayed = new SortedEntries();
  /** By stored status, which is also theirs while they are tried. */
  readonly #byStatus = new SetMap<OutboxEntry['status'], Entry>();
  /** The entries to be sent. */
  readonly #queues = new Map<string, SortedEntries>();
  /** By what they create; of several creates of one row, the last. */
  readonly #creators = new Map<string, Entry>();
  readonly #references = new SetMap<string, Entry>();
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  /** The rows that entries affect. */
  readonly rows = new PendingRows(this);
  /** Finds the rows that entries refer to, once there is a controller. */
  args: MutationArgs | undefined;
  #lastOrder = 0;
  /** Whether the app will be notified. Not at once: it may change entries, or reset the controller. */
  #isNotifying = false;
  /** How often the outbox was reset. */
  resets = 0;
  /** Whether entries are kept on disk until the user signs in again. */
  isParked = false;
  #state: OutboxState | undefined;

  /** Whether no entry is waiting to be sent. */
  get isDrained(): boolean {
    return this.#queues.size === 0;
  }

  /** Whether any is to be sent that no caller waits for. */
  get hasBacklog(): boolean {
    for (const status of STATUSES)
      if (!isDead(status))
        for (const { waiter } of this.#byStatus.get(status)) if (waiter === undefined) return true;
    return false;
  }

  /** Names of the queues with waiting entries. */
  get queues(): readonly string[] {
    return [...this.#queues.keys()];
  }

  /** How many entries are waiting to be sent. */
  get pendingCount(): number {
    let waiting = 0;
    for (const queue of this.#queues.values()) waiting += queue.size;
    return waiting;
  }

  /** In order. */
  all(): Iterable<Entry> {
    return this.#sorted;
  }

  get size(): number {
    return this.#sorted.size;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Whether it was not removed. */
  has(entry: Entry): boolean {
    return this.#entries.get(entry.key) === entry;
  }

  /** Whether it is still to be sent, or was being sent. */
  isCurrent(entry: Entry): boolean {
    return this.has(entry) && !entry.isDeadLetter;
  }

  /** The order for a new entry. */
  nextOrder(now: number): number {
    return Math.max(this.#lastOrder + 1, orderAt(now));
  }

  /** New entries come after this order. */
  reserve(order: number): void {
    this.#lastOrder = Math.max(this.#lastOrder, order);
  }

  /** @param isReplayPending - whether its layer is to be replayed */
  add(entry: Entry, isReplayPending = false): void {
    this.#entries.set(entry.key, entry);
    entry.onExpected = () => this.rows.change(entry);
    this.#insert(entry, isReplayPending);
  }

  remove(entry: Entry): void {
    if (!this.has(entry)) return;
    this.#entries.delete(entry.key);
    this.#extract(entry);
    this.changed(entry);
  }

  /**
   * Changes an entry, and what it is found by.
   *
   * @param isReplayPending - whether its layer is to be replayed
   */
  change(entry: Entry, change: () => void, isReplayPending = this.isReplayPending(entry)): void {
    this.#extract(entry);
    change();
    this.#insert(entry, isReplayPending);
  }

  /**
   * Whether its layer is not replayed yet. It is not sent before that, since its response could not be matched with its
   * prediction.
   */
  isReplayPending(entry: Entry): boolean {
    return this.#unreplayed.has(entry);
  }

  /** The entries to replay, in order. */
  get unreplayed(): Iterable<Entry> & { readonly size: number } {
    return this.#unreplayed;
  }

  /**
   * The entries to replay next, in order: these now count as replayed.
   *
   * @param size - how many, unless more than that come later and have layers
   */
  takeUnreplayed(size: number): { readonly taken: readonly Entry[]; readonly later: readonly Entry[] } {
    const { first } = this.#unreplayed;
    const following = first === undefined ? [] : this.#sorted.after(first);
    const hasLater = following.length > this.#unreplayed.size;
    const later = hasLater ? following.filter((entry) => !this.isReplayPending(entry)) : [];
    // With many later entries, each chunk would replay them again, so everything is replayed at once.
    const taken = this.#unreplayed.shift(later.length > size ? Infinity : size);
    return { taken, later };
  }

  /** Changes the status of an entry, and its record. */
  handle(entry: Entry, event: EntryEvent, change?: Partial<EntryRecord>): void {
    this.#byStatus.delete(entry.record.status, entry);
    entry.handle(event, change);
    this.changed(entry);
  }

  /**
   * Removes everything, for a reset.
   *
   * @param at - when the reset was, in ms since the epoch
   * @param isOurs - whether it is of this tab; another tab may have queued mutations since its own
   */
  clear(at: number, isOurs: boolean): Cleared {
    this.resets += 1;
    const keys = new Set(this.#entries.keys());
    // The clock may have been set back.
    const through = Math.max(isOurs ? this.#lastOrder : 0, orderAt(at + 1) - 1);
    this.reserve(through);
    // Last first, so that none of the others moves in the sorted list.
    for (const entry of [...this.#sorted].reverse()) this.remove(entry);
    this.changed();
    return { keys, through };
  }

  /**
   * The first sendable entry of a queue. Entries that depend on a dead letter or on another queue are skipped; so are
   * later ones that refer to the same rows as one that will be sent. An entry that is not replayed yet blocks those
   * after it.
   */
  first(queue: string): Entry | undefined {
    const skipped = new Set<string>();
    for (const entry of this.#queues.get(queue) ?? []) {
      if (this.isReplayPending(entry)) return undefined;
      const { mutation, names } = entry;
      if (mutation === undefined) continue;
      if (!this.isBlocked(entry) && !names.some((name) => skipped.has(name))) return entry;
      // It is next as soon as the row it depends on is stored.
      if (this.#creatorsOf(entry).some(({ isAnswered }) => isAnswered)) return undefined;
      if (!this.isHidden(entry)) for (const name of names) skipped.add(name);
    }
    return undefined;
  }

  /** Whether it depends on a pending create. */
  isBlocked(entry: Entry): boolean {
    return this.#creatorsOf(entry).length > 0;
  }

  /** Whether it is a dead letter, or depends on one, directly or indirectly, so that its layer is not shown. */
  isHidden(entry: Entry): boolean {
    const found = new Set([entry]);
    for (const next of found) {
      if (next.isDeadLetter) return true;
      for (const creator of this.#creatorsOf(next)) found.add(creator);
    }
    return false;
  }

  /**
   * The entries to show again if these may be shown: those among them without a layer that no dead letter hides, and all
   * later ones with layers, which belong above them. Empty if no layer is missing.
   */
  toShow(all: readonly Entry[]): readonly Entry[] {
    const isShown = ({ mutation }: Entry): boolean => mutation?.layer !== undefined;
    const unshown = all.filter(
      (entry) => !isShown(entry) && !this.isReplayPending(entry) && !this.isHidden(entry),
    );
    const [first] = unshown;
    return first === undefined ? [] : [...unshown, ...this.#sorted.after(first).filter(isShown)];
  }

  /** Creates that it depends on and that another tab is still storing: they are stored with it. */
  unstoredCreators(entry: Entry): readonly Entry[] {
    return this.#creatorsOf(entry).filter(({ isDurable, isAnswered }) => !isDurable && !isAnswered);
  }

  /**
   * The creates of the rows that it refers to. One in conflict with a pk of the app is none of them: the server has a row
   * with that pk.
   */
  #creatorsOf({ references, names, record: { order } }: Entry): readonly Entry[] {
    return [
      ...[...references].flatMap((pk) => this.#creators.get(pk) ?? []),
      ...names
        .flatMap((name) => this.#creators.get(name) ?? [])
        .filter(({ record }) => record.order < order && record.status !== 'conflict'),
    ];
  }

  /** The create that uses this temporary pk. */
  creatorOf(temporaryPk: string): Entry | undefined {
    return this.#creators.get(temporaryPk);
  }

  /** The entries that refer to this temporary pk, or other name. */
  referencing(name: string): readonly Entry[] {
    return [...this.#references.get(name)];
  }

  /** The entry, and those that depend on it, directly or indirectly, in order. */
  withDependents(entry: Entry): readonly Entry[] {
    const found = new Set<Entry>([entry]);
    for (const creator of found)
      for (const next of creator.creates.flatMap((name) => this.referencing(name)))
        if (this.#creatorsOf(next).includes(creator)) found.add(next);
    return [...found].sort(compareEntries);
  }

  /** The entries that wait for a sign-in. */
  unauthorized(): readonly Entry[] {
    return [...this.#byStatus.get('needs-auth')];
  }

  /** Whether any waits for a sign-in, or is kept on disk until then. */
  get needsAuth(): boolean {
    return this.isParked || this.#byStatus.get('needs-auth').size > 0;
  }

  /**
   * Has entries tried again, whatever they wait for.
   *
   * @param isAtOnce - also before the next attempt is due
   */
  requeue(entries: Iterable<Entry>, isAtOnce: boolean): void {
    for (const entry of entries) {
      if (isAtOnce) entry.retryAt = 0;
      if (entry.isSending || entry.isDeadLetter) continue;
      entry.awaitsSignIn = false;
      entry.falseHints = 0;
      this.handle(entry, 'requeue');
    }
  }

  /** The entries that wait for a sign-in, or whose requests are blocked, apart from an attempt. */
  get held(): readonly Entry[] {
    return [...this.#byStatus.get('needs-auth'), ...this.#byStatus.get('blocked')];
  }

  /** What the app sees. The same object until something in it changes. */
  get state(): OutboxState {
    if (this.#state === undefined) {
      const entries = this.#sorted.views;
      const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as StatusCounts; // of each
      const pending: OutboxEntry[] = [];
      const sending: OutboxEntry[] = [];
      const failed: OutboxEntry[] = [];
      for (const view of entries) {
        counts[view.status] += 1;
        (isDead(view.status) ? failed : pending).push(view);
        if (view.status === 'sending') sending.push(view);
      }
      const isBlocked = this.#byStatus.get('blocked').size > 0;
      this.#state = {
        state: this.needsAuth ? 'needs-auth' : isBlocked ? 'blocked' : 'working',
        entries,
        pending,
        sending,
        failed,
        counts,
      };
    }
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    const subscription = { listener };
    this.#listeners.add(subscription);
    return () => void this.#listeners.delete(subscription);
  }

  /** Updates what is derived from an entry, and notifies the app after the current task. */
  changed(entry?: Entry): void {
    if (entry !== undefined) {
      const isKnown = this.has(entry);
      if (isKnown) this.#update(entry);
      // The app sees no difference until its response is stored.
      if (entry.isAnswered && isKnown) return;
      this.rows.change(entry);
    }
    this.#state = undefined;
    if (!this.#isNotifying) queueMicrotask(() => this.#notify());
    this.#isNotifying = true;
  }

  #notify(): void {
    this.#isNotifying = false;
    for (const { listener } of [...this.#listeners]) runIsolated(listener);
  }

  #update(entry: Entry): void {
    const isToBeSent = !entry.isDeadLetter && !entry.isAnswered;
    let queue = this.#queues.get(entry.queue);
    if (isToBeSent) {
      if (queue === undefined) this.#queues.set(entry.queue, (queue = new SortedEntries()));
      queue.add(entry);
    } else this.#dequeue(entry);
    this.#byStatus.add(entry.record.status, entry);
    entry.invalidateView();
  }

  #insert(entry: Entry, isReplayPending: boolean): void {
    this.reserve(entry.record.order);
    if (isReplayPending) this.#unreplayed.add(entry);
    entry.references = temporaryPksIn(entry.record.args);
    const rows = entry.mutation && this.args?.namedRows(entry.mutation);
    entry.names = rows?.map(([table, pk]) => rowName(table, pk)) ?? [];
    for (const name of [...entry.references, ...entry.names]) this.#references.add(name, entry);
    const chosen = entry.mutation && this.args?.chosenRow(entry.mutation);
    entry.creates = [entry.record.temporaryPk, ...(chosen ? [rowName(...chosen)] : [])];
    // An earlier create of the same row may have been edited.
    for (const name of entry.creates)
      if (compareEntries(this.#creators.get(name) ?? entry, entry) <= 0) this.#creators.set(name, entry);
    this.#sorted.add(entry);
    this.changed(entry);
  }

  #extract(entry: Entry): void {
    for (const name of [...entry.references, ...entry.names]) this.#references.delete(name, entry);
    for (const name of entry.creates) if (this.#creators.get(name) === entry) this.#creators.delete(name);
    this.#dequeue(entry);
    for (const index of [this.#sorted, this.#unreplayed]) index.remove(entry);
    this.#byStatus.delete(entry.record.status, entry);
  }

  #dequeue(entry: Entry): void {
    const entries = this.#queues.get(entry.queue);
    entries?.remove(entry);
    if (entries?.size === 0) this.#queues.delete(entry.queue);
  }
}
