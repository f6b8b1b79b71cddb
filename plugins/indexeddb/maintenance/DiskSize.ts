import { compactedSize, type Header } from '../records/header.ts';
import type { WriteAheadLog } from '../writing/WriteAheadLog.ts';
import type { Status } from '../Status.ts';

/** The length of a log, in records and in changed rows. */
export interface LogSize {
  readonly records: number;
  readonly rows: number;
}

const EMPTY_LOG: LogSize = { records: 0, rows: 0 };
const EMPTY = { rows: 0, bytes: 0 };

/** The approximate size of the stored data. */
export class DiskSize {
  readonly #log: WriteAheadLog;
  readonly #status: Status;
  #logged = EMPTY_LOG;
  #compacted = EMPTY;

  /** @param status - updated with each change */
  constructor(log: WriteAheadLog, status: Status) {
    this.#log = log;
    this.#status = status;
  }

  /** Records and rows in the log. */
  get logged(): LogSize {
    return this.#logged;
  }

  /** Rows and bytes in shards and results. */
  get compacted(): { readonly rows: number; readonly bytes: number } {
    return this.#compacted;
  }

  /** A new header was read. */
  onHeader(header: Header): void {
    this.#logged = this.#log.size;
    this.#compacted = compactedSize(header);
    this.#publish();
  }

  /** This tab has appended to the log. */
  onAppended({ records, rows }: LogSize): void {
    this.#logged = { records: this.#logged.records + records, rows: this.#logged.rows + rows };
    this.#publish();
  }

  /** The disk is being cleared. */
  onCleared(): void {
    this.#logged = EMPTY_LOG;
    this.#compacted = EMPTY;
    this.#publish();
  }

  #publish(): void {
    const { rows, bytes } = this.#compacted;
    const logged = this.#log.size.rows;
    // Logged rows are measured when they are compacted; until then they count like the others.
    const perRow = rows === 0 ? 0 : bytes / rows;
    this.#status.set({ rows: rows + logged, bytes: Math.round(bytes + logged * perRow) });
  }
}
