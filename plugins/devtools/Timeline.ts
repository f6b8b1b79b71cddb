import type { Action, Changes, Commit, State } from 'holdfast';
import { changesOf, sizeOf, type Change } from './changesOf.ts';

/** Rows and results whose former values are remembered, over all commits together. */
const MAX_REMEMBERED = 20_000;

/** One commit. */
export interface TimelineEntry {
  /** Counts up. */
  readonly id: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly action: Action;
  readonly origin: string;
  /** Rows that readers see otherwise since. */
  readonly rows: number;
  readonly results: number;
  /** Optimistic layers that it took away. */
  readonly settled: number;
  /** How many rows and results it changed in each way; undefined where not all of them can be told. */
  counts(): Readonly<Record<Change['kind'], number>> | undefined;
  /** What it did, one by one; undefined where that was too much, or too long ago, to be remembered. */
  changes(): readonly Change[] | undefined;
}

interface Remembered {
  readonly changes: Changes;
  readonly state: State;
}

/**
 * The last commits. To record one costs the same whatever it did: its changes are looked at when somebody asks. What
 * is kept alive that way is bounded; the oldest lose their changes first.
 */
export class Timeline {
  readonly #maxCommits: number;
  readonly #maxChanges: number;
  readonly #entries: RecordedEntry[] = [];
  #count = 0;
  #remembered = 0;

  constructor(maxCommits: number, maxChanges: number) {
    this.#maxCommits = maxCommits;
    this.#maxChanges = maxChanges;
  }

  /** How many commits there have been. */
  get count(): number {
    return this.#count;
  }

  /** The newest first. */
  entries(): readonly TimelineEntry[] {
    return this.#entries.toReversed();
  }

  record({ action, origin, head, headChanges, settled }: Commit, at: number): void {
    const size = sizeOf(headChanges);
    this.#count += 1;
    const entry = new RecordedEntry(
      { id: this.#count, at, action, origin, ...size, settled: settled.length },
      { changes: headChanges, state: head },
      this.#maxChanges,
    );
    this.#entries.push(entry);
    this.#remembered += entry.cost;
    if (this.#entries.length > this.#maxCommits) this.#forget(this.#entries.shift());
    for (const old of this.#entries) {
      if (this.#remembered <= MAX_REMEMBERED) break;
      this.#forget(old);
    }
  }

  clear(): void {
    this.#entries.length = 0;
    this.#remembered = 0;
  }

  #forget(entry: RecordedEntry | undefined): void {
    if (entry === undefined) return;
    this.#remembered -= entry.cost;
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
  #remembered: Remembered | undefined;
  #changes: readonly Change[] | undefined;
  #counts: Readonly<Record<Change['kind'], number>> | undefined;

  constructor(told: Omit<TimelineEntry, 'changes' | 'counts'>, remembered: Remembered, maxChanges: number) {
    this.id = told.id;
    this.at = told.at;
    this.action = told.action;
    this.origin = told.origin;
    this.rows = told.rows;
    this.results = told.results;
    this.settled = told.settled;
    this.#remembered = remembered;
    this.#maxChanges = maxChanges;
  }

  /** How many former values it keeps alive. */
  get cost(): number {
    return this.#remembered === undefined ? 0 : this.rows + this.results;
  }

  changes(): readonly Change[] | undefined {
    if (this.#remembered === undefined) return undefined;
    const { changes, state } = this.#remembered;
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
    this.#remembered = undefined;
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
