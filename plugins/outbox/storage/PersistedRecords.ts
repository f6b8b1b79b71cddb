import { HoldfastError, type SideRecords } from 'holdfast';
import type { QueueStore } from './QueueStore.ts';

/** The stored records, and which of them are outdated. */
export class PersistedRecords {
  readonly #store: QueueStore;
  readonly #report: (error: HoldfastError) => void;
  /** Keys removed here that may still be on disk, or in a read in progress. */
  readonly #removed = new Set<string>();
  #reading: Promise<unknown> = Promise.resolve();
  #writing: Promise<unknown> = Promise.resolve();

  /** @param report - called if records cannot be written */
  constructor(store: QueueStore, report: (error: HoldfastError) => void) {
    this.#store = store;
    this.#report = report;
  }

  /** Settles when all writes have ended. */
  get written(): Promise<unknown> {
    return this.#writing;
  }

  /** The stored records, after all earlier writes. */
  async read(): Promise<SideRecords> {
    await this.#writing;
    const reading = this.#store.read();
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** Whether it was removed here while the disk may still have it. */
  isRemoved(key: string): boolean {
    return this.#removed.has(key);
  }

  /**
   * Writes the records of a commit.
   *
   * @param records - to write; undefined deletes
   * @returns whether they are durable
   */
  write(records: SideRecords): Promise<boolean> {
    const removed = records.filter(([, record]) => record === undefined).map(([key]) => key);
    for (const key of removed) this.#removed.add(key);
    const writing = this.#store.write(records).then(
      () => true,
      (cause: unknown) => {
        this.#report(
          new HoldfastError(
            'HF_STORAGE',
            'The outbox cannot be written, so mutations are kept in memory only; allow site data to keep them',
            { cause },
          ),
        );
        return false;
      },
    );
    this.#writing = writing;
    void Promise.all([writing, this.#reading]).then(() => {
      for (const key of removed) this.#removed.delete(key);
    });
    return writing;
  }
}
