import { shardOf } from './shards.ts';

/** The longest list that is looked through. */
const LONGEST = 128;

/**
 * Pks of one table. Those that a restore brings come by shard, a list for each: the lists together are a hash set that
 * nothing has to be put into one by one, and take a quarter of the memory.
 */
export class MergedRows {
  readonly #single = new Set<string>();
  #shards: (readonly string[] | undefined)[] = [];
  /** How many there are in the lists. */
  #listed = 0;

  get size(): number {
    return this.#single.size + this.#listed;
  }

  has(pk: string): boolean {
    return this.#single.has(pk) || this.#listOf(pk)?.includes(pk) === true;
  }

  add(pk: string): void {
    if (!this.has(pk)) this.#single.add(pk);
  }

  /**
   * Adds all those of a shard.
   *
   * @param of - how many shards the table has
   * @returns false, with nothing added, where that is not so, or one of them may be here already
   */
  addShard(of: number, pks: readonly string[]): boolean {
    if (this.#shards.length !== of) {
      this.#unlist();
      this.#shards = Array.from({ length: of });
    }
    const shard = shardOf(pks[0] ?? '', of);
    if (pks.length > LONGEST || this.#shards[shard] !== undefined) return false;
    if (pks.some((pk) => shardOf(pk, of) !== shard)) return false;
    // At the start there are none.
    if (this.#single.size > 0 && pks.some((pk) => this.#single.has(pk))) return false;
    this.#shards[shard] = pks;
    this.#listed += pks.length;
    return true;
  }

  delete(pk: string): void {
    if (this.#single.delete(pk)) return;
    const list = this.#listOf(pk);
    if (list?.includes(pk) !== true) return;
    this.#shards[shardOf(pk, this.#shards.length)] = list.filter((other) => other !== pk);
    this.#listed -= 1;
  }

  clear(): void {
    this.#single.clear();
    this.#shards = [];
    this.#listed = 0;
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* this.#single;
    for (const list of this.#shards) if (list !== undefined) yield* list;
  }

  /** The table has other shards now: those of the old ones are kept one by one. */
  #unlist(): void {
    for (const list of this.#shards) for (const pk of list ?? []) this.#single.add(pk);
    this.#listed = 0;
  }

  #listOf(pk: string): readonly string[] | undefined {
    return this.#listed === 0 ? undefined : this.#shards[shardOf(pk, this.#shards.length)];
  }
}
