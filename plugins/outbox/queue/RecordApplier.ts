import { HoldfastError, NetworkError } from 'holdfast';
import { holdsBlob } from '../../shared/blobStorage.ts';
import { LOST } from '../../shared/unreadableRecords.ts';
import { Entry } from './Entry.ts';
import { decodeArgs } from '../storage/bodies.ts';
import { NAME, type Queue } from './Queue.ts';
import { isNewer, moveKey, type EntryRecord, type MoveRecord, type ReadRecord } from '../storage/record.ts';

/** How long the server's pk for a temporary one is kept, in ms. */
const MOVE_RETENTION = 7 * 24 * 3_600_000;

/**
 * Applies records that other tabs, or this one before a reload, have written, to the entries here. One object applies
 * the records of one read or message, and has their effect.
 */
export class RecordApplier {
  /** Entries that were answered or removed. */
  readonly removed: Entry[] = [];
  /** New entries, in order. */
  readonly added: Entry[] = [];
  readonly #settlements: (() => void)[] = [];
  readonly #queue: Queue;
  readonly #announcedAt: number | undefined;
  /** What to write, since the disk does not have it: an older record may have overwritten a newer. Undefined deletes. */
  #outdated = new Map<string, Entry | MoveRecord | undefined>();

  /** @param announcedAt - when another tab announced the records, in ms since the epoch; undefined for stored ones */
  constructor(queue: Queue, announcedAt?: number) {
    this.#queue = queue;
    this.#announcedAt = announcedAt;
  }

  /** May be called again with further records of the same read. */
  apply(records: readonly ReadRecord[]): void {
    /** The temporary pks of answered creates. */
    const moved: string[] = [];
    for (const { key, movedPk, stored, entry, move } of records) {
      if (movedPk !== undefined) {
        if (move === undefined) continue;
        this.#applyMove(key, movedPk, move);
        moved.push(movedPk);
      } else if (entry !== undefined) this.#applyRecord(key, entry);
      else if (stored === undefined) this.#applyRemoval(key);
      else this.#applyUnreadable(key, stored);
    }
    this.#updateMoved(moved);
    const written = Array.from(
      this.#outdated,
      ([key, value]) => [key, value instanceof Entry ? value.record : value] as const,
    );
    this.#outdated = new Map();
    if (written.length > 0) void this.#queue.commit(written);
  }

  /** Settles the promises of entries that were answered, removed or rejected. */
  settle(): void {
    for (const settle of this.#settlements) settle();
  }

  /** The server has answered a create. */
  #applyMove(key: string, temporaryPk: string, move: MoveRecord): void {
    if (this.#queue.controller.now() - move.at > MOVE_RETENTION) this.#outdated.set(key, undefined);
    this.#queue.args.serverIds.set(temporaryPk, move);
    this.#queue.mutations.alias(temporaryPk, move);
  }

  /** A new record, or another version of one. */
  #applyRecord(key: string, record: EntryRecord): void {
    const { args, entries, gone } = this.#queue;
    if (record.scope !== (this.#queue.options.scope ?? null)) return;
    const known = entries.get(key);
    // The tab that announces it again writes it again.
    if (known?.announcedAt !== undefined) known.announcedAt = this.#announcedAt ?? known.announcedAt;
    if (known === undefined && gone.isRemovedElsewhere(key)) {
      // The other tab may have been closed before it was written. A page that has read the record would send the
      // mutation again, and its response would replace those of later ones.
      this.#outdated.set(key, undefined);
      const move = args.serverIds.get(record.temporaryPk);
      if (move !== undefined) this.#outdated.set(moveKey(record.temporaryPk), move);
    } else if (gone.isVoid(key, record)) return;
    else if (known === undefined) {
      if (!gone.has(key)) this.#add(key, record);
    } else if (isNewer(record, known.record)) {
      // A failed attempt changes nothing on screen.
      const isShownAgain =
        entries.isReplayPending(known) || isNewer(record, { ...known.record, attempts: Infinity });
      entries.change(known, () => known.applyRecord(record), isShownAgain);
      // A stored hold may be from before the user signed in.
      if (this.#announcedAt !== undefined) known.awaitsSignIn = record.status === 'needs-auth';
      if (known.isDeadLetter && known.waiter !== undefined)
        this.#settlements.push(() => this.#queue.cancel(known, rejectionOf(record)));
      // The tab that changed an entry writes it; it may have been deleted since.
    } else if (isNewer(known.record, record)) {
      if (this.#announcedAt !== undefined || known.ownWrites > 0) this.#outdated.set(key, known);
    } else if (this.#announcedAt === undefined && holdsBlob(record.args))
      // The disk has a copy of a file that the user may change or delete.
      known.applyRecord({ ...known.record, args: record.args });
  }

  /** A tab has sent or discarded an entry. */
  #applyRemoval(key: string): void {
    const { controller, entries, gone } = this.#queue;
    gone.add(key, controller.now(), this.#announcedAt !== undefined);
    const known = entries.get(key);
    if (known === undefined) return;
    // A record written here may be newer than the deletion. An entry that never was on disk is removed here; the tab
    // that created it may still store it.
    if (known.ownWrites > 0 && (known.isDurable || this.#announcedAt !== undefined))
      this.#outdated.set(key, undefined);
    if (known.isSending) known.isWithdrawn = true;
    else {
      // What it has hidden is shown again.
      if (known.isDeadLetter)
        for (const entry of entries.withDependents(known)) entries.change(entry, () => undefined, true);
      entries.remove(known);
      this.removed.push(known);
      this.#settlements.push(this.#settlementOf(known));
    }
  }

  /**
   * An entry whose record the browser has lost is written again, by any tab that knows it. Any other record stays on
   * disk: a later version of the app may read it.
   */
  #applyUnreadable(key: string, stored: unknown): void {
    const { entries, mutations, records } = this.#queue;
    const known = entries.get(key);
    if (stored === LOST && known !== undefined) this.#outdated.set(key, known);
    else if (!records.reported.has(key)) {
      records.reported.add(key);
      if (stored !== LOST)
        this.#queue.report(
          new HoldfastError(
            'HF_STORAGE',
            `A mutation kept in the outbox (${key}) does not have Holdfast's format; it is kept, but not sent`,
          ),
        );
      // Other tabs may be left before they read it. A storage plugin has announced it already.
      else if (this.#announcedAt === undefined && records.store.storage === undefined)
        mutations.commit({ origin: NAME, side: { [NAME]: [[key, LOST]] } });
    }
  }

  #add(key: string, record: EntryRecord): void {
    const { name, temporaryPk, createdAt, order, status } = record;
    const endpoint = this.#queue.registry.find(name);
    // Its page may have ended while it was being sent.
    const mutation = endpoint && {
      endpoint,
      args: decodeArgs(record.args),
      givesPk: record.givesPk,
      former: record.former,
      temporaryPk,
      createdAt,
      order,
      isRepeated: true,
    };
    const entry = new Entry(key, endpoint ? this.#queue.queueOf(name) : '', record, mutation);
    entry.announcedAt = this.#announcedAt;
    // Entries of an earlier page have not been tried from here yet.
    entry.awaitsSignIn = this.#announcedAt !== undefined && status === 'needs-auth';
    this.#queue.entries.add(entry, true);
    // The writer may not have known of a new pk. Not written back, since the record may have been deleted after the
    // read.
    this.#queue.updateArgs(entry);
    this.added.push(entry);
  }

  /** Gives the server's pks to the entries that depend on answered creates: the other tab has updated only those it knew of. */
  #updateMoved(moved: readonly string[]): void {
    const { entries } = this.#queue;
    for (const entry of new Set(moved.flatMap((temporaryPk) => entries.referencing(temporaryPk))))
      if (!entry.isSending) this.#queue.updateArgs(entry, true);
  }

  /** Resolves the caller of an entry that another tab has handled: the current value is the result. */
  #settlementOf({ waiter, mutation }: Entry): () => void {
    if (waiter === undefined || mutation === undefined) return () => undefined;
    const { endpoint, args, expected } = mutation;
    return () => waiter.resolve(this.#queue.optimisticValue({ endpoint, args, expected }));
  }
}

/** The server's rejection, for a caller in another tab. */
function rejectionOf({ name, problem }: EntryRecord): NetworkError {
  const { status = 0, message = '' } = problem ?? {};
  return new NetworkError(message || `${name} was refused`, { status, url: '', method: '' });
}
