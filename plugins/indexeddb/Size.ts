import { sizeOfFolded, type Header } from './header.ts';
import type { Log } from './Log.ts';
import type { Status } from './Status.ts';

/** How long a log is: in records, and in rows that they change. */
export interface LogSize {
  readonly records: number;
  readonly rows: number;
}

const EMPTY_LOG: LogSize = { records: 0, rows: 0 };
const NOTHING = { rows: 0, bytes: 0 };

/** How much is on disk, about. */
export class Size {
  readonly #log: Log;
  readonly #status: Status;
  #logged = EMPTY_LOG;
  #folded = NOTHING;

  /** @param status - is told of each change */
  constructor(log: Log, status: Status) {
    this.#log = log;
    this.#status = status;
  }

  /** Records and rows in the log. */
  get logged(): LogSize {
    return this.#logged;
  }

  /** How many rows and bytes have left the log. */
  get folded(): { readonly rows: number; readonly bytes: number } {
    return this.#folded;
  }

  /** The disk was looked at, and has this header. */
  seen(header: Header): void {
    this.#logged = this.#log.size;
    this.#folded = sizeOfFolded(header);
    this.#tell();
  }

  /** This tab has appended so much to the log. */
  appended({ records, rows }: LogSize): void {
    this.#logged = { records: this.#logged.records + records, rows: this.#logged.rows + rows };
    this.#tell();
  }

  /** The disk is being emptied. */
  emptied(): void {
    this.#logged = EMPTY_LOG;
    this.#folded = NOTHING;
    this.#tell();
  }

  #tell(): void {
    const { rows, bytes } = this.#folded;
    const logged = this.#log.size.rows;
    // What is in the log is measured when it leaves it; until then its rows are taken to be like the others.
    const perRow = rows === 0 ? 0 : bytes / rows;
    this.#status.set({ rows: rows + logged, bytes: Math.round(bytes + logged * perRow) });
  }
}
