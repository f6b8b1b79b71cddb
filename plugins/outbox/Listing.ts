import type { Entry } from './Entry.ts';
import { compareEntries, InOrder } from './InOrder.ts';
import type { OutboxEntry, OutboxState } from './OutboxOptions.ts';

/**
 * Entries as the app sees them, in order. Of a long queue, each attempt changes one: so that showing it costs no look
 * at all the others, what they show is kept in lists that are copied as a whole.
 */
export class Listing {
  readonly #entries = new InOrder();
  /** What each of them shows, at the same place. */
  readonly #views: OutboxEntry[] = [];
  readonly #sending = new Set<Entry>();
  readonly #failed = new Set<Entry>();
  /** Those that something is in the way of. */
  readonly #held = new Set<Entry>();
  #isAsleep = false;
  #state: OutboxState | undefined;

  /** The same object until something in it changes. */
  get state(): OutboxState {
    if (this.#state === undefined) {
      const entries = this.#views.slice();
      const hasFailed = this.#failed.size > 0;
      this.#state = {
        state: this.#needsAuth ? 'needs-auth' : this.#held.size > 0 ? 'blocked' : 'working',
        entries,
        pending: hasFailed ? entries.filter(({ status }) => status !== 'failed') : entries,
        sending: viewsOf(this.#sending),
        failed: viewsOf(this.#failed),
      };
    }
    return this.#state;
  }

  /** Whether some are kept on disk until somebody signs in. */
  set isAsleep(isAsleep: boolean) {
    this.#isAsleep = isAsleep;
    this.#state = undefined;
  }

  /** Those that are not sent, or not before their time, since nobody is signed in; costs a look at each. */
  unauthorized(): readonly Entry[] {
    return [...this.#held].filter(({ hold }) => hold === 'needs-auth');
  }

  /** In order. */
  get entries(): Iterable<Entry> {
    return this.#entries;
  }

  add(entry: Entry): void {
    const place = this.#entries.add(entry);
    if (place === undefined) return;
    this.#views.splice(place, 0, entry.view);
    this.change(entry);
  }

  /** It shows otherwise now. */
  change(entry: Entry): void {
    this.#state = undefined;
    const place = this.#entries.placeOf(entry);
    if (place === undefined) return;
    const { status } = (this.#views[place] = entry.view);
    keepIf(status === 'sending', this.#sending, entry);
    keepIf(status === 'failed', this.#failed, entry);
    keepIf(entry.hold !== undefined, this.#held, entry);
  }

  remove(entry: Entry): void {
    this.#state = undefined;
    const place = this.#entries.remove(entry);
    if (place === undefined) return;
    this.#views.splice(place, 1);
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
    return this.#isAsleep || this.unauthorized().length > 0;
  }
}

function viewsOf(entries: ReadonlySet<Entry>): readonly OutboxEntry[] {
  return [...entries].sort(compareEntries).map(({ view }) => view);
}

function keepIf(belongs: boolean, entries: Set<Entry>, entry: Entry): void {
  if (belongs) entries.add(entry);
  else entries.delete(entry);
}
