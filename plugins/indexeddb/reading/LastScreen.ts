import type { Disk } from '../Disk.ts';
import { screenRecord } from '../records/lastScreen.ts';
import type { DiskReads } from './DiskReads.ts';

/** Rows in the record. */
const MAX_ROWS = 500;

/**
 * The rows that live queries showed when the page was last hidden. They are restored before anything else, so the
 * first screen does not wait for whole tables. A missing or outdated record only makes it wait longer.
 */
export class LastScreen {
  readonly #disk: Disk;
  #written = '';

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Adds the record to the next flush, if it has changed. */
  record(): void {
    const { controller, pending, isUsable } = this.#disk;
    const rows = isUsable ? controller.queriedRows(MAX_ROWS) : [];
    const text = JSON.stringify(rows);
    if (rows.length === 0 || text === this.#written) return;
    this.#written = text;
    pending.addSideChange(screenRecord(rows));
  }

  /** Deletes the record with the next flush: a reset may keep the records of plugins, but this one is data. */
  forget(): void {
    this.#written = '';
    this.#disk.pending.addSideChange(screenRecord([]));
  }

  /**
   * Restores its rows, with everything they refer to.
   *
   * @param origin - the plugin's name
   */
  async restore(reads: DiskReads, origin: string): Promise<void> {
    const { lastScreen: rows, controller } = this.#disk;
    const restored = rows.length === 0 ? undefined : await reads.restore({ rows });
    if (restored !== undefined) controller.apply(restored, { origin, type: 'restore' });
  }
}
