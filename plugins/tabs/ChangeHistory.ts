import { ChangeAccumulator, memberOf } from './ChangeAccumulator.ts';

/** How long changes are kept for tabs that have just opened or missed some, in ms. */
const MAX_AGE = 60_000;

/** The maximum number of changes to keep. */
const MAX_CHANGES = 10_000;

/** A numbered change. */
interface HistoryEntry {
  readonly seq: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly changes: ChangeAccumulator;
}

/** Numbers the changes of this tab and keeps the latest: what has changed, without the values. */
export class ChangeHistory {
  readonly #entries: HistoryEntry[] = [];
  /** Plugin → key → the changes that contain this record. */
  readonly #records = new Map<string, Map<string, Set<ChangeAccumulator>>>();
  #size = 0;
  #seq = 0;
  #start = 0;

  /** Number of the last change. */
  get seq(): number {
    return this.#seq;
  }

  /** Changes after this number are available. */
  get start(): number {
    return this.#start;
  }

  /** @param now - in ms since the epoch */
  add(changes: ChangeAccumulator, now: number): void {
    this.#seq += 1;
    this.#entries.push({ seq: this.#seq, at: now, changes });
    this.#size += changes.size;
    for (const [plugin, records] of changes.side)
      for (const key of records.keys()) {
        const containing = memberOf(this.#records, plugin);
        containing.set(key, (containing.get(key) ?? new Set()).add(changes));
      }
    this.forgetOld(now);
  }

  /** Another tab has deleted a record: a tab that opens later must not receive it from this one. */
  deleteRecord(plugin: string, key: string): void {
    const containing = this.#records.get(plugin);
    for (const { side } of containing?.get(key) ?? [])
      if (side.get(plugin)?.delete(key) === true) this.#size -= 1;
    containing?.delete(key);
  }

  /** @param now - in ms since the epoch */
  forgetOld(now: number): void {
    let first = this.#entries[0];
    while (first !== undefined && (this.#size > MAX_CHANGES || now - first.at > MAX_AGE)) {
      this.#entries.shift();
      this.#size -= first.changes.size;
      this.#forgetRecords(first.changes);
      this.#start = first.seq;
      first = this.#entries[0];
    }
  }

  /** The available changes after this number. */
  after(seq: number): ChangeAccumulator {
    const changes = new ChangeAccumulator();
    for (const entry of this.#entries) if (entry.seq > seq) changes.append(entry.changes);
    return changes;
  }

  /** Forgets all changes; numbering continues. */
  clear(): void {
    this.#entries.length = 0;
    this.#records.clear();
    this.#size = 0;
    this.#start = this.#seq;
  }

  #forgetRecords(changes: ChangeAccumulator): void {
    for (const [plugin, records] of changes.side)
      for (const key of records.keys()) {
        const containing = this.#records.get(plugin);
        const left = containing?.get(key);
        left?.delete(changes);
        if (left?.size === 0) containing?.delete(key);
      }
  }
}
