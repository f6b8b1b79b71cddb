/**
 * Rows a shard holds at most on average. More would make the 100 rows of a list, which lie in as many shards, dear to
 * read; fewer, everything. At 300 bytes a row it stays far under the 64 KiB from which Chromium makes a file of it.
 */
const ROWS_PER_SHARD = 32;

/**
 * The shard of a row. Stable for ever: what is on disk was placed by it (FNV-1a, 32 bits, over UTF-16 code units).
 *
 * @param shards - how many shards the table has
 */
export function shardOf(pk: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < pk.length; index++) {
    hash ^= pk.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  // The low bits of FNV-1a know little of the high ones, and the modulus asks for the low ones.
  hash ^= hash >>> 15;
  return (hash >>> 0) % shards;
}

/** Whether a table has outgrown its shards. */
export function isOutgrown(rows: number, shards: number): boolean {
  return rows > shards * ROWS_PER_SHARD;
}

/** How many shards a table of so many rows gets: powers of two, so that a table that grows is rarely spread anew. */
export function shardsFor(rows: number): number {
  let shards = 1;
  while (isOutgrown(rows, shards)) shards *= 2;
  return shards;
}
