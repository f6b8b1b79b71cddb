import type { Entry } from './Entry.ts';
import { isDead } from './entryStatus.ts';
import { compareEntries, SortedEntries } from './SortedEntries.ts';
import type { OutboxEntry, OutboxState } from '../OutboxOptions.ts';

/**
 * The entries as the app sees them, in order. An attempt changes one entry, so the views are cached in lists that are
 * copied as a whole.
 */
export class OutboxStateCache {
  readonly #entries = new SortedEntries();
  /** The view of each entry, at the same index. */
  readonly #views: OutboxEntry[] = [];
  readonly #byStatus = new Map<OutboxEntry['status'], Set<Entry>>();
  /** Entries that wait for a sign-in, or whose requests are blocked. */
  readonly #held = new Set<Entry>();
  #isParked = false;
  #state: OutboxState | undefined;

  /** The same object until something in it changes. */
  get state(): OutboxState {
    if (this.#state === undefined) {
      const entries = this.#views.slice();
      const failed = [...this.#with('failed'), ...this.#with('conflict')];
      this.#state = {
        state: this.#needsAuth ? 'needs-auth' : this.#held.size > 0 ? 'blocked' : 'working',
        entries,
        pending: failed.length > 0 ? entries.filter(({ status }) => !isDead(status)) : entries,
        sending: viewsOf(this.#with('sending')),
        failed: viewsOf(failed),
        counts: countsOf((status) => this.#with(status).size),
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
    this.#with(entry.view.status).add(entry);
    this.change(entry);
  }

  /** Updates an entry's view. */
  change(entry: Entry): void {
    this.#state = undefined;
    const index = this.#entries.indexOf(entry);
    if (index === undefined) return;
    const before = this.#views[index];
    const view = (this.#views[index] = entry.view);
    if (before !== undefined && before.status !== view.status) {
      this.#with(before.status).delete(entry);
      this.#with(view.status).add(entry);
    }
    if (entry.needsAuth || entry.isRequestBlocked) this.#held.add(entry);
    else this.#held.delete(entry);
  }

  remove(entry: Entry): void {
    this.#state = undefined;
    const index = this.#entries.remove(entry);
    if (index === undefined) return;
    const [view] = this.#views.splice(index, 1);
    if (view !== undefined) this.#with(view.status).delete(entry);
    this.#held.delete(entry);
  }

  clear(): void {
    this.#state = undefined;
    this.#entries.clear();
    this.#views.length = 0;
    this.#byStatus.clear();
    this.#held.clear();
  }

  #with(status: OutboxEntry['status']): Set<Entry> {
    let entries = this.#byStatus.get(status);
    if (entries === undefined) this.#byStatus.set(status, (entries = new Set()));
    return entries;
  }

  get #needsAuth(): boolean {
    return this.#isParked || this.unauthorized().length > 0;
  }
}

const STATUSES = ['queued', 'sending', 'retrying', 'needs-auth', 'blocked', 'conflict', 'failed'] as const;

export function countsOf(count: (status: OutboxEntry['status']) => number): OutboxState['counts'] {
  return Object.fromEntries(STATUSES.map((status) => [status, count(status)])) as OutboxState['counts']; // of all
}

function viewsOf(entries: Iterable<Entry>): readonly OutboxEntry[] {
  return [...entries].sort(compareEntries).map(({ view }) => view);
}
