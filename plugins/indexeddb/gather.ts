import type { HoldfastError, State, StoredRow } from 'holdfast';
import type { GrownLists } from './Additions.ts';
import type { Haste } from './Haste.ts';
import { soon } from './idle.ts';
import { newer } from './newer.ts';
import { Pacer } from './Pacer.ts';
import type { Pending, TouchedResult } from './Pending.ts';
import { persistsResult, persistsRow, type Persist } from './persisted.ts';
import { named, NO_REFS, type Batch, type DiskResult, type DiskRow, type Refs } from './records.ts';
import type { References } from './References.ts';
import { RowSet } from './RowSet.ts';
import type { Standings } from './Standings.ts';
import { isEqual } from './isEqual.ts';

/** What decides what is written. */
export interface Gathering {
  /** The state that the batch leaves on disk; undefined before anything was committed. */
  readonly state: State | undefined;
  /** The state by now, since gathering much takes several tasks. */
  readonly now: () => State | undefined;
  readonly persist: Persist | undefined;
  /** When it is done in one go. */
  readonly haste: Haste;
  readonly references: References;
  /** What disk has of the results whose schema is not known here. */
  readonly results: ReadonlyMap<string, DiskResult | undefined>;
  /** Lists on disk alone, as they are to be. */
  readonly lists: GrownLists['rows'];
  /** Brought up to date: what is gathered counts as persisted. */
  readonly standings: Standings;
  /** Keys of the results on disk, brought up to date likewise. */
  readonly onDisk: Set<string>;
}

/** A batch, and why some of what is pending is not in it. */
export interface Gathered {
  readonly batch: Batch;
  readonly refused: readonly HoldfastError[];
}

/**
 * What of the pending changes is to be persisted, with everything that it reaches and that was not persisted before.
 * No pending row may be of `unknown` standing.
 */
export async function gather(pending: Pending, gathering: Gathering): Promise<Gathered> {
  const { state, persist, standings, onDisk, lists } = gathering;
  const gatherer = new Gatherer(gathering);
  const { pacer } = gatherer;
  for (const [key, fallback] of pending.results) {
    const stored = state?.results.get(key);
    const result = stored?.error === undefined ? (stored ?? fallback) : fallback;
    if (result === undefined) continue;
    if (onDisk.has(key) || persistsResult(persist, key, result)) gatherer.result(key, result);
    if (pacer.isDue) await pacer.pause();
  }
  for (const [table, rows] of pending.rows) {
    for (const [pk, { left }] of rows) {
      // Memory may have read an older version anew since it let go of this one.
      const inMemory = state?.tables[table]?.get(pk);
      const row = left === undefined ? inMemory : newer(inMemory, left);
      if (row === undefined) continue;
      if (standings.get(table, pk) !== undefined || persistsRow(persist, table, pk, row))
        gatherer.row(table, pk, row);
      if (pacer.isDue) await pacer.pause();
    }
  }
  // One that has come into memory meanwhile came with what is added.
  for (const [table, pk, row] of lists)
    if (state?.tables[table]?.get(pk) === undefined) gatherer.row(table, pk, row);
  return gatherer.finish();
}

class Gatherer {
  readonly pacer: Pacer;
  readonly #gathering: Gathering;
  readonly #rows: DiskRow[] = [];
  readonly #written = new RowSet();
  readonly #results: DiskResult[] = [];
  readonly #refused = new Map<string, HoldfastError>();
  /** Rows to write because something that is written names them. A list of its own: chains may be long. */
  readonly #reached: [table: string, pk: string, row: StoredRow][] = [];

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
    this.pacer = new Pacer(soon, gathering.haste);
  }

  result(key: string, { error: _error, ...result }: TouchedResult): void {
    const refs = result.refs ?? this.#refsOf(key, result);
    if (refs === undefined) return;
    this.#results.push({ ...result, key, refs });
    this.#gathering.onDisk.add(key);
    this.#reach(refs);
  }

  /** Undefined where nobody here knows what it names: such a result is kept by the tab that asked for it. */
  #refsOf(key: string, { value, shape }: TouchedResult): Refs | undefined {
    const { references, results } = this.#gathering;
    const refs = references.ofResult(key, value);
    if (refs !== undefined) return refs;
    const stored = results.get(key);
    if (stored !== undefined && isEqual(stored.value, value)) return stored.refs;
    return shape === undefined ? NO_REFS : undefined;
  }

  row(table: string, pk: string, row: StoredRow): void {
    this.#write(table, pk, row);
  }

  async finish(): Promise<Gathered> {
    for (let next = this.#reached.pop(); next !== undefined; next = this.#reached.pop()) {
      this.#write(...next);
      if (this.pacer.isDue) await this.pacer.pause();
    }
    return { batch: { rows: this.#rows, results: this.#results }, refused: [...this.#refused.values()] };
  }

  #write(table: string, pk: string, row: StoredRow): void {
    if (this.#written.has(table, pk)) return;
    const { now, references, standings } = this.#gathering;
    const refusal = references.refusal(table);
    if (refusal !== undefined) {
      this.#refused.set(table, refusal);
      return;
    }
    this.#written.add(table, pk);
    const { value, meta } = row;
    const refs = references.ofRow(table, row);
    this.#rows.push({ table, pk, value, meta, refs });
    const inMemory = now()?.tables[table]?.get(pk);
    // One that changed meanwhile may have left memory in between, and come back as less than is written here.
    standings.set(table, pk, inMemory === undefined ? 'away' : inMemory === row ? 'merged' : 'arrived');
    this.#reach(refs);
  }

  #reach(refs: Refs): void {
    const { state, standings } = this.#gathering;
    for (const [table, pk] of named(refs)) {
      const standing = standings.get(table, pk);
      // What is unknown here became so while the batch was gathered: it is written as it was.
      if (standing !== undefined && standing !== 'unknown' && !standings.isInDoubt(standing)) continue;
      const row = state?.tables[table]?.get(pk);
      if (row === undefined) standings.set(table, pk, 'away');
      else this.#reached.push([table, pk, row]);
    }
  }
}
