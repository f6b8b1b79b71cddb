import { NO_REFS, type Refs } from '../records/records.ts';
import { getOrInsert } from '../../shared/getOrInsert.ts';

/** A set of row references, in insertion order. */
export class RowSet {
  readonly #tables = new Map<string, Set<string>>();

  /** Returns whether the row is new in the set. */
  add(table: string, pk: string): boolean {
    const pks = getOrInsert(this.#tables, table, () => new Set());
    const { size } = pks;
    return pks.add(pk).size > size;
  }

  has(table: string, pk: string): boolean {
    return this.#tables.get(table)?.has(pk) === true;
  }

  toRefs(): Refs {
    if (this.#tables.size === 0) return NO_REFS;
    const refs: string[] = [];
    for (const [table, pks] of this.#tables) for (const pk of pks) refs.push(table, pk);
    return refs;
  }
}
