import { describe, expect, it } from '@jest/globals';
import type { Meta } from 'holdfast';
import type { DiskRow } from '../../../plugins/indexeddb/records/records.ts';
import { decodeRows, encodeRows } from '../../../plugins/indexeddb/records/rowBlock.ts';
import { bytes, copied, decodingInto, metaAt } from '../../support/indexedDB.ts';

const meta = metaAt(7);
const rows: DiskRow[] = [
  {
    table: 'A',
    pk: '__proto__',
    value: { at: new Date(5), big: Infinity, text: '🦀' },
    meta,
    refs: ['B', '1', 'B', '2'],
  },
  { table: 'B', pk: 'constructor', value: undefined, meta: metaAt(8), refs: [], foldedAt: 99 },
  { table: 'A', pk: '', value: { nested: { list: [undefined, null, 0] } }, meta, refs: [] },
];

function responded(at: number, nth: number): Meta {
  return { requestedAt: at, receivedAt: at + 7, expiresAt: Infinity, order: at * 1_024 + nth, answered: 0 };
}

function decode(block: unknown): { rows: DiskRow[]; unreadable: string[] } {
  const unreadable: string[] = [];
  return { rows: decodeRows(block, 'here', decodingInto(unreadable)), unreadable };
}

describe('a block of rows', () => {
  it('a block of rows round-trips', () => {
    expect(decode(encodeRows(rows, 0))).toEqual({ rows, unreadable: [] });
    expect(decode(copied(encodeRows(rows, 0)))).toEqual({ rows, unreadable: [] });
  });

  it('a block of rows shares one meta among the rows of one response', () => {
    const [first, , third] = decode(copied(encodeRows(rows, 0))).rows;
    expect(first?.meta).toBe(third?.meta);
  });

  it('a block of rows writes shared values once', () => {
    const many = Array.from({ length: 256 }, (_, index) => ({
      ...rows[0]!,
      pk: `p${index}`,
      value: { n: index },
    }));
    expect(bytes(encodeRows(many, 0)) / many.length).toBeLessThan(40);
  });

  it.each([
    ['a pk that is no string', (block: Record<string, unknown[]>) => (block.pk![1] = 5)],
    ['a value that is no object', (block: Record<string, unknown[]>) => (block.value![1] = 'text')],
    ['a meta that is missing', (block: Record<string, unknown[]>) => (block.meta![1] = 9)],
    ['a table that is missing', (block: Record<string, unknown[]>) => (block.table![1] = 'length')],
    ['half a reference', (block: Record<string, unknown[]>) => (block.refs![1] = [0])],
    ['a reference to no table', (block: Record<string, unknown[]>) => (block.refs![1] = [7, '1'])],
  ])('a block of rows leaves out only the row with %s', (_, spoil) => {
    const block = copied(encodeRows(rows, 0));
    spoil(block as unknown as Record<string, unknown[]>);
    const { rows: left, unreadable } = decode(block);
    expect(left).toEqual([rows[0], rows[2]]);
    expect(unreadable).toEqual(['here, row 1']);
  });

  it.each([
    ['the times of one moment', metaAt(9), metaAt(10)],
    ['times and orders of a clock', responded(1_795_270_273_363, 7), responded(1_795_270_274_000, 0)],
    ['a mutation', responded(1_795_270_273_363, 7), { ...responded(1_795_270_274_000, 0), answered: 5 }],
    ['fractions', responded(0.1, 0.2), responded(1_795_270_273_363.3, 1)],
    ['infinite times, then finite ones', metaAt(9), metaAt(10, { expiresAt: 60_010 })],
    ['finite times, then infinite ones', metaAt(10, { expiresAt: 60_010 }), metaAt(9)],
    ['the least and the greatest order', metaAt(0), metaAt(2 ** 52)],
  ])('a block of rows round-trips %s exactly', (_, ...metas) => {
    const written = metas.map((other) => ({ ...rows[2]!, pk: String(other.order), meta: other }));
    expect(decode(copied(encodeRows(written, 0))).rows).toEqual(written);
  });

  it.each([Number.MAX_VALUE, 2 ** 53, -5])(
    'a block of rows leaves out a row of order %s, which no clock produces',
    (order) => {
      const written = [rows[2]!, { ...rows[2]!, pk: 'absurd', meta: metaAt(order) }];
      expect(decode(copied(encodeRows(written, 0))).rows).toEqual([rows[2]]);
    },
  );

  it('a block of rows leaves out rows whose metas are big integers', () => {
    const metas = Array.from({ length: 10 }, () => 1n);
    expect(decode(copied({ ...encodeRows(rows, 0), metas })).rows).toEqual([]);
  });

  it('a block of rows ignores an invalid time at which a tombstone left the log', () => {
    const { foldedAt: _foldedAt, ...tombstone } = rows[1]!;
    const block = { ...encodeRows(rows, 0), foldedAt: [5, [1, 'text']] };
    expect(decode(copied(block))).toEqual({ rows: [rows[0], tombstone, rows[2]], unreadable: [] });
  });

  it('a block of rows leaves out rows with an invalid meta', () => {
    const block = copied(encodeRows(rows, 0)) as unknown as { metas: unknown[] };
    block.metas[3] = NaN; // its order
    expect(decode(block).rows).toEqual([rows[1]]);
  });

  it.each([
    [undefined],
    [null],
    [5],
    ['text'],
    [[]],
    [{}],
    [{ pk: ['1'] }],
    [{ ...encodeRows(rows, 0), refs: 1 }],
  ])('a block of rows reads %j as no rows', (block) => {
    expect(decode(block)).toEqual({ rows: [], unreadable: ['here'] });
  });
});
