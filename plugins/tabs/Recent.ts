import { Touched } from './Touched.ts';

/** Changes are remembered for this long, in ms, for tabs that have just opened or have missed some. */
const MAX_AGE = 60_000;

/** And at most so many of them. */
const MAX_CHANGES = 10_000;

/** One numbered change. */
interface Entry {
  readonly seq: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly touched: Touched;
}

/** Numbers what this tab changes, and remembers the latest of it: what was touched, not how it stood. */
export class Recent {
  readonly #entries: Entry[] = [];
  #size = 0;
  #seq = 0;
  #start = 0;

  /** Number of the last change. */
  get seq(): number {
    return this.#seq;
  }

  /** What came after this number is remembered. */
  get start(): number {
    return this.#start;
  }

  /** @param now - in ms since the epoch */
  add(touched: Touched, now: number): void {
    this.#seq += 1;
    this.#entries.push({ seq: this.#seq, at: now, touched });
    this.#size += touched.size;
    this.forgetOld(now);
  }

  /** @param now - in ms since the epoch */
  forgetOld(now: number): void {
    let first = this.#entries[0];
    while (first !== undefined && (this.#size > MAX_CHANGES || now - first.at > MAX_AGE)) {
      this.#entries.shift();
      this.#size -= first.touched.size;
      this.#start = first.seq;
      first = this.#entries[0];
    }
  }

  /** What was touched after this number, as far as it is remembered. */
  after(seq: number): Touched {
    const touched = new Touched();
    for (const entry of this.#entries) if (entry.seq > seq) touched.append(entry.touched);
    return touched;
  }

  /** Forgets all changes; numbers go on. */
  clear(): void {
    this.#entries.length = 0;
    this.#size = 0;
    this.#start = this.#seq;
  }
}
