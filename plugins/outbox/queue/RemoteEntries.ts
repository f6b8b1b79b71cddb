import { HoldfastError, type Controller, type LayerId, type SideRecords } from 'holdfast';
import { LOST } from '../../shared/unreadableRecords.ts';
import { Entry, mutationsOf } from './Entry.ts';
import { compareEntries } from './SortedEntries.ts';
import type { Queue } from './Queue.ts';
import { LayerReplay, type Pacing } from './LayerReplay.ts';
import {
  asEntryRecord,
  asMoveRecord,
  isNewer,
  movedPk,
  orderOf,
  type EntryRecord,
  type MoveRecord,
} from '../storage/record.ts';
import { withServerPks } from './temporaryPks.ts';

/** How long the server's pk for a temporary one is kept, in ms. */
const MOVE_RETENTION = 7 * 24 * 3_600_000;

/** An entry announced by another tab is on disk after this, or never will be, in ms. */
const CONFIRM_WITHIN = 5_000;

/** Changes of entries made elsewhere. */
export interface RemoteChanges {
  /** Entries that were answered or removed. */
  readonly removed: readonly Entry[];
  /** Entries that the server has rejected. */
  readonly rejected: readonly Entry[];
}

/** The effect of records from elsewhere on the entries here. */
interface AppliedRecords extends RemoteChanges {
  /** Entries whose layers are removed or replayed. */
  readonly hidden: readonly Entry[];
  /** New entries, in order. */
  readonly added: readonly Entry[];
}

/**
 * The keys of creates that the server has executed, and that a tab which did not know so has stored again: the disk has
 * the server's pk for each.
 */
function answeredCreates(records: SideRecords): readonly string[] {
  const answered = new Set(records.flatMap(([, record]) => asMoveRecord(record)?.idempotencyKey ?? []));
  return records
    .filter(([, record]) => answered.has(asEntryRecord(record)?.idempotencyKey ?? ''))
    .map(([key]) => key);
}

/** Applies records that other tabs, or this one before a reload, have written. */
export class RemoteEntries {
  readonly #queue: Queue;
  readonly #controller: Controller;
  readonly #replay: LayerReplay;
  /** Records up to this order are from before the last reset; a disk that is being cleared may still return them. */
  #resetThrough = 0;
  /** Records up to this order belong to a user who has signed out. */
  #parkedThrough = 0;
  #hasRead = false;
  /** How often the stored records were lost. */
  #lossCount = 0;
  /** When each entry was removed, in ms since the epoch: a slow disk or a late message may still contain it. */
  readonly #removedAt = new Map<string, number>();
  /** Keys of invalid records that were reported. */
  readonly #reported = new Set<string>();

  constructor(queue: Queue, controller: Controller, pacing: Pacing) {
    this.#queue = queue;
    this.#controller = controller;
    this.#replay = new LayerReplay(queue, controller, pacing);
  }

  /** Applies the stored records: at start-up, and whenever another tab may have changed them. */
  async read(): Promise<RemoteChanges> {
    const queue = this.#queue;
    // An entry stored during this read may be missing in its result.
    const overdue = this.#controller.now() - CONFIRM_WITHIN;
    for (const [key, at] of this.#removedAt) if (at <= overdue) this.#removedAt.delete(key);
    const durable = [...queue.entries.all()].filter(
      ({ isDurable, announcedAt = Infinity }) => isDurable || announcedAt <= overdue,
    );
    const losses = this.#lossCount;
    const stored = await queue.records.read();
    // The storage was lost during the read, so missing records mean nothing.
    if (losses !== this.#lossCount) return this.read();
    const journaled = new Map(queue.records.journaled(stored));
    const records = [...stored.filter(([key]) => !journaled.has(key)), ...journaled];
    const repeated = answeredCreates(records).map((key) => [key, undefined] as const);
    const isRepeated = new Set(repeated.map(([key]) => key));
    const valid = records.filter(
      ([key, record]) => orderOf(record) > this.#voidThrough && !isRepeated.has(key),
    );
    const onDisk = new Set(valid.map(([key]) => key));
    const answered = this.#answeredElsewhere(valid, onDisk);
    const missing = durable.filter(({ key }) => !onDisk.has(key)).map(({ key }) => [key, undefined] as const);
    const early = this.#hasRead ? [] : [...queue.entries.all()].filter(({ isUnconfirmed }) => !isUnconfirmed);
    this.#hasRead = true;
    const applied = this.#apply([...valid, ...missing, ...answered]);
    // The tab that announced these entries does not know of their answers.
    if (answered.length + repeated.length > 0) void queue.commit([...answered, ...repeated]);
    this.#reorderEarly(early, applied.added);
    for (const key of onDisk) {
      const entry = queue.entries.get(key);
      if (entry === undefined) continue;
      if (journaled.has(key)) void queue.store(entry);
      else entry.isDurable = true;
    }
    // The results of removed entries are on disk, with the lists they were added to.
    if (applied.removed.length > 0) await this.#catchUp();
    // A layer over a partial row would show partial data.
    const toRestore = mutationsOf([...this.#replay.pending, ...applied.removed]).filter(
      ({ endpoint }) => endpoint.getOptimisticResponse !== undefined,
    );
    if (toRestore.length > 0) await queue.mutations.restore(toRestore);
    await this.#replay.replay(applied.removed);
    return applied;
  }

  /**
   * Pending creates that a tab has sent without announcing it: the disk has the server's pk, but no longer the entry.
   * Returns the records that say so.
   */
  #answeredElsewhere(records: SideRecords, onDisk: ReadonlySet<string>): SideRecords {
    return records.flatMap(([key, move]) => {
      const creator = this.#queue.entries.creatorOf(movedPk(key) ?? '');
      return creator === undefined || onDisk.has(creator.key)
        ? []
        : [[creator.key, undefined] as const, [key, move] as const];
    });
  }

  /** Has the storage plugin, if any, read the changes of other tabs. */
  async #catchUp(): Promise<void> {
    const storage = this.#controller.plugins.find((plugin) => plugin.side !== undefined);
    // The plugin reports its own failures.
    await storage?.catchUp?.().catch(() => undefined);
  }

  /** Applies records that another tab has written. Also returns the layers that they remove. */
  applyFromTab(records: SideRecords): RemoteChanges & { readonly layers: readonly LayerId[] } {
    const applied = this.#apply(records, this.#controller.now());
    const mutations = mutationsOf(applied.hidden);
    const layers = mutations.flatMap(({ layer }) => layer ?? []);
    for (const mutation of mutations) mutation.layer = mutation.expected = undefined;
    return { ...applied, layers };
  }

  /** Replays the layers that `applyFromTab` has added, above the rows of the same commit; settles when all are shown. */
  replayNew(): Promise<void> {
    return this.#replay.replay();
  }

  /** The storage was lost; a read in progress only sees what is left. */
  onStorageLost(): void {
    this.#lossCount += 1;
  }

  /**
   * Forgets everything. Stored records are void, or parked until the user signs in again.
   *
   * @param through - the highest order of any entry from before the reset
   */
  clear(through: number, isKept: boolean): void {
    if (isKept) this.#parkedThrough = through;
    else this.#resetThrough = through;
    this.#replay.clear();
  }

  /** Parked records are read again. */
  unpark(): void {
    this.#parkedThrough = 0;
  }

  get #voidThrough(): number {
    return Math.max(this.#resetThrough, this.#parkedThrough);
  }

  /** Pending replays are dropped. */
  stop(): void {
    this.#replay.clear();
  }

  /** @param announcedAt - when another tab announced them, in ms since the epoch; undefined for stored records */
  #apply(records: SideRecords, announcedAt?: number): AppliedRecords {
    const { entries } = this.#queue;
    const hidden: Entry[] = [];
    const added: Entry[] = [];
    const removed: Entry[] = [];
    const rejected: Entry[] = [];
    const toRewrite: Entry[] = [];
    const moved: string[] = [];
    const obsolete: string[] = [];
    for (const [key, stored] of records) {
      const temporaryPk = movedPk(key);
      if (temporaryPk !== undefined) {
        const move = asMoveRecord(stored);
        if (move === undefined) continue;
        if (this.#controller.now() - move.at > MOVE_RETENTION) obsolete.push(key);
        this.#recordMove(temporaryPk, move);
        moved.push(temporaryPk);
        continue;
      }
      const known = entries.get(key);
      const record = asEntryRecord(stored);
      if (record === undefined && stored !== undefined) {
        if (stored !== LOST) this.#unreadable(key);
        else if (known !== undefined) toRewrite.push(known);
        continue;
      }
      if (record !== undefined && (!this.#queue.isInScope(record) || record.order <= this.#voidThrough))
        continue;
      if (record === undefined) this.#removedAt.set(key, this.#controller.now());
      if (known === undefined) {
        if (record !== undefined && !this.#removedAt.has(key) && !this.#queue.records.isRemoved(key))
          added.push(this.#toEntry(key, record));
      } else if (record === undefined) {
        // A record written here may be newer than the deletion. An entry that never was on disk is removed here; the
        // tab that created it may still store it.
        const mayBeNewer = known.wasRewritten || known.isBeingStored;
        if (mayBeNewer && (known.isDurable || announcedAt !== undefined)) obsolete.push(key);
        if (known.isSending) known.isWithdrawn = true;
        else {
          known.expected = known.mutation?.expected;
          entries.remove(known);
          hidden.push(known);
          removed.push(known);
        }
      } else if (isNewer(record, known.record)) {
        entries.applyRecord(known, record);
        // A stored hold may be from before the user signed in.
        if (announcedAt !== undefined) known.isPaused = record.status === 'needs-auth';
        hidden.push(known);
        this.#replay.add(known);
        if (known.isDeadLetter && known.waiter !== undefined) rejected.push(known);
        // The tab that changed an entry writes it; it may have been deleted since.
      } else if (isNewer(known.record, record) && (announcedAt !== undefined || known.wasRewritten))
        toRewrite.push(known);
    }
    added.sort((left, right) => left.record.order - right.record.order);
    for (const entry of added) {
      entry.announcedAt = announcedAt;
      // Entries of an earlier page have not been tried from here yet.
      entry.isPaused = announcedAt !== undefined && entry.record.status === 'needs-auth';
      entries.add(entry);
      // The writer may not have known of a new pk. Not written back, since the record may have been deleted after the
      // read.
      this.#queue.updateArgs(entry);
      this.#replay.add(entry);
    }
    // The other tab has updated only the entries it knew of.
    for (const entry of new Set(moved.flatMap((temporaryPk) => entries.referencing(temporaryPk)))) {
      if (entry.isSending) continue;
      this.#queue.changeArgs(entry, withServerPks(entry.args, this.#queue.serverIds));
      hidden.push(entry);
      this.#replay.add(entry);
    }
    if (obsolete.length > 0) void this.#queue.commit(obsolete.map((key) => [key, undefined]));
    // An older record may have overwritten the current one.
    if (toRewrite.length > 0) void this.#queue.commit(toRewrite.map((entry) => [entry.key, entry.record]));
    return { hidden, added, removed, rejected };
  }

  /** Entries created before the first read come after the stored ones, even if the clock was set back in between. */
  #reorderEarly(early: readonly Entry[], stored: readonly Entry[]): void {
    const [first] = early;
    const last = stored.at(-1);
    if (first === undefined || last === undefined || compareEntries(first, last) > 0) return;
    const { entries } = this.#queue;
    const moved = early.filter(({ isSending }) => !isSending);
    for (const entry of moved) {
      const { record } = entry;
      const order = entries.nextOrder(this.#controller.now());
      entries.applyRecord(entry, { ...record, order, revision: record.revision + 1 });
      this.#replay.add(entry);
    }
    void this.#queue.commit(moved.map(({ key, record }) => [key, record]));
  }

  /** The record stays on disk: a later version of the app may be able to read it. */
  #unreadable(key: string): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#queue.report(
      new HoldfastError(
        'HF_STORAGE',
        `A mutation kept in the outbox (${key}) does not have Holdfast's format; it is kept, but not sent`,
      ),
    );
  }

  #recordMove(temporaryPk: string, move: MoveRecord): void {
    this.#queue.serverIds.set(temporaryPk, move);
    this.#queue.mutations.alias(temporaryPk, move);
  }

  #toEntry(key: string, record: EntryRecord): Entry {
    const { registry } = this.#queue;
    return Entry.restored(key, this.#queue.queueOf(record.name), record, registry.find(record.name));
  }
}
