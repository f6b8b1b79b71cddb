import type { Entry } from './Entry.ts';
import { isDead } from './entryStatus.ts';
import { compareEntries, SortedEntries } from './SortedEntries.ts';
import type { OutboxEntry, OutboxState } from './OutboxOptions.ts';

/**
 * The entries as the app sees them, in order. An attempt changes one entry, so the views are cached in lists that are
 * copied as a whole.
 */
export class OutboxStateCache {
  readonly #entries = new SortedEntries();
  /** The view of each entry, at the same index. */
  readonly #views: OutboxEntry[] = [];
  readonly #sending = new Set<Entry>();
  readonly #failed = new Set<Entry>();
  /** Entries that wait for a sign-in, or whose requests are blocked. */
  readonly #held = new Set<Entry>();
  #isParked = false;
  #state: OutboxState | undefined;

  /** The same object until something in it changes. */
  get state(): OutboxState {
    if (this.#state === undefined) {
      const entries = this.#views.slice();
      const hasFailed = this.#failed.size > 0;
      this.#state = {
        state: this.#needsAuth ? 'needs-auth' : this.#held.size > 0 ? 'blocked' : 'working',
        entries,
        pending: hasFailed ? entries.filter(({ status }) => !isDead(status)) : entries,
        sending: viewsOf(this.#sending),
        failed: viewsOf(this.#failed),
      };
    }
    return this.#state;
  }

  /** Whether entries are kept on disk until the user signs in again. */
  set isParked(isParked: boolean) {
    this.#isParked = isParked;
    this.#state = undefined;
  }

  /** The entries that wait for a sign-in; checks each held one. */
  unauthorized(): readonly Entry[] {
    return [...this.#held].filter(({ needsAuth }) => needsAuth);
  }

  /** In order. */
  get entries(): Iterable<Entry> {
    return this.#entries;
  }

  add(entry: Entry): void {
    const index = this.#entries.add(entry);
    if (index === undefined) return;
    this.#views.splice(index, 0, entry.view);
    this.change(entry);
  }

  /** Updates an entry's view. */
  change(entry: Entry): void {
    this.#state = undefined;
    const index = this.#entries.indexOf(entry);
    if (index === undefined) return;
    const view = (this.#views[index] = entry.view);
    setMembership(view.status === 'sending', this.#sending, entry);
    setMembership(entry.isDeadLetter, this.#failed, entry);
    setMembership(entry.needsAuth || entry.isRequestBlocked, this.#held, entry);
  }

  remove(entry: Entry): void {
    this.#state = undefined;
    const index = this.#entries.remove(entry);
    if (index === undefined) return;
    this.#views.splice(index, 1);
    this.#sending.delete(entry);
    this.#failed.delete(entry);
    this.#held.delete(entry);
  }

  clear(): void {
    this.#state = undefined;
    this.#entries.clear();
    this.#views.length = 0;
    this.#sending.clear();
    this.#failed.clear();
    this.#held.clear();
  }

  get #needsAuth(): boolean {
    return this.#isParked || this.unauthorized().length > 0;
  }
}

function viewsOf(entries: ReadonlySet<Entry>): readonly OutboxEntry[] {
  return [...entries].sort(compareEntries).map(({ view }) => view);
}

function setMembership(belongs: boolean, entries: Set<Entry>, entry: Entry): void {
  if (belongs) entries.add(entry);
  else entries.delete(entry);
}
