import { HoldfastError, NetworkError } from 'holdfast';
import { LOST } from '../../shared/unreadableRecords.ts';
import { Entry } from './Entry.ts';
import { decodeArgs } from '../storage/bodies.ts';
import { NAME, type Queue } from './Queue.ts';
import { isNewer, moveKey, type EntryRecord, type MoveRecord, type ReadRecord } from '../storage/record.ts';

/** How long the server's pk for a temporary one is kept, in ms. */
const MOVE_RETENTION = 7 * 24 * 3_600_000;

/** The effect of records from elsewhere on the entries here. */
export class AppliedRecords {
  /** Entries that were answered or removed. */
  readonly removed: Entry[] = [];
  /** Entries whose layers are replayed. */
  readonly changed: Entry[] = [];
  /** New entries, in order. */
  readonly added: Entry[] = [];
  readonly settlements: (() => void)[] = [];

  /** Settles the promises of entries that were answered, removed or rejected. */
  settle(): void {
    for (const settle of this.settlements) settle();
  }
}

/** The records that are applied together. */
interface Pass {
  /** When another tab announced them, in ms since the epoch; undefined for stored records. */
  readonly announcedAt: number | undefined;
  readonly applied: AppliedRecords;
  /** The temporary pks of answered creates. */
  readonly moved: string[];
  /** What to write, since the disk does not have it: an older record may have overwritten a newer. Undefined deletes. */
  readonly outdated: Map<string, Entry | MoveRecord | undefined>;
}

/** Applies records that other tabs, or this one before a reload, have written, to the entries here. */
export class RecordApplier {
  readonly #queue: Queue;
  /** Keys of lost and invalid records that were reported. */
  readonly #reported = new Set<string>();

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /**
   * Applies records.
   *
   * @param announcedAt - when another tab announced them, in ms since the epoch; undefined for stored records
   * @param applied - to which the effects are added
   */
  apply(
    records: readonly ReadRecord[],
    announcedAt?: number,
    applied = new AppliedRecords(),
  ): AppliedRecords {
    const pass: Pass = { announcedAt, applied, moved: [], outdated: new Map() };
    for (const { key, movedPk, stored, entry, move } of records) {
      if (movedPk !== undefined) {
        if (move !== undefined) this.#applyMove(key, movedPk, move, pass);
      } else if (entry !== undefined) this.#applyRecord(key, entry, pass);
      else if (stored === undefined) this.#applyRemoval(key, pass);
      else this.#applyUnreadable(key, stored, pass);
    }
    this.#updateMoved(pass);
    const written = Array.from(
      pass.outdated,
      ([key, value]) => [key, value instanceof Entry ? value.record : value] as const,
    );
    if (written.length > 0) void this.#queue.commit(written);
    return applied;
  }

  /** The server has answered a create. */
  #applyMove(key: string, temporaryPk: string, move: MoveRecord, { moved, outdated }: Pass): void {
    if (this.#queue.controller.now() - move.at > MOVE_RETENTION) outdated.set(key, undefined);
    this.#queue.args.serverIds.set(temporaryPk, move);
    this.#queue.mutations.alias(temporaryPk, move);
    moved.push(temporaryPk);
  }

  /** A new record, or another version of one. */
  #applyRecord(key: string, record: EntryRecord, pass: Pass): void {
    const { args, entries, gone } = this.#queue;
    const { announcedAt, applied, outdated } = pass;
    if (record.scope !== (this.#queue.options.scope ?? null)) return;
    const known = entries.get(key);
    if (known === undefined && gone.isRemovedElsewhere(key)) {
      // The other tab may have been closed before it was written. A page that has read the record would send the
      // mutation again, and its response would replace those of later ones.
      outdated.set(key, undefined);
      const move = args.serverIds.get(record.temporaryPk);
      if (move !== undefined) outdated.set(moveKey(record.temporaryPk), move);
    } else if (gone.isVoid(key, record)) return;
    else if (known === undefined) {
      if (!gone.has(key)) this.#add(key, record, pass);
    } else if (isNewer(record, known.record)) {
      entries.change(known, () => known.applyRecord(record), true);
      // A stored hold may be from before the user signed in.
      if (announcedAt !== undefined) known.isPaused = record.status === 'needs-auth';
      applied.changed.push(known);
      if (known.isDeadLetter && known.waiter !== undefined)
        applied.settlements.push(() => this.#queue.cancel(known, rejectionOf(record)));
      // The tab that changed an entry writes it; it may have been deleted since.
    } else if (isNewer(known.record, record) && (announcedAt !== undefined || known.ownWrites > 0))
      outdated.set(key, known);
  }

  /** A tab has sent or discarded an entry. */
  #applyRemoval(key: string, { announcedAt, applied, outdated }: Pass): void {
    const { controller, entries, gone } = this.#queue;
    gone.add(key, controller.now(), announcedAt !== undefined);
    const known = entries.get(key);
    if (known === undefined) return;
    // A record written here may be newer than the deletion. An entry that never was on disk is removed here; the tab
    // that created it may still store it.
    if (known.ownWrites > 0 && (known.isDurable || announcedAt !== undefined)) outdated.set(key, undefined);
    if (known.isSending) known.isWithdrawn = true;
    else {
      entries.remove(known);
      applied.removed.push(known);
      applied.settlements.push(this.#settlementOf(known));
    }
  }

  /**
   * An entry whose record the browser has lost is written again, by any tab that knows it. Any other record stays on
   * disk: a later version of the app may read it.
   */
  #applyUnreadable(key: string, stored: unknown, { announcedAt, outdated }: Pass): void {
    const { controller, entries, mutations } = this.#queue;
    const known = entries.get(key);
    if (stored === LOST && known !== undefined) outdated.set(key, known);
    else if (!this.#reported.has(key)) {
      this.#reported.add(key);
      if (stored !== LOST) this.#reportInvalid(key);
      // Other tabs may be left before they read it. A storage plugin has announced it already.
      else if (announcedAt === undefined && !controller.plugins.some(({ side }) => side !== undefined))
        mutations.commit({ origin: NAME, side: { [NAME]: [[key, LOST]] } });
    }
  }

  #reportInvalid(key: string): void {
    this.#queue.report(
      new HoldfastError(
        'HF_STORAGE',
        `A mutation kept in the outbox (${key}) does not have Holdfast's format; it is kept, but not sent`,
      ),
    );
  }

  #add(key: string, record: EntryRecord, { announcedAt, applied }: Pass): void {
    const { name, temporaryPk, createdAt, order, status } = record;
    const endpoint = this.#queue.registry.find(name);
    // Its page may have ended while it was being sent.
    const mutation = endpoint && {
      endpoint,
      args: decodeArgs(record.args),
      temporaryPk,
      createdAt,
      order,
      isRepeated: true,
    };
    const entry = new Entry(key, this.#queue.queueOf(name), record, mutation);
    entry.announcedAt = announcedAt;
    // Entries of an earlier page have not been tried from here yet.
    entry.isPaused = announcedAt !== undefined && status === 'needs-auth';
    this.#queue.entries.add(entry, true);
    // The writer may not have known of a new pk. Not written back, since the record may have been deleted after the
    // read.
    this.#queue.updateArgs(entry);
    applied.added.push(entry);
  }

  /** Gives the server's pks to the entries that depend on answered creates: the other tab has updated only those it knew of. */
  #updateMoved({ applied, moved }: Pass): void {
    const { entries, args } = this.#queue;
    for (const entry of new Set(moved.flatMap((temporaryPk) => entries.referencing(temporaryPk)))) {
      if (entry.isSending) continue;
      this.#queue.changeArgs(entry, args.withServerPks(entry.args), true);
      applied.changed.push(entry);
    }
  }

  /** Resolves the caller of an entry that another tab has handled: the current value is the result. */
  #settlementOf({ waiter, mutation }: Entry): () => void {
    if (waiter === undefined || mutation === undefined) return () => undefined;
    const { endpoint, args, expected } = mutation;
    return () => waiter.resolve(this.#queue.mutations.optimisticValue({ endpoint, args, expected }));
  }
}

/** The server's rejection, for a caller in another tab. */
function rejectionOf({ name, problem }: EntryRecord): NetworkError {
  const { status = 0, message = '' } = problem ?? {};
  return new NetworkError(message || `${name} was refused`, { status, url: '', method: '' });
}
