import { ChangeAccumulator } from './ChangeAccumulator.ts';

/** How long changes are kept for tabs that have just opened or missed some, in ms. */
const MAX_AGE = 60_000;

/** The maximum number of changes to keep. */
const MAX_CHANGES = 10_000;

/** The changes that have one number. */
interface HistoryEntry {
  /** In ms since the epoch. */
  readonly at: number;
  readonly changes: ChangeAccumulator;
}

/** Numbers the changes of this tab and keeps the latest: what has changed, without the values. */
export class ChangeHistory {
  /** Those up to `seq`. */
  readonly #entries: HistoryEntry[] = [];
  #size = 0;
  #seq = 0;

  /** Number of the last change. */
  get seq(): number {
    return this.#seq;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Changes after this number are available. */
  get start(): number {
    return this.#seq - this.#entries.length;
  }

  /** @param now - in ms since the epoch */
  add(changes: ChangeAccumulator, now: number): void {
    this.#seq += 1;
    this.#entries.push({ at: now, changes });
    this.#size += changes.size;
    this.forgetOld(now);
  }

  /** Another tab has deleted a record: a tab that opens later must not receive it from this one. */
  deleteRecord(plugin: string, key: string): void {
    for (const { changes } of this.#entries)
      if (changes.side.get(plugin)?.delete(key) === true) this.#size -= 1;
  }

  /** @param now - in ms since the epoch */
  forgetOld(now: number): void {
    for (;;) {
      const [first] = this.#entries;
      if (first === undefined || (this.#size <= MAX_CHANGES && now - first.at <= MAX_AGE)) return;
      this.#entries.shift();
      this.#size -= first.changes.size;
    }
  }

  /** The available changes after this number. */
  after(seq: number): ChangeAccumulator {
    const all = new ChangeAccumulator();
    for (const { changes } of this.#entries.slice(Math.max(0, seq - this.start))) all.append(changes);
    return all;
  }

  /** Forgets all changes; numbering continues. */
  clear(): void {
    this.#entries.length = 0;
    this.#size = 0;
  }
}
