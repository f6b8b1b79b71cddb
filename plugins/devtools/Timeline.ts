import type { Action, Changes, Commit, State } from 'holdfast';
import { changesOf, sizeOf, type Change } from './changesOf.ts';

/** The number of rows and results whose previous values are kept, for all commits together. */
const MAX_RECORDED = 20_000;

/** One commit. */
export interface TimelineEntry {
  /** Increases with each commit. */
  readonly id: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly action: Action;
  readonly origin: string;
  /** Rows whose visible value changed. */
  readonly rows: number;
  readonly results: number;
  /** Optimistic layers that it removed. */
  readonly settled: number;
  /** The visible state before it; undefined if it is not kept. */
  readonly before: State | undefined;
  /** How many rows and results it changed in each way; undefined if not all of them are known. */
  counts(): Readonly<Record<Change['kind'], number>> | undefined;
  /** Its individual changes; undefined if they were too many or too long ago to be kept. */
  changes(): readonly Change[] | undefined;
}

interface RecordedChanges {
  readonly changes: Changes;
  readonly before: State | undefined;
  /** After the commit. */
  readonly state: State;
}

/**
 * The last commits. Recording one costs the same whatever it changed: its changes are computed when they are
 * requested. The memory kept alive that way is bounded; the oldest commits lose their changes first.
 */
export class Timeline {
  readonly #maxCommits: number;
  readonly #maxChanges: number;
  readonly #entries: RecordedEntry[] = [];
  #count = 0;
  #recorded = 0;
  /** After the last commit. */
  #last: State | undefined;

  constructor(maxCommits: number, maxChanges: number) {
    this.#maxCommits = maxCommits;
    this.#maxChanges = maxChanges;
  }

  /** The number of commits so far. */
  get count(): number {
    return this.#count;
  }

  /** Newest first. */
  entries(): readonly TimelineEntry[] {
    return this.#entries.toReversed();
  }

  record({ action, origin, head, headChanges, settled }: Commit, at: number): void {
    const size = sizeOf(headChanges);
    this.#count += 1;
    const entry = new RecordedEntry(
      { id: this.#count, at, action, origin, ...size, settled: settled.length },
      { changes: headChanges, before: this.#last, state: head },
      this.#maxChanges,
    );
    this.#last = head;
    this.#entries.push(entry);
    this.#recorded += entry.cost;
    if (this.#entries.length > this.#maxCommits) this.#forget(this.#entries.shift());
    for (const old of this.#entries) {
      if (this.#recorded <= MAX_RECORDED) break;
      this.#forget(old);
    }
  }

  clear(): void {
    this.#entries.length = 0;
    this.#recorded = 0;
  }

  #forget(entry: RecordedEntry | undefined): void {
    if (entry === undefined) return;
    this.#recorded -= entry.cost;
    entry.forget();
  }
}

class RecordedEntry implements TimelineEntry {
  readonly id: number;
  readonly at: number;
  readonly action: Action;
  readonly origin: string;
  readonly rows: number;
  readonly results: number;
  readonly settled: number;
  readonly #maxChanges: number;
  #recorded: RecordedChanges | undefined;
  #changes: readonly Change[] | undefined;
  #counts: Readonly<Record<Change['kind'], number>> | undefined;

  constructor(
    entry: Omit<TimelineEntry, 'before' | 'changes' | 'counts'>,
    remembered: RecordedChanges,
    maxChanges: number,
  ) {
    this.id = entry.id;
    this.at = entry.at;
    this.action = entry.action;
    this.origin = entry.origin;
    this.rows = entry.rows;
    this.results = entry.results;
    this.settled = entry.settled;
    this.#recorded = remembered;
    this.#maxChanges = maxChanges;
  }

  /** The number of previous values that it keeps alive. */
  get cost(): number {
    return this.#recorded === undefined ? 0 : this.rows + this.results;
  }

  get before(): State | undefined {
    return this.#recorded?.before;
  }

  changes(): readonly Change[] | undefined {
    if (this.#recorded === undefined) return undefined;
    const { changes, state } = this.#recorded;
    return (this.#changes ??= first(changesOf(changes, state), this.#maxChanges));
  }

  counts(): Readonly<Record<Change['kind'], number>> | undefined {
    if (this.#counts !== undefined || this.rows + this.results > this.#maxChanges) return this.#counts;
    const changes = this.changes();
    if (changes === undefined) return undefined;
    const counts = { added: 0, changed: 0, refreshed: 0, removed: 0 };
    for (const { kind } of changes) counts[kind] += 1;
    return (this.#counts = counts);
  }

  forget(): void {
    this.#recorded = undefined;
    this.#changes = undefined;
  }
}

function first<Item>(items: Iterable<Item>, count: number): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length >= count) break;
    taken.push(item);
  }
  return taken;
}
