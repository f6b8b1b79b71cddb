import { shardOf } from '../records/shards.ts';

/** The longest list that is searched linearly. */
const MAX_LIST = 128;

/**
 * A set of pks of one table. Restored pks are added as one list for each shard: the lists together work as a hash set
 * without an insertion for each pk, and take a quarter of the memory.
 */
export class SyncedRows {
  readonly #single = new Set<string>();
  #shards: (readonly string[] | undefined)[] = [];
  /** The number of pks in the lists. */
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
   * Adds the pks of a shard.
   *
   * @param shardCount - how many shards the table has
   * @returns false, with nothing added, if the pks are not of one shard, or some may already be in the set
   */
  addShard(shardCount: number, pks: readonly string[]): boolean {
    if (this.#shards.length !== shardCount) {
      this.#flattenShards();
      this.#shards = Array.from({ length: shardCount });
    }
    const shard = shardOf(pks[0] ?? '', shardCount);
    if (pks.length > MAX_LIST || this.#shards[shard] !== undefined) return false;
    if (pks.some((pk) => shardOf(pk, shardCount) !== shard)) return false;
    // Empty during the first restore.
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

  /** The table was resharded: pks of the old lists become single members. */
  #flattenShards(): void {
    for (const list of this.#shards) for (const pk of list ?? []) this.#single.add(pk);
    this.#listed = 0;
  }

  #listOf(pk: string): readonly string[] | undefined {
    return this.#listed === 0 ? undefined : this.#shards[shardOf(pk, this.#shards.length)];
  }
}
