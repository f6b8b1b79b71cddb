import { describe, expect, it } from '@jest/globals';
import { isOutgrown, shardOf, shardsFor } from '../../../plugins/indexeddb/records/shards.ts';

describe('shards', () => {
  it('a pk belongs to the same shard as in every earlier build of this database version', () => {
    expect(['', '1', 'article-17', '__proto__', '🦀'].map((pk) => shardOf(pk, 4_096))).toEqual(PLACES);
  });

  it.each([
    ['numbers', (index: number) => String(index)],
    ['padded numbers', (index: number) => String(index).padStart(12, '0')],
    [
      'uuids that differ at the end',
      (index: number) => `6f1c2d3e-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    ],
  ])('%s are spread evenly over the shards', (_, pk) => {
    const counts = new Array<number>(64).fill(0);
    for (let index = 0; index < 64 * 200; index++) counts[shardOf(pk(index), 64)]! += 1;
    expect(Math.max(...counts)).toBeLessThan(350);
    expect(Math.min(...counts)).toBeGreaterThan(90);
  });

  it('pks that differ only in a last digit share a shard, also next to others', () => {
    const places = (pks: readonly string[]): Set<number> => new Set(pks.map((pk) => shardOf(pk, 4_096)));
    const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
    expect(places(digits.map((digit) => `article-1${digit}`)).size).toBe(1);
    expect(places(digits.map((digit) => `1${digit}-article`)).size).toBe(10);
    // A hundred rows in a row, as a list contains them.
    expect(places(Array.from({ length: 100 }, (_, index) => String(5_000 + index))).size).toBe(10);
  });

  it('the number of shards grows with the table', () => {
    expect(shardsFor(0)).toBe(1);
    expect(shardsFor(32)).toBe(1);
    expect(shardsFor(33)).toBe(2);
    expect(shardsFor(100_000)).toBe(4_096);
    expect(isOutgrown(64, 2)).toBe(false);
    expect(isOutgrown(65, 2)).toBe(true);
  });
});

/** From the first build with version 2 of the database: what is on disk depends on them. */
const PLACES = [4092, 4092, 106, 351, 2084];
