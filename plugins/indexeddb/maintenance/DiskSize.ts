import { compactedSize, type Header } from '../records/header.ts';
import type { WriteAheadLog } from '../writing/WriteAheadLog.ts';
import type { Status, StorageStatus } from '../Status.ts';

const EMPTY = { rows: 0, bytes: 0 };

/** The approximate size of the stored data. */
export class DiskSize {
  readonly #log: WriteAheadLog;
  readonly #status: Status;
  #compacted = EMPTY;

  /** @param status - updated with each change */
  constructor(log: WriteAheadLog, status: Status) {
    this.#log = log;
    this.#status = status;
  }

  /** Rows and bytes in shards and results. */
  get compacted(): { readonly rows: number; readonly bytes: number } {
    return this.#compacted;
  }

  /** A new header was read. */
  onHeader(header: Header): void {
    this.#compacted = compactedSize(header);
    this.publish();
  }

  /** The disk is being cleared. */
  onCleared(): void {
    this.#compacted = EMPTY;
    this.publish();
  }

  /** The log has changed: publishes the new sizes, together with `change`. */
  publish(change: Partial<StorageStatus> = {}): void {
    const { rows, bytes } = this.#compacted;
    const logged = this.#log.rowCount;
    // Logged rows are measured when they are compacted; until then they count like the others.
    const perRow = rows === 0 ? 0 : bytes / rows;
    this.#status.set({ rows: rows + logged, bytes: Math.round(bytes + logged * perRow), ...change });
  }
}
