/**
 * The maximum average number of rows in a shard. More would make the 100 rows of a list, which are in as many shards,
 * expensive to read; fewer, everything else. At 300 bytes a row, a shard stays far below the 64 KiB from which
 * Chromium stores it in a separate file.
 */
const ROWS_PER_SHARD = 32;

/**
 * The shard of a row. Must never change, since it determines where stored rows are (FNV-1a, 32 bits, over UTF-16 code
 * units).
 *
 * @param shards - how many shards the table has
 */
export function shardOf(pk: string, shards: number): number {
  let hash = 0x811c9dc5;
  const { length } = pk;
  const end = isDigit(pk.charCodeAt(length - 1)) ? length - 1 : length;
  for (let index = 0; index < end; index++) {
    hash ^= pk.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  // The low bits of FNV-1a, which the modulus uses, hardly depend on the high ones.
  hash ^= hash >>> 15;
  return (hash >>> 0) % shards;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a table needs more shards. */
export function isOutgrown(rows: number, shards: number): boolean {
  return rows > shards * ROWS_PER_SHARD;
}

/** The number of shards for a table of this size: powers of two, so that a growing table is rarely resharded. */
export function shardsFor(rows: number): number {
  let shards = 1;
  while (isOutgrown(rows, shards)) shards *= 2;
  return shards;
}
