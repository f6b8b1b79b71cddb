import { getOrInsert } from '../util/getOrInsert.ts';

/**
 * What was shown under a temporary pk before the server gave it one of its own. Readers of the temporary pk go on with
 * the row that came of it, and a list on screen can keep its keys.
 */
export class Aliases {
  readonly #pks = new Map<string, string>();
  /** Table → pk → the temporary one. */
  readonly #temporary = new Map<string, Map<string, string>>();

  /** Notes that what had a temporary pk is the row `pk` of `table` from now on. */
  add(table: string, temporaryPk: string, pk: string): void {
    if (temporaryPk === pk) return;
    this.#pks.set(temporaryPk, pk);
    getOrInsert(this.#temporary, table, () => new Map<string, string>()).set(pk, temporaryPk);
  }

  /** The pk that stands for this one now. */
  pk(pk: string): string {
    return this.#pks.get(pk) ?? pk;
  }

  /** The pk that a row was first shown under. */
  first(table: string, pk: string): string {
    return this.#temporary.get(table)?.get(pk) ?? pk;
  }

  clear(): void {
    this.#pks.clear();
    this.#temporary.clear();
  }
}
