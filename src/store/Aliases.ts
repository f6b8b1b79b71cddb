import { getOrInsert } from '../util/getOrInsert.ts';
import { isPlain } from '../util/isPlain.ts';

/** What the server has assigned in place of a temporary pk. */
export interface ServerIds {
  readonly id: string | number;
  /** The same by field, if several fields held the temporary pk. */
  readonly ids?: Readonly<Record<string, string | number>>;
}

/**
 * Maps pks that are no longer current to the current ones: temporary pks of created entities, and pks of renamed
 * ones. Readers of a temporary pk continue with the server's row, and lists on screen keep their React keys.
 */
export class Aliases {
  /** Pk that a created row was shown under → the server's. */
  readonly #pks = new Map<string, string>();
  /** Temporary pk → the server's ids. */
  readonly #ids = new Map<string, ServerIds>();
  /** Table → pk → its key, where the two differ. */
  readonly #keys = new Map<string, Map<string, string>>();
  /** Table → key → the pk that uses it. */
  readonly #owners = new Map<string, Map<string, string>>();
  #count = 0;
  /** Increases with each temporary pk that means something else than before. */
  version = 0;

  /**
   * Records what a temporary pk means now, in args and as the pk of a row.
   *
   * @param row - the server's row, and the pk that it was shown under
   * @param isShown - whether that row already existed, with a key of its own
   */
  add(
    temporaryPk: string,
    row: ServerIds & { readonly table: string; readonly pk: string; readonly shownPk: string },
    isShown: boolean,
  ): void {
    const { table, pk, shownPk } = row;
    this.#ids.set(temporaryPk, row);
    this.version += 1;
    if (shownPk === pk) return;
    this.#pks.set(shownPk, pk);
    if (!isShown) this.#setKey(table, pk, shownPk);
  }

  /** What the server has assigned in place of a temporary pk, as far as known. */
  idOf(temporaryPk: string): string | number | undefined {
    return this.#ids.get(temporaryPk)?.id;
  }

  /** Parameters with the server's ids in place of temporary pks; the same object if there are none. */
  params<T>(params: Readonly<Record<string, T>>): Readonly<Record<string, T | string | number>> {
    if (this.#ids.size === 0) return params;
    const replaced = Object.entries(params).flatMap(([name, value]) => {
      const found = typeof value === 'string' ? this.#ids.get(value) : undefined;
      return found === undefined ? [] : [[name, found.ids?.[name] ?? found.id] as const];
    });
    return replaced.length === 0 ? params : { ...params, ...Object.fromEntries(replaced) };
  }

  /** Args with the server's ids in place of temporary pks; the same ones if there are none. */
  args(args: readonly unknown[]): readonly unknown[] {
    const [first] = args;
    if (!isPlain(first)) return args;
    const params = this.params(first);
    return params === first ? args : [params, ...args.slice(1)];
  }

  /** Moves the key of one pk to another. */
  rename(table: string, from: string, to: string): void {
    const keys = this.#keys.get(table);
    // The entity may have had this pk before, and already have its key.
    if (keys?.has(from) !== true && keys?.has(to) === true) return;
    const key = this.keyOf(table, from);
    this.#dropKey(table, from);
    this.#setKey(table, to, key);
  }

  /** The current pk for this one. */
  pk(pk: string): string {
    return this.#pks.get(pk) ?? pk;
  }

  /** A stable key for a row while it is on screen: the pk that it was first shown under, unless another row uses it. */
  keyOf(table: string, pk: string): string {
    const key = this.#keys.get(table)?.get(pk);
    if (key !== undefined) return key;
    const isKey = this.#owners.get(table)?.has(pk) === true;
    const current = this.#pks.get(pk);
    // An object from before the response, which an open form may still hold.
    if (current !== undefined) return isKey ? pk : this.keyOf(table, current);
    // A renamed row still uses this pk as its key.
    if (!isKey) return pk;
    this.#count += 1;
    const own = `${pk} ${this.#count}`;
    this.#setKey(table, pk, own);
    return own;
  }

  clear(): void {
    this.#pks.clear();
    this.#ids.clear();
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
