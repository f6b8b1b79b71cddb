import { describe, expect, it } from '@jest/globals';
import type { DiskRow } from '../../plugins/indexeddb/records.ts';
import { decodeRows, encodeRows } from '../../plugins/indexeddb/rowBlock.ts';
import { bytes, copied, decodingInto, metaAt } from './support.ts';

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

function decode(block: unknown): { rows: DiskRow[]; unreadable: string[] } {
  const unreadable: string[] = [];
  return { rows: decodeRows(block, 'here', decodingInto(unreadable)), unreadable };
}

describe('a block of rows', () => {
  it('gives back what was put in', () => {
    expect(decode(encodeRows(rows, 0))).toEqual({ rows, unreadable: [] });
    expect(decode(copied(encodeRows(rows, 0)))).toEqual({ rows, unreadable: [] });
  });

  it('shares one meta among the rows of one response', () => {
    const [first, , third] = decode(copied(encodeRows(rows, 0))).rows;
    expect(first?.meta).toBe(third?.meta);
  });

  it('writes what rows share once', () => {
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
  ])('leaves a row with %s out alone', (_, spoil) => {
    const block = copied(encodeRows(rows, 0));
    spoil(block as unknown as Record<string, unknown[]>);
    const { rows: left, unreadable } = decode(block);
    expect(left).toEqual([rows[0], rows[2]]);
    expect(unreadable).toEqual(['here, row 1']);
  });

  it('leaves out the rows of a meta that is not one', () => {
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
  ])('reads %j as no rows', (block) => {
    expect(decode(block)).toEqual({ rows: [], unreadable: ['here'] });
  });
});
