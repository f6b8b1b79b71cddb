import { isShallowlyEqual } from '../../util/adopt.ts';
import type { LiveBucket, Matches, MatchesPart } from './LiveBucket.ts';
import type { Entry } from './ordering.ts';

/** What a `Select` shows of the sorted entries that meet its condition: those within offset and limit. */
export class Window implements MatchesPart {
  readonly #matches: Matches;
  readonly #offset: number;
  readonly #limit: number;
  #entries: readonly Entry[] | undefined;
  #pks: readonly string[] = [];
  /** The last entry, if the window is full: entries after it do not affect the window. */
  #last: Entry | undefined;

  constructor(matches: Matches, offset: number, limit: number) {
    this.#matches = matches;
    this.#offset = offset;
    this.#limit = limit;
    matches.add(this);
  }

  get bucket(): LiveBucket {
    return this.#matches.bucket;
  }

  /** How many entries meet the condition, for tools. */
  get size(): number {
    return this.#matches.list.size;
  }

  change(before: Entry | undefined, after: Entry | undefined): boolean {
    return this.#shows(before) || this.#shows(after);
  }

  close(): void {
    this.#matches.remove(this);
  }

  /** The entries of the window, in order; the same list (`===`) until one of them changes. */
  get entries(): readonly Entry[] {
    return (this.#entries ??= this.#read());
  }

  /** Their pks; the same list (`===`) while they are the same. */
  get pks(): readonly string[] {
    const pks = this.entries.map(({ pk }) => pk);
    return isShallowlyEqual(this.#pks, pks) ? this.#pks : (this.#pks = pks);
  }

  #read(): readonly Entry[] {
    const entries = this.#limit > 0 ? this.#matches.list.slice(this.#offset, this.#limit) : [];
    this.#last = entries.length === this.#limit ? entries.at(-1) : undefined;
    return entries;
  }

  /** Whether adding or removing an entry affects the window. */
  #shows(entry: Entry | undefined): boolean {
    if (entry === undefined || this.#limit <= 0) return false;
    const isShown = this.#last === undefined || this.bucket.index.ordering.compare(entry, this.#last) <= 0;
    if (isShown) this.#entries = undefined;
    return isShown;
  }
}
