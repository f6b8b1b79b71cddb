import { decodeText, encodeText, type SideRecords } from 'holdfast';
import { withLocalStorage } from '../../shared/withLocalStorage.ts';
import type { Cleared } from '../queue/GoneEntries.ts';
import { asEntryRecord, isNewer, type EntryRecord } from './record.ts';

/** The longest entry that is journaled, in characters: browsers limit `localStorage` to some 5 MB for each origin. */
const LONGEST = 100_000;

/** An entry with its key. */
type KeyedEntry = readonly [key: string, record: EntryRecord];

/**
 * Entries that are not on disk yet when the page unloads, in `localStorage`: the only storage that is written
 * synchronously. IndexedDB loses transactions that are not committed by then; Chromium also loses those that begin
 * while it starts a new log (`renewLog`). Used at page unload alone, since it blocks the main thread.
 */
export class UnloadJournal {
  /** Each entry is an item of its own, so that tabs do not overwrite those of others. */
  readonly #prefix: string;

  /** @param names - the names of the outbox and of its database; an entry of one is not read by another */
  constructor(names: readonly string[]) {
    this.#prefix = JSON.stringify(['holdfast', ...names]);
  }

  /** Entries up to this order are from before the last reset. */
  get voidThrough(): number {
    let order = 0;
    withLocalStorage((storage) => {
      order = Number(storage.getItem(this.#prefix));
    });
    return order;
  }

  /** Adds an entry, if it is not too large. */
  add(key: string, record: EntryRecord): void {
    withLocalStorage((storage) => {
      const text = encodeText(record);
      if (text.length <= LONGEST) storage.setItem(this.#prefix + key, text);
    });
  }

  /** The entries that the disk lacks, or has in an older version. Deletes the others. */
  missing(stored: SideRecords): readonly KeyedEntry[] {
    const missing: KeyedEntry[] = [];
    withLocalStorage((storage) => {
      const items = Object.keys(storage).filter((item) => item.startsWith(this.#prefix));
      if (items.length === 0) return;
      const onDisk = new Map(stored);
      const { voidThrough } = this;
      for (const item of items) {
        const key = item.slice(this.#prefix.length);
        if (key === '') continue;
        const record = decoded(storage.getItem(item));
        const other = asEntryRecord(onDisk.get(key));
        const isMissing = record !== undefined && (other === undefined || isNewer(record, other));
        if (isMissing && record.order > voidThrough) missing.push([key, record]);
        else storage.removeItem(item);
      }
    });
    return missing;
  }

  /** The entry is on disk, or was sent. */
  delete(key: string): void {
    withLocalStorage((storage) => storage.removeItem(this.#prefix + key));
  }

  /**
   * Deletes all entries from before a reset. A tab that learns of the reset later may still add some.
   *
   * @param isOurs - whether it is of this tab: then all are from before it
   */
  clear({ keys, through }: Cleared, isOurs: boolean): void {
    for (const key of keys) this.delete(key);
    for (const [key, { order }] of this.missing([])) if (isOurs || order <= through) this.delete(key);
    withLocalStorage((storage) => storage.setItem(this.#prefix, String(through)));
  }
}

/** A valid entry; undefined for anything else that an app may have stored. */
function decoded(text: string | null): EntryRecord | undefined {
  try {
    return asEntryRecord(decodeText(text ?? 'null'));
  } catch {
    return undefined;
  }
}
