import { describe, expect, it } from '@jest/globals';
import { SyncedRows } from '../../../plugins/indexeddb/writing/SyncedRows.ts';
import { shardOf } from '../../../plugins/indexeddb/records/shards.ts';

const SHARDS = 8;
const pks = Array.from({ length: 100 }, (_, index) => `pk ${index}`);
const shard = (number: number, of = SHARDS): string[] => pks.filter((pk) => shardOf(pk, of) === number);

function filled(): SyncedRows {
  const rows = new SyncedRows();
  for (let number = 0; number < SHARDS; number++) expect(rows.addShard(SHARDS, shard(number))).toBe(true);
  return rows;
}

describe('merged rows that came by shard', () => {
  it('merged rows that came by shard are found and removed one by one', () => {
    const rows = filled();
    rows.add('pk 7');
    rows.add('one more');
    rows.delete('pk 8');
    rows.delete('pk 8');
    rows.delete('none');
    const left = [...pks.filter((pk) => pk !== 'pk 8'), 'one more'].sort();
    expect([...rows].sort()).toEqual(left);
    expect(rows.size).toBe(100);
    for (const pk of left) expect(rows.has(pk)).toBe(true);
    for (const pk of ['pk 8', 'none', '']) expect(rows.has(pk)).toBe(false);
    rows.add('pk 8');
    expect([rows.has('pk 8'), rows.size]).toEqual([true, 101]);
    rows.clear();
    expect([[...rows], rows.size, rows.has('pk 7')]).toEqual([[], 0, false]);
  });

  it('merged rows that came by shard survive a spread of the table', () => {
    const rows = filled();
    expect(rows.addShard(2 * SHARDS, shard(0, 2 * SHARDS))).toBe(false);
    for (const pk of pks) expect(rows.has(pk)).toBe(true);
    expect(rows.size).toBe(100);
    const more = Array.from({ length: 50 }, (_, index) => `more ${index}`).filter(
      (pk) => shardOf(pk, 2 * SHARDS) === 3,
    );
    expect(rows.addShard(2 * SHARDS, more)).toBe(true);
    expect([...rows].sort()).toEqual([...pks, ...more].sort());
  });

  it.each([
    ['is here already', (rows: SyncedRows) => rows.addShard(SHARDS, shard(1))],
    ['is not whole', (rows: SyncedRows) => rows.addShard(SHARDS, [...shard(2), 'pk 1', 'pk 2', 'pk 3'])],
    [
      'has one that came before',
      (rows: SyncedRows) => (rows.add(shard(2)[0]!), rows.addShard(SHARDS, shard(2))),
    ],
    [
      'is too long to be looked through',
      (rows: SyncedRows) =>
        rows.addShard(
          1,
          Array.from({ length: 1_000 }, (_, index) => String(index)),
        ),
    ],
  ])('merged rows are refused for a shard that %s', (_, add) => {
    const rows = new SyncedRows();
    rows.addShard(SHARDS, shard(1));
    const before = rows.size;
    expect(add(rows)).toBe(false);
    expect(rows.size - before).toBeLessThanOrEqual(1);
    for (const pk of shard(1)) expect(rows.has(pk)).toBe(true);
  });
});
