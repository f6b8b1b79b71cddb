import { getOrInsert } from '../util/getOrInsert.ts';
import type { Changes } from './changes.ts';

/** Stands for every row of a table in a footprint, also rows added later. No entity has it as its pk. */
export const WHOLE_TABLE = '';

/** Finds the owners that have touched a row or result without a scan of all owners. */
export class Footprints<Owner> {
  readonly #rows = new Map<string, Map<string, Set<Owner>>>();
  readonly #results = new Map<string, Set<Owner>>();

  add(owner: Owner, footprint: Changes): void {
    for (const [table, rows] of footprint.rows) {
      const owners = getOrInsert(this.#rows, table, () => new Map<string, Set<Owner>>());
      for (const pk of rows.keys()) addTo(owners, pk, owner);
    }
    for (const key of footprint.results.keys()) addTo(this.#results, key, owner);
  }

  remove(owner: Owner, footprint: Changes): void {
    for (const [table, rows] of footprint.rows) {
      const owners = this.#rows.get(table);
      if (owners !== undefined) for (const pk of rows.keys()) removeFrom(owners, pk, owner);
    }
    for (const key of footprint.results.keys()) removeFrom(this.#results, key, owner);
  }

  /** Whether any owner has touched this row, or the whole table. */
  hasRow(table: string, pk: string): boolean {
    const owners = this.#rows.get(table);
    return owners !== undefined && (owners.has(pk) || owners.has(WHOLE_TABLE));
  }

  hasResult(key: string): boolean {
    return this.#results.has(key);
  }

  /** The owners that have touched any of `changes`. */
  *touching(changes: Changes): IterableIterator<Owner> {
    for (const [table, rows] of changes.rows) {
      const owners = this.#rows.get(table);
      if (owners === undefined) continue;
      if (rows.has(WHOLE_TABLE)) for (const set of owners.values()) yield* set;
      else for (const pk of rows.keys()) yield* owners.get(pk) ?? [];
      yield* owners.get(WHOLE_TABLE) ?? [];
    }
    for (const key of changes.results.keys()) yield* this.#results.get(key) ?? [];
  }
}

function addTo<Owner>(owners: Map<string, Set<Owner>>, key: string, owner: Owner): void {
  getOrInsert(owners, key, () => new Set<Owner>()).add(owner);
}

function removeFrom<Owner>(owners: Map<string, Set<Owner>>, key: string, owner: Owner): void {
  const set = owners.get(key);
  set?.delete(owner);
  if (set?.size === 0) owners.delete(key);
}
