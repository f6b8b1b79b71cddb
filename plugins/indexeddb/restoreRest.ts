import type { Disk } from './Disk.ts';
import { nextTurn } from './idle.ts';
import { meetArrived } from './meetDisk.ts';
import type { DiskResult, DiskRow, Refs } from './records.ts';
import type { ShardsFound } from './Reader.ts';

/** How long memory may take things in before it lets go of the main thread, in ms: a phone takes four times as long. */
const BUDGET = 4;

/** Rows merged into memory by one commit: few enough to look at the clock often, many enough to share its costs. */
const ROWS = 512;

/** The same for results, which may each name very many rows. */
const RESULTS = 32;

/** Shards read in one transaction. */
const SHARDS = 256;

/** Results read in one transaction: decoding them is one task. */
const RESULTS_READ = 128;

/**
 * Readings under way at a time, so that the disk has work while memory takes in what it has brought. More would make a
 * read that somebody waits for wait longer.
 */
const AHEAD = 2;

/** What tells the restore of the rest how to go on. */
export interface RestoringRest {
  /** The plugin's name. */
  readonly name: string;
  /** Settles once no read that somebody waits for is under way. */
  readonly settled: () => Promise<void>;
  /** Whether to go on. */
  readonly isWanted: () => boolean;
}

/**
 * Brings what is on disk into memory, in short tasks while there is nothing else to do. Rows come before results: a
 * result in memory is read without asking disk, so that what it reaches has to be there first.
 */
export async function restoreRest(disk: Disk, restoring: RestoringRest): Promise<void> {
  const landing = new Landing(disk, restoring);
  for (const { table, shards } of disk.tables) {
    if (!(await landing.turn()) || !(await restoreTable(disk, table, shards, landing))) return;
    disk.standings.complete(table);
  }
  // What it names is here now.
  await meetArrived(disk, restoring.name, () => landing.turn());
  if (await landing.turn()) await restoreResults(disk, landing);
}

/** Returns false when it was told to stop. */
async function restoreTable(disk: Disk, table: string, shards: number, landing: Landing): Promise<boolean> {
  const begin = (of: number): Ahead<ShardsFound> =>
    new Ahead(of, SHARDS, (first) => disk.reader.shards(table, first, SHARDS));
  let known = shards;
  let ahead = begin(known);
  for (let reading = ahead.next(); reading !== undefined; reading = ahead.next()) {
    const found = await reading;
    if (!(await landing.turn())) return false;
    if (found.shards !== known) {
      // A fold has spread the table anew meanwhile. What is in memory already is passed over.
      known = found.shards;
      ahead = begin(known);
    } else if (!(await landing.rows(table, found))) return false;
  }
  return true;
}

async function restoreResults(disk: Disk, landing: Landing): Promise<void> {
  const keys = [...disk.onDisk].sort();
  const ahead = new Ahead(keys.length, RESULTS_READ, (first) => {
    const last = Math.min(first + RESULTS_READ, keys.length) - 1;
    return disk.reader.resultsBetween(keys[first] ?? '', keys[last] ?? '');
  });
  for (let reading = ahead.next(); reading !== undefined; reading = ahead.next()) {
    const found = await reading;
    if (!(await landing.turn()) || !(await landing.results(found))) return;
  }
}

/** Readings of what comes one after the other, a few of them begun before they are asked for. */
class Ahead<T> {
  readonly #end: number;
  readonly #step: number;
  readonly #read: (first: number) => Promise<T>;
  readonly #readings: Promise<T>[] = [];
  #first = 0;

  /**
   * @param end - how much there is to read
   * @param step - how much is read at a time
   */
  constructor(end: number, step: number, read: (first: number) => Promise<T>) {
    this.#end = end;
    this.#step = step;
    this.#read = read;
  }

  /** The next reading; undefined after the last. */
  next(): Promise<T> | undefined {
    while (this.#first < this.#end && this.#readings.length < AHEAD) {
      const reading = this.#read(this.#first);
      // Awaited by whoever asks for it, unless it is not wanted any more.
      reading.catch(() => undefined);
      this.#readings.push(reading);
      this.#first += this.#step;
    }
    return this.#readings.shift();
  }
}

/** Merges what was read into memory. */
class Landing {
  readonly #disk: Disk;
  readonly #restoring: RestoringRest;
  /** When it has got the main thread. */
  #since = 0;

  constructor(disk: Disk, restoring: RestoringRest) {
    this.#disk = disk;
    this.#restoring = restoring;
  }

  /** Waits until there is nothing better to do. Returns false when it is no longer wanted. */
  async turn(): Promise<boolean> {
    await nextTurn();
    await this.#restoring.settled();
    this.#since = performance.now();
    return this.#restoring.isWanted();
  }

  get #isDue(): boolean {
    return performance.now() - this.#since > BUDGET;
  }

  /** Returns false when it was told to stop. */
  async rows(table: string, { rows: found, shards, known }: ShardsFound): Promise<boolean> {
    const { status } = this.#disk.failures;
    let unmet: DiskRow[] = [];
    let seen = 0;
    const land = (): void => {
      this.#merge(unmet, []);
      status.set({ restoredRows: status.get().restoredRows + seen });
      unmet = [];
      seen = 0;
    };
    for (const list of found) {
      for (let start = 0; start < list.length; start += ROWS) {
        const rows = list.length <= ROWS ? list : list.slice(start, start + ROWS);
        if (seen + rows.length > ROWS) {
          land();
          if (this.#isDue && !(await this.turn())) return false;
        }
        this.#note(table, rows, shards, known, unmet);
        seen += rows.length;
      }
    }
    land();
    return true;
  }

  /** Returns false when it was told to stop. */
  async results(found: readonly DiskResult[]): Promise<boolean> {
    for (let start = 0; start < found.length; start += RESULTS) {
      if (this.#isDue && !(await this.turn())) return false;
      const { state } = this.#disk;
      const slice = found.slice(start, start + RESULTS);
      this.#merge(
        [],
        slice.filter(({ key }) => state?.results.get(key) === undefined),
      );
    }
    return true;
  }

  /**
   * Notes how the rows of a shard stand to the disk from now on.
   *
   * @param unmet - gets those that memory lacks, or has to merge with what it has
   */
  #note(table: string, rows: readonly DiskRow[], of: number, known: number, unmet: DiskRow[]): void {
    const { standings, log } = this.#disk;
    // Others may have written the rows again since they were read.
    const standing = known === log.known ? 'merged' : 'arrived';
    const pks = rows.map(({ pk }) => pk);
    if (standing === 'merged' && standings.beginShard(table, of, pks)) {
      for (const row of rows) unmet.push(row);
      return;
    }
    for (const row of rows) {
      const { pk } = row;
      const before = standings.get(table, pk);
      // What is in memory of a table that is not complete has a standing, unless it was seen not to be on disk.
      if (before === undefined || (before !== 'erased' && !this.#isHere(table, pk))) {
        unmet.push(row);
        standings.set(table, pk, standing);
      } else if (before === 'erased') {
        standings.set(table, pk, 'merged');
      } else if (before === 'unknown') {
        // Disk's version may name rows that are not here yet, and would make this one incomplete. It is merged when all
        // rows are here, or, with all that it reaches, when this one is written.
        standings.set(table, pk, 'arrived');
      }
    }
  }

  #merge(rows: readonly DiskRow[], results: readonly DiskResult[]): void {
    const { core, standings } = this.#disk;
    if (rows.length + results.length === 0) return;
    for (const { refs } of rows) this.#noteNamed(refs);
    for (const { refs } of results) this.#noteNamed(refs);
    standings.isNoted = true;
    try {
      core.apply(this.#disk.restored(rows, results), {
        origin: this.#restoring.name,
        type: 'restore',
        isHandedOver: true,
      });
    } catch (cause) {
      // Nothing was merged. What has no standing, of a table that is not complete, meets the disk before it is written.
      for (const { table, pk } of rows) standings.delete(table, pk);
      throw cause;
    } finally {
      standings.isNoted = false;
    }
  }

  /** What is named and not here yet is to be persisted once it is. */
  #noteNamed(refs: Refs): void {
    const { standings } = this.#disk;
    for (let index = 0; index + 1 < refs.length; index += 2) {
      const table = refs[index] as string; // in range, by the condition
      const pk = refs[index + 1] as string; // likewise
      if (!this.#isHere(table, pk) && standings.get(table, pk) === undefined)
        standings.set(table, pk, 'away');
    }
  }

  #isHere(table: string, pk: string): boolean {
    return this.#disk.state?.tables[table]?.get(pk) !== undefined;
  }
}
