import type { Restored, SideRecords, Wanted } from 'holdfast';
import type { Disk } from './Disk.ts';

/** Answers, from the disk, what the controller and other plugins wait for. */
export class Inquiries {
  readonly #disk: Disk;
  readonly #catchUp: () => Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Settles once what memory has let go of is written, as far as it can be. */
  #letGo: Promise<void> | undefined;

  /** @param catchUp - sees what other tabs have done to the disk; never rejects */
  constructor(disk: Disk, catchUp: () => Promise<void>) {
    this.#disk = disk;
    this.#catchUp = catchUp;
  }

  /** Whether what is on disk is there to be read, and not what another tab is about to empty. */
  async isReadable(): Promise<boolean> {
    const disk = this.#disk;
    await disk.opened;
    if (disk.followsReset) await this.#catchUp();
    return disk.isUsable && !disk.followsReset;
  }

  /** Memory has let go of something: it is read again only once what was pending of it is written. */
  waitFor(letGo: Promise<void>): void {
    this.#letGo = letGo;
  }

  /** What disk has of what memory lacks; undefined where that is nothing, or it cannot be read. */
  async restore(wanted: Wanted): Promise<Restored | undefined> {
    const disk = this.#disk;
    if (!(await this.isReadable())) return undefined;
    await this.#letGo;
    const asked = this.#onDisk(wanted);
    if (asked === undefined) return undefined;
    const { generation } = disk;
    for (const key of asked.results ?? []) disk.readTimes.note(key, disk.core.now());
    const reading = disk.reader.wanted(asked);
    this.#underWay.add(reading);
    try {
      const found = await reading;
      if (generation !== disk.generation) return undefined;
      if (disk.log.epoch !== disk.epoch) {
        // It is no longer what memory belongs to: another tab was reset.
        void this.#catchUp();
        return undefined;
      }
      // Otherwise that which could not be written may still be to be written.
      if (disk.pending.isEmpty) disk.failures.status.works();
      return disk.restored(disk.standings.observeFound(found, disk.log.known), found.results);
    } catch (cause) {
      disk.cannotRead(cause, 'the network is asked instead');
      return undefined;
    } finally {
      this.#underWay.delete(reading);
    }
  }

  /** The records that another plugin keeps here. */
  async side(plugin: string): Promise<SideRecords> {
    if (!(await this.isReadable())) {
      // What cannot be read yet is not empty.
      if (this.#disk.isLate && this.#disk.failure !== undefined) throw this.#disk.failure;
      return [];
    }
    return this.#disk.storage.read((view) => view.side(plugin));
  }

  /** Settles once no reading is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** What of the wanted disk may have; undefined, and so no look at it, when that is nothing. */
  #onDisk({ results = [], rows = [], tables = [] }: Wanted): Wanted | undefined {
    const { onDisk, standings } = this.#disk;
    const asked = {
      results: results.filter((key) => onDisk.has(key)),
      rows: rows.filter(
        ([table, pk]) => standings.get(table, pk) !== undefined || !standings.isComplete(table),
      ),
      tables,
    };
    return asked.results.length + asked.rows.length + asked.tables.length > 0 ? asked : undefined;
  }
}
