import { getOrInsert } from '../util/getOrInsert.ts';

/**
 * What was shown under one pk and goes by another now: what was created, since the server has given it a pk, and what
 * was renamed. Readers of a temporary pk go on with the row that came of it, and a list on screen can keep its keys.
 */
export class Aliases {
  /** Temporary pk → the server's. */
  readonly #pks = new Map<string, string>();
  /** Table → pk → the key of what has it now, where that is not its pk. */
  readonly #keys = new Map<string, Map<string, string>>();
  /** Table → such a key → the pk of what has it. */
  readonly #owners = new Map<string, Map<string, string>>();
  #count = 0;

  /**
   * Notes that what had a temporary pk is the row `pk` of `table` from now on.
   *
   * @param isShown - whether that row was there already, with a key of its own
   */
  add(table: string, temporaryPk: string, pk: string, isShown: boolean): void {
    if (temporaryPk === pk) return;
    this.#pks.set(temporaryPk, pk);
    if (!isShown) this.#setKey(table, pk, temporaryPk);
  }

  /** What has one pk has another from now on, and keeps its key. */
  renamed(table: string, from: string, to: string): void {
    const keys = this.#keys.get(table);
    // It may have been called otherwise in between, and have its key by now.
    if (keys?.has(from) !== true && keys?.has(to) === true) return;
    const key = this.keyOf(table, from);
    this.#dropKey(table, from);
    this.#setKey(table, to, key);
  }

  /** The pk that stands for this one now. */
  pk(pk: string): string {
    return this.#pks.get(pk) ?? pk;
  }

  /** What names a row for as long as it is on screen: the pk that it was first shown under, unless that is taken. */
  keyOf(table: string, pk: string): string {
    const key = this.#keys.get(table)?.get(pk);
    if (key !== undefined) return key;
    // What was renamed has kept this pk for its key.
    if (!this.#owners.get(table)?.has(pk)) return pk;
    this.#count += 1;
    const own = `${pk} ${this.#count}`;
    this.#setKey(table, pk, own);
    return own;
  }

  clear(): void {
    this.#pks.clear();
    this.#keys.clear();
    this.#owners.clear();
  }

  #setKey(table: string, pk: string, key: string): void {
    this.#dropKey(table, pk);
    if (key === pk) return;
    getOrInsert(this.#keys, table, () => new Map<string, string>()).set(pk, key);
    getOrInsert(this.#owners, table, () => new Map<string, string>()).set(key, pk);
  }

  #dropKey(table: string, pk: string): void {
    const keys = this.#keys.get(table);
    const key = keys?.get(pk);
    if (key === undefined) return;
    keys?.delete(pk);
    const owners = this.#owners.get(table);
    if (owners?.get(key) === pk) owners.delete(key);
  }
}
