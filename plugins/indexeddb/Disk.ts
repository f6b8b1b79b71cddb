import type { HoldfastError, State } from 'holdfast';
import type { Core } from './Core.ts';
import type { Failures } from './Failures.ts';
import { Log } from './Log.ts';
import { Pending } from './Pending.ts';
import { References } from './References.ts';
import { Reader } from './Reader.ts';
import type { Batch } from './records.ts';
import { Standings } from './Standings.ts';
import type { Storage } from './Storage.ts';

/** One database and what is known of it: what reading and writing share. */
export class Disk {
  readonly storage: Storage;
  readonly failures: Failures;
  readonly log: Log;
  readonly reader: Reader;
  readonly pending = new Pending();
  readonly standings = new Standings();
  /** Keys of the results on disk, so that a read of any other does not ask. */
  readonly onDisk = new Set<string>();
  /** Settles, with whether the database can be used, once it is open and its directory known. Never rejects. */
  readonly opened: Promise<boolean>;
  /** The confirmed state as of the last commit. */
  state: State | undefined;
  /** The epoch that this tab writes in. */
  epoch = 0;
  /** Rises with each reset of this tab: what was read before must not be handed out. */
  generation = 0;
  /** The highest order among what was on disk at the start. */
  order = 0;
  /** Whether a reset of another tab was heard of that the disk has not shown yet. */
  followsReset = false;
  /** Records and rows in the log. */
  logged = { records: 0, rows: 0 };
  /** Results in memory that other tabs have written since. */
  readonly #outdated = new Set<string>();
  /** Whether its directory is known. */
  #isKnown = false;
  /** Why nothing can be read or written; undefined while it can, as far as is known. */
  #failure: HoldfastError | undefined;
  #core: Core | undefined;
  #references: References | undefined;

  constructor(storage: Storage, failures: Failures) {
    this.storage = storage;
    this.failures = failures;
    this.log = new Log({
      unreadable: failures.unreadable,
      foreign: (batch) => this.#writtenByOthers(batch),
      missed: (tables, results) => this.#missed(tables, results),
    });
    this.reader = new Reader(storage, () => ({
      log: this.log,
      state: this.state,
      standings: this.standings,
      references: this.references,
      unreadable: failures.unreadable,
    }));
    this.opened = this.#open();
  }

  /** Whether anything can be read or written, as far as is known. */
  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /** Why not. */
  get failure(): HoldfastError | undefined {
    return this.#failure;
  }

  /** The controller; there is none before the plugin has started, and nothing to do either. */
  get core(): Core {
    if (this.#core === undefined)
      throw new TypeError('indexedDB() is used before a controller has started it');
    return this.#core;
  }

  get references(): References {
    return (this.#references ??= new References(this.core));
  }

  attach(core: Core): void {
    this.#core = core;
  }

  /** From here on memory is all there is, apart from what other plugins want kept: they learn that it cannot be. */
  giveUp(failure: HoldfastError): void {
    this.#failure = failure;
    this.pending.rows.clear();
    this.pending.results.clear();
  }

  /** Brings what is known of the log up to date. */
  async look(): Promise<void> {
    await this.storage.read((view) => this.log.refresh(view));
    this.logged = this.log.size;
  }

  /** The results in memory that other tabs have written; they count as read again. */
  takeOutdated(): readonly string[] {
    const keys = [...this.#outdated];
    this.#outdated.clear();
    return keys;
  }

  /** Goes on in the epoch that a reset of another tab has begun. Nothing of what memory holds is on disk. */
  adoptEpoch(): void {
    this.epoch = this.log.epoch;
    this.followsReset = false;
    if (this.state !== undefined) this.pending.touchAll(this.state);
  }

  /** Forgets what is known of the disk, which is being emptied. */
  forget(): void {
    this.generation += 1;
    this.#outdated.clear();
    this.standings.clear();
    this.onDisk.clear();
    this.log.clear();
    this.logged = { records: 0, rows: 0 };
    if (this.state !== undefined) this.pending.keepOnly(this.state);
  }

  #writtenByOthers({ rows, results }: Batch): void {
    if (!this.#isKnown) return;
    for (const { table, pk } of rows)
      this.standings.written(table, pk, this.state?.tables[table]?.get(pk) !== undefined);
    for (const { key } of results) this.#resultWritten(key);
  }

  #missed(tables: Iterable<string>, results: readonly string[]): void {
    if (!this.#isKnown) return;
    if (this.state === undefined) this.standings.opened(tables);
    else this.standings.missed(tables, this.state);
    for (const key of results) this.#resultWritten(key);
  }

  #resultWritten(key: string): void {
    this.onDisk.add(key);
    if (this.state?.results.get(key) !== undefined) this.#outdated.add(key);
  }

  async #open(): Promise<boolean> {
    const { generation } = this;
    try {
      await this.storage.open();
      await this.storage.read(async (view) => {
        const [header, keys] = await Promise.all([this.log.refresh(view), view.resultKeys()]);
        this.epoch = header.epoch;
        if (generation !== this.generation) return;
        this.order = Math.max(header.order, this.log.order);
        this.logged = this.log.size;
        for (const key of keys) this.onDisk.add(key);
        for (const { key } of this.log.results()) this.onDisk.add(key);
        this.standings.opened([...header.tables.keys(), ...this.log.tables()]);
        this.#isKnown = true;
      });
    } catch (cause) {
      this.giveUp(
        this.failures.storage(
          'it cannot be opened',
          'data is kept in memory only; allow site data to keep it',
          cause,
        ),
      );
    }
    return this.isUsable;
  }
}
