import type { Disk } from '../Disk.ts';
import type { Limits } from './evict.ts';
import { compactAndEvict, makeRoom } from './compactAndEvict.ts';
import type { LogSize } from './DiskSize.ts';

/** A longer log is compacted, since every start has to read it. */
export const COMPACT_AT: LogSize = { records: 256, rows: 1_024 };

/** When to compact. */
export interface CompactorOptions {
  /** Name of the database. */
  readonly database: string;
  readonly limits: Limits;
  /** The log is compacted when either limit is reached. */
  readonly compactAt: LogSize;
}

/** Compacts the WAL into shards and evicts cold data, beside flushes. */
export class Compactor {
  readonly #disk: Disk;
  readonly #options: CompactorOptions;
  /** Runs a function while no flush is in progress. */
  readonly #betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>;
  #compacting: Promise<void> | undefined;

  constructor(
    disk: Disk,
    options: CompactorOptions,
    betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>,
  ) {
    this.#disk = disk;
    this.#options = options;
    this.#betweenFlushes = betweenFlushes;
  }

  /** Whether the log is long enough for a compaction, or too much is stored. */
  get isDue(): boolean {
    const { size, failures } = this.#disk;
    const { logged } = size;
    const { compactAt, limits } = this.#options;
    const { rows, bytes } = failures.status.get();
    const isTooMuch = logged.records > 0 && (rows > limits.maxRows || bytes > limits.maxBytes);
    return isTooMuch || logged.rows >= compactAt.rows || logged.records >= compactAt.records;
  }

  /** Compacts the log; what is appended in the meantime stays in it. Never rejects, since failures are reported. */
  compact(): Promise<void> {
    this.#compacting ??= this.#compactAndEvict().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  /** Settles once no compaction is in progress. */
  async settled(): Promise<void> {
    await this.#compacting;
  }

  /**
   * Evicts the colder half of the stored data, during a flush that found the disk full.
   *
   * @returns whether there is space now
   */
  async makeRoom(): Promise<boolean> {
    try {
      return await makeRoom(this.#disk);
    } catch {
      // The flush reports the failure.
      return false;
    }
  }

  async #compactAndEvict(): Promise<void> {
    const disk = this.#disk;
    const { localResets } = disk;
    if (!disk.isUsable || !this.isDue) return;
    try {
      await compactAndEvict(disk, this.#options, this.#betweenFlushes);
    } catch (cause) {
      if (localResets === disk.localResets && disk.disableIfForeign(cause) === undefined)
        disk.failures.storage('its log cannot be compacted', 'starts take longer until it can', cause);
    }
  }
}
