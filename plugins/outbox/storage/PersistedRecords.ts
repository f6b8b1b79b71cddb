import { HoldfastError, type AnyPlugin, type Controller, type SideRecords } from 'holdfast';
import type { Cleared } from '../queue/GoneEntries.ts';
import { isNewer, type EntryRecord } from './record.ts';
import type { UnloadJournal } from './UnloadJournal.ts';

/** Persists records. */
export interface QueueStore {
  /** The storage plugin that has them; undefined for the outbox's own database. */
  readonly storage?: AnyPlugin;
  /** Every record. */
  read(): Promise<SideRecords>;
  /**
   * Resolves when these and all earlier records are durable. Undefined deletes a record.
   *
   * @throws if they are not durable
   */
  write(records: SideRecords): Promise<void>;
}

/**
 * Stores records with the storage plugin, in the transaction of the commit that carries them: a response is stored
 * and its entry removed together or not at all.
 *
 * @param name - the plugin that owns the records
 */
export function sideRecords(controller: Controller, storage: AnyPlugin, name: string): QueueStore {
  return {
    storage,
    read: async () => (await storage.side?.(name)) ?? [],
    /** The commit has already passed them on. */
    async write(records) {
      try {
        await controller.flush();
      } catch (error) {
        const { code } = Object(error) as { readonly code?: unknown };
        // A record was left out: a flush that has left out only rows resolves.
        if (code === 'HF_ROW_NOT_CLONABLE') throw error;
        // On a full disk, the records may have been stored without the rows. Other codes concern rows alone.
        if (code === 'HF_STORAGE' && !areStored(records, await this.read())) throw error;
      }
    },
  };
}

/** Whether these records, or newer ones, are among all that are stored. */
function areStored(records: SideRecords, all: SideRecords): boolean {
  const stored = new Map(all);
  return records.every(
    ([key, record]) =>
      // The outbox has written both. Those of new pks have no revision: any that is stored is as new.
      record === undefined ||
      (stored.has(key) && !isNewer(record as EntryRecord, stored.get(key) as EntryRecord)),
  );
}

/** The stored records, and those that are not stored yet. */
export class PersistedRecords {
  /** To read from; await `written` first. */
  readonly store: QueueStore;
  readonly #report: (error: HoldfastError) => void;
  /** Of the entries that a page has not written when it unloads; undefined if there must be none. */
  readonly journal: UnloadJournal | undefined;
  /** Keys of lost and invalid records that were reported. */
  readonly reported = new Set<string>();
  /** Whether a write has failed, which was reported, and no record has been stored since. */
  #hasFailed = false;
  /** The records that are being written, and those that a full disk has rejected. */
  readonly #unwritten = new Map<string, unknown>();
  /** Settles when all writes have ended. */
  written: Promise<unknown> = Promise.resolve();

  /** @param report - called if records cannot be written */
  constructor(store: QueueStore, report: (error: HoldfastError) => void, journal?: UnloadJournal) {
    this.store = store;
    this.#report = report;
    this.journal = journal;
  }

  /** The page may unload before its records are on disk. */
  prepareUnload(): void {
    for (const [key, stored] of this.#unwritten) {
      const record = stored as EntryRecord; // or that of a new pk, which has no attempts
      // A failed attempt alone is no loss, and the entry may be sent elsewhere.
      if (record.attempts === 0) this.journal?.add(key, record);
    }
  }

  /**
   * Writes the records of a commit.
   *
   * @param records - to write; undefined deletes
   * @returns whether they are durable
   */
  write(records: SideRecords): Promise<boolean> {
    for (const [key, record] of records) {
      if (record === undefined) this.#forget(key);
      else this.#unwritten.set(key, record);
    }
    const writing = this.store.write(records).then(
      () => {
        for (const [key, record] of records) {
          // A full disk does not prevent deletions.
          this.#hasFailed &&= record === undefined;
          // It may have changed since.
          if (this.#unwritten.get(key) === record) this.#forget(key);
        }
        return true;
      },
      (cause: unknown) => {
        if (!this.#hasFailed)
          this.#report(
            new HoldfastError(
              'HF_STORAGE',
              'The outbox cannot be written, so mutations are kept in memory only; its cause says what to do',
              { cause },
            ),
          );
        this.#hasFailed = true;
        return false;
      },
    );
    this.written = writing;
    return writing;
  }

  /** A reset has removed all entries. */
  clear(cleared: Cleared, isOurs: boolean): void {
    this.#unwritten.clear();
    this.journal?.clear(cleared, isOurs);
  }

  #forget(key: string): void {
    this.#unwritten.delete(key);
    this.journal?.delete(key);
  }
}
