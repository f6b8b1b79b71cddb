import { HoldfastError, type Controller, type LayerId, type SideRecords } from 'holdfast';
import { LOST } from '../shared/unreadableRecords.ts';
import { Entry, mutationsOf } from './Entry.ts';
import { compareEntries } from './InOrder.ts';
import type { Ledger } from './Ledger.ts';
import { Showing, type Pacing } from './Showing.ts';
import {
  asEntryRecord,
  asMoveRecord,
  isNewer,
  movedPk,
  orderOf,
  type EntryRecord,
  type MoveRecord,
} from './record.ts';
import { withServerPks } from './temporaryPks.ts';

/** How long a temporary pk is remembered after the server has given another, in ms. */
const REMEMBERED = 7 * 24 * 3_600_000;

/** After what time what another tab has told of is on disk, or will never be, in ms. */
const HEARSAY = 5_000;

/** What has become of entries elsewhere. */
export interface News {
  /** They have been answered, or taken out. */
  readonly gone: readonly Entry[];
  /** The server has refused them. */
  readonly refused: readonly Entry[];
}

/** What records from elsewhere do to the entries here. */
interface Taken extends News {
  /** What is to be shown otherwise, or no longer. */
  readonly hidden: readonly Entry[];
  /** What was not known before, in order. */
  readonly added: readonly Entry[];
}

/** Takes in what other tabs, and this one before a reload, have written. */
export class Arrivals {
  readonly #ledger: Ledger;
  readonly #controller: Controller;
  readonly #showing: Showing;
  /** Records up to this order are from before the last reset: a disk that is just being emptied, or was being read, may still give them. */
  #resetThrough = 0;
  /** Records up to this one belong to somebody who has signed out. */
  #asleepThrough = 0;
  #hasRead = false;
  /** How often all that was on disk was lost. */
  #losses = 0;
  /** When each entry was found to be gone, in ms since the epoch: a slow disk, or a late message, may still have it. */
  readonly #goneAt = new Map<string, number>();
  /** Keys of the records that cannot be read, which the app has been told of. */
  readonly #told = new Set<string>();

  constructor(ledger: Ledger, controller: Controller, pacing: Pacing) {
    this.#ledger = ledger;
    this.#controller = controller;
    this.#showing = new Showing(ledger, controller, pacing);
  }

  /** Takes in what is on disk: at the start, and whenever another tab may have changed it. */
  async read(): Promise<News> {
    const ledger = this.#ledger;
    // One that comes to be kept while this reads may be missing in what is read.
    const overdue = this.#controller.now() - HEARSAY;
    for (const [key, at] of this.#goneAt) if (at <= overdue) this.#goneAt.delete(key);
    const kept = [...ledger.entries.all()].filter(
      ({ isKept, heardAt = Infinity }) => isKept || heardAt <= overdue,
    );
    const losses = this.#losses;
    const records = await ledger.records.read();
    // What was read is not what has become of the entries.
    if (losses !== this.#losses) return this.read();
    const valid = records.filter(([, record]) => orderOf(record) > this.#voidThrough);
    const onDisk = new Set(valid.map(([key]) => key));
    const answered = this.#answered(valid, onDisk);
    const missing = kept.filter(({ key }) => !onDisk.has(key)).map(({ key }) => [key, undefined] as const);
    const early = this.#hasRead ? [] : [...ledger.entries.all()].filter(({ isHearsay }) => !isHearsay);
    this.#hasRead = true;
    const taken = this.#take([...valid, ...missing, ...answered]);
    // Whoever has told of these has not heard.
    if (answered.length > 0) void ledger.commit(answered);
    this.#settleOrder(early, taken.added);
    for (const key of onDisk) {
      const entry = ledger.entries.get(key);
      if (entry !== undefined) entry.isKept = true;
    }
    // What came of those that are gone lies on disk, with the lists that it was added to.
    if (taken.gone.length > 0) await this.#catchUp();
    // Over a part of a row, a layer would show a part of it.
    const standing = mutationsOf([...this.#showing.arriving, ...taken.gone]).filter(
      ({ endpoint }) => endpoint.getOptimisticResponse !== undefined,
    );
    if (standing.length > 0) await ledger.mutations.restore(standing);
    await this.#showing.show(taken.gone);
    return taken;
  }

  /**
   * What is pending here and has been answered by somebody who could not tell: the disk has the server's pk of what it
   * made, and not the entry any more. Gives the records that say so.
   */
  #answered(records: SideRecords, onDisk: ReadonlySet<string>): SideRecords {
    return records.flatMap(([key, move]) => {
      const maker = this.#ledger.entries.maker(movedPk(key) ?? '');
      return maker === undefined || onDisk.has(maker.key)
        ? []
        : [[maker.key, undefined] as const, [key, move] as const];
    });
  }

  /** Has what other tabs have stored read anew, where there is a storage. */
  async #catchUp(): Promise<void> {
    const storage = this.#controller.plugins.find((plugin) => plugin.side !== undefined);
    // It tells of its failures itself.
    await storage?.catchUp?.().catch(() => undefined);
  }

  /** Another tab has written these. Gives the layers that this takes away, too. */
  settles(records: SideRecords): News & { readonly layers: readonly LayerId[] } {
    const taken = this.#take(records, this.#controller.now());
    const mutations = mutationsOf(taken.hidden);
    const layers = mutations.flatMap(({ layer }) => layer ?? []);
    for (const mutation of mutations) mutation.layer = mutation.expected = undefined;
    return { ...taken, layers };
  }

  /** Shows what `settles` brought, above the rows that came with it; settles when all of it is shown. */
  showNew(): Promise<void> {
    return this.#showing.show();
  }

  /** What is being read is what is left of a database that was deleted. */
  lost(): void {
    this.#losses += 1;
  }

  /**
   * Forgets what was read. What is still on disk of it is void, or asleep: not read until it is woken.
   *
   * @param through - the highest order that any entry from before the reset has
   */
  clear(through: number, isKept: boolean): void {
    if (isKept) this.#asleepThrough = through;
    else this.#resetThrough = through;
    this.#showing.clear();
  }

  /** What was put to sleep is read again from here on. */
  wake(): void {
    this.#asleepThrough = 0;
  }

  get #voidThrough(): number {
    return Math.max(this.#resetThrough, this.#asleepThrough);
  }

  /** What is not shown yet will not be. */
  stop(): void {
    this.#showing.clear();
  }

  /** @param heardAt - where another tab tells of them, when; in ms since the epoch */
  #take(records: SideRecords, heardAt?: number): Taken {
    const { entries } = this.#ledger;
    const hidden: Entry[] = [];
    const added: Entry[] = [];
    const gone: Entry[] = [];
    const refused: Entry[] = [];
    const again: Entry[] = [];
    const moved: string[] = [];
    const obsolete: string[] = [];
    for (const [key, stored] of records) {
      const temporaryPk = movedPk(key);
      if (temporaryPk !== undefined) {
        const move = asMoveRecord(stored);
        if (move === undefined) continue;
        if (this.#controller.now() - move.at > REMEMBERED) obsolete.push(key);
        this.#moved(temporaryPk, move);
        moved.push(temporaryPk);
        continue;
      }
      const known = entries.get(key);
      const record = asEntryRecord(stored);
      if (record === undefined && stored !== undefined) {
        if (stored !== LOST) this.#unreadable(key);
        else if (known !== undefined) again.push(known);
        continue;
      }
      if (record !== undefined && (!this.#ledger.isOurs(record) || record.order <= this.#voidThrough))
        continue;
      if (record === undefined) this.#goneAt.set(key, this.#controller.now());
      if (known === undefined) {
        if (record !== undefined && !this.#goneAt.has(key) && !this.#ledger.records.isRemoved(key))
          added.push(this.#restored(key, record));
      } else if (record === undefined) {
        // What was written here meanwhile may have come after the deletion.
        // One that has never been there is no longer believed in here; whoever has asked for it may still store it.
        if (known.isRewritten && (known.isKept || heardAt !== undefined)) obsolete.push(key);
        if (known.isSending) known.isWithdrawn = true;
        else {
          known.expected = known.mutation?.expected;
          entries.remove(known);
          hidden.push(known);
          gone.push(known);
        }
      } else if (isNewer(record, known.record)) {
        entries.take(known, record);
        // What lies on disk may be from before somebody signed in.
        if (heardAt !== undefined) known.isPaused = record.hold === 'needs-auth';
        hidden.push(known);
        this.#showing.add(known);
        if (known.isFailed && known.waiter !== undefined) refused.push(known);
        // What another tab has changed is that tab's to write: it may have deleted it since.
      } else if (isNewer(known.record, record) && (heardAt !== undefined || known.isRewritten))
        again.push(known);
    }
    added.sort((left, right) => left.record.order - right.record.order);
    for (const entry of added) {
      entry.heardAt = heardAt;
      // Nobody has tried yet from here what a page has left behind.
      entry.isPaused = heardAt !== undefined && entry.record.hold === 'needs-auth';
      entries.add(entry);
      // Who wrote it may not have known of a new pk. It is not written: it may have been deleted since it was read.
      this.#ledger.bringUpToDate(entry);
      this.#showing.add(entry);
    }
    // Another tab has rewritten those that it knew of.
    for (const entry of new Set(moved.flatMap((temporaryPk) => entries.naming(temporaryPk)))) {
      if (entry.isSending) continue;
      this.#ledger.changeArgs(entry, withServerPks(entry.args, this.#ledger.moved));
      hidden.push(entry);
      this.#showing.add(entry);
    }
    if (obsolete.length > 0) void this.#ledger.commit(obsolete.map((key) => [key, undefined]));
    // An older record may have been written after the one that stands.
    if (again.length > 0) void this.#ledger.commit(again.map((entry) => [entry.key, entry.record]));
    return { hidden, added, gone, refused };
  }

  /**
   * What was asked for here before the disk was read comes after what was there, even where the clock has been set back
   * since that was asked for.
   */
  #settleOrder(early: readonly Entry[], stored: readonly Entry[]): void {
    const [first] = early;
    const last = stored.at(-1);
    if (first === undefined || last === undefined || compareEntries(first, last) > 0) return;
    const { entries } = this.#ledger;
    const moved = early.filter(({ isSending }) => !isSending);
    for (const entry of moved) {
      const { record } = entry;
      const order = entries.nextOrder(this.#controller.now());
      entries.take(entry, { ...record, order, revision: record.revision + 1 });
      this.#showing.add(entry);
    }
    void this.#ledger.commit(moved.map(({ key, record }) => [key, record]));
  }

  /** It stays where it is: whoever has written it, such as a later version, may know what it says. */
  #unreadable(key: string): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#ledger.tell(
      new HoldfastError(
        'HF_STORAGE',
        `A mutation kept in the outbox (${key}) is not of the shape that Holdfast writes; it is left there, and not sent`,
      ),
    );
  }

  #moved(temporaryPk: string, move: MoveRecord): void {
    const { table, pk, shownPk = temporaryPk } = move;
    this.#ledger.moved.set(temporaryPk, move);
    this.#ledger.mutations.alias(table, shownPk, pk);
  }

  #restored(key: string, record: EntryRecord): Entry {
    const { registry } = this.#ledger;
    return Entry.restored(key, this.#ledger.queueOf(record.name), record, registry.find(record.name));
  }
}
