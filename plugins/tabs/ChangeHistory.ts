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
  /** The changes that contain a record, oldest first, by its plugin and key. */
  readonly #records = new Map<string, ChangeAccumulator[]>();
  #size = 0;
  #seq = 0;

  /** Number of the last change. */
  get seq(): number {
    return this.#seq;
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
    for (const name of recordsOf(changes)) {
      const containing = this.#records.get(name) ?? [];
      containing.push(changes);
      this.#records.set(name, containing);
    }
    this.forgetOld(now);
  }

  /** Another tab has deleted a record: a tab that opens later must not receive it from this one. */
  deleteRecord(plugin: string, key: string): void {
    const name = nameOf(plugin, key);
    for (const { side } of this.#records.get(name) ?? [])
      if (side.get(plugin)?.delete(key) === true) this.#size -= 1;
    this.#records.delete(name);
  }

  /** @param now - in ms since the epoch */
  forgetOld(now: number): void {
    for (;;) {
      const [first] = this.#entries;
      if (first === undefined || (this.#size <= MAX_CHANGES && now - first.at <= MAX_AGE)) return;
      this.#entries.shift();
      this.#size -= first.changes.size;
      for (const name of recordsOf(first.changes)) {
        const containing = this.#records.get(name);
        containing?.shift();
        if (containing?.length === 0) this.#records.delete(name);
      }
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
    this.#records.clear();
    this.#size = 0;
  }
}

function nameOf(plugin: string, key: string): string {
  return JSON.stringify([plugin, key]);
}

/** The names of the records that changes contain. */
function recordsOf({ side }: ChangeAccumulator): string[] {
  return [...side].flatMap(([plugin, records]) => [...records.keys()].map((key) => nameOf(plugin, key)));
}
