import type { Entry } from './Entry.ts';
import type { OutboxEntry, OutboxState } from './OutboxOptions.ts';

/**
 * Entries as the app sees them, in order. Of a long queue, each attempt changes one: so that showing it costs no look
 * at all the others, what they show is kept in lists that are copied as a whole.
 */
export class Listing {
  readonly #entries: Entry[] = [];
  /** What each of them shows, at the same place. */
  readonly #views: OutboxEntry[] = [];
  readonly #sending = new Set<Entry>();
  readonly #failed = new Set<Entry>();
  #state: OutboxState | undefined;

  /** The same object until something in it changes. */
  get state(): OutboxState {
    if (this.#state === undefined) {
      const entries = this.#views.slice();
      const hasFailed = this.#failed.size > 0;
      this.#state = {
        entries,
        pending: hasFailed ? entries.filter(({ status }) => status !== 'failed') : entries,
        sending: viewsOf(this.#sending),
        failed: viewsOf(this.#failed),
      };
    }
    return this.#state;
  }

  add(entry: Entry): void {
    const place = this.#placeOf(entry);
    this.#entries.splice(place, 0, entry);
    this.#views.splice(place, 0, entry.view);
    this.change(entry);
  }

  /** It shows otherwise now. */
  change(entry: Entry): void {
    this.#state = undefined;
    const place = this.#placeOf(entry);
    if (this.#entries[place] !== entry) return;
    const { status } = (this.#views[place] = entry.view);
    keepIf(status === 'sending', this.#sending, entry);
    keepIf(status === 'failed', this.#failed, entry);
  }

  remove(entry: Entry): void {
    this.#state = undefined;
    const place = this.#placeOf(entry);
    if (this.#entries[place] !== entry) return;
    this.#entries.splice(place, 1);
    this.#views.splice(place, 1);
    this.#sending.delete(entry);
    this.#failed.delete(entry);
  }

  clear(): void {
    this.#state = undefined;
    this.#entries.length = this.#views.length = 0;
    this.#sending.clear();
    this.#failed.clear();
  }

  /** Where it stands, or would. */
  #placeOf(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#entries[middle];
      if (other !== undefined && compareEntries(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The order of entries: as they were asked for; those of one moment, which are other tabs', by key. */
export function compareEntries(left: Entry, right: Entry): number {
  return left.record.order - right.record.order || (left.key < right.key ? -1 : Number(left.key > right.key));
}

function viewsOf(entries: ReadonlySet<Entry>): readonly OutboxEntry[] {
  return [...entries].sort(compareEntries).map(({ view }) => view);
}

function keepIf(belongs: boolean, entries: Set<Entry>, entry: Entry): void {
  if (belongs) entries.add(entry);
  else entries.delete(entry);
}
