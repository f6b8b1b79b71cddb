import type { EntryRecord } from '../storage/record.ts';

/** The removal of one entry. */
interface Removal {
  /** In ms since the epoch. */
  readonly at: number;
  /** Whether another tab has announced it: that tab has sent or discarded the entry. */
  readonly isAnnounced: boolean;
}

/** What a reset has removed. */
export interface Cleared {
  readonly keys: ReadonlySet<string>;
  /** Other entries up to this order are from before the reset, later ones from after it. */
  readonly through: number;
}

/** Entries that have left the outbox. A slow disk, or a late message of another tab, may still contain them. */
export class GoneEntries {
  readonly #removals = new Map<string, Removal>();
  /** By resets that discard; a disk that is being cleared may still return them. */
  readonly discarded: Cleared[] = [];
  /** By resets that keep the entries on disk, until these are valid again. */
  parked: Cleared[] = [];

  /** Notes that an entry was removed, now. */
  add(key: string, now: number, isAnnounced = false): void {
    this.#removals.set(key, { at: now, isAnnounced: isAnnounced || this.isRemovedElsewhere(key) });
  }

  /** Whether an entry was removed. */
  has(key: string): boolean {
    return this.#removals.has(key);
  }

  /** Whether another tab has announced that it has sent or discarded an entry. */
  isRemovedElsewhere(key: string): boolean {
    return this.#removals.get(key)?.isAnnounced === true;
  }

  /** Whether a record is from before a reset, or belongs to a user who has signed out. */
  isVoid(key: string, { order }: EntryRecord): boolean {
    return [...this.discarded, ...this.parked].some(({ keys, through }) => order <= through || keys.has(key));
  }

  /** An announced removal is remembered until the disk shows it: the other tab may have been closed before it was written. */
  forget(isOverdue: (at: number) => boolean, onDisk: ReadonlyMap<string, unknown>): void {
    for (const [key, { at, isAnnounced }] of this.#removals)
      if (isOverdue(at) && !(isAnnounced && onDisk.has(key))) this.#removals.delete(key);
  }
}
