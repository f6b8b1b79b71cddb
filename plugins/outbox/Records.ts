import { HoldfastError, type SideRecords } from 'holdfast';
import type { Keeper } from './Keeper.ts';

/** What is on disk of the entries, and what of that is out of date. */
export class Records {
  readonly #keeper: Keeper;
  readonly #tell: (error: HoldfastError) => void;
  /** Keys that have been removed here and may still be on disk, or in what is being read of it. */
  readonly #removed = new Set<string>();
  #reading: Promise<unknown> = Promise.resolve();
  #writing: Promise<unknown> = Promise.resolve();

  /** @param tell - told of what cannot be written */
  constructor(keeper: Keeper, tell: (error: HoldfastError) => void) {
    this.#keeper = keeper;
    this.#tell = tell;
  }

  /** Settles when all that was written is durable, or has failed to be. */
  get written(): Promise<unknown> {
    return this.#writing;
  }

  /** What is on disk, with all that was written here before. */
  async read(): Promise<SideRecords> {
    await this.#writing;
    const reading = this.#keeper.read();
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** Whether it has been removed here, while the disk may still have it. */
  isRemoved(key: string): boolean {
    return this.#removed.has(key);
  }

  /**
   * Writes what a commit has carried.
   *
   * @param records - to write, or, where undefined, to delete
   * @returns whether they are durable
   */
  write(records: SideRecords): Promise<boolean> {
    const gone = records.filter(([, record]) => record === undefined).map(([key]) => key);
    for (const key of gone) this.#removed.add(key);
    const writing = this.#keeper.write(records).then(
      () => true,
      (cause: unknown) => {
        this.#tell(
          new HoldfastError(
            'HF_STORAGE',
            'The outbox cannot be written, so what is pending is kept in memory only; allow site data to keep it',
            { cause },
          ),
        );
        return false;
      },
    );
    this.#writing = writing;
    void Promise.all([writing, this.#reading]).then(() => {
      for (const key of gone) this.#removed.delete(key);
    });
    return writing;
  }
}
