import { describe, expect, it } from '@jest/globals';
import {
  belongsIn,
  collectionArgs,
  collectionPk,
  type Membership,
} from '../../src/schema/collection/collectionArgs.ts';
import { listsFor, listsWith } from '../../src/store/listIndex.ts';
import { Table } from '../../src/store/Table.ts';

/** Numbers that look random but are the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const NAMES = ['author', 'state', 'page', 'sort', 'label', 'limit', '__proto__'];
const TEXTS = ['1', '2', 'true', '', '[', '["1","2"]', '["2"]', '[]'];
const PATHS = [undefined, '/articles', '/comments'];
const EXEMPT: readonly Membership['exempt'][] = [undefined, undefined, ['state'], /^a/g, ['state', 'author']];

function cases(seed: number) {
  const random = randomNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T; // there is one
  const some = <T>(count: number, make: () => T): readonly T[] =>
    Array.from({ length: random(count + 1) }, make);
  const argsOf = <T>(count: number, make: () => T): Readonly<Record<string, T>> =>
    Object.fromEntries(some(count, () => [pick(NAMES), make()] as const));
  return {
    list: () =>
      collectionPk(
        argsOf(3, () => pick(TEXTS)),
        pick(PATHS),
      ),
    where: (): Membership => ({
      path: pick(PATHS),
      args: some(2, () => argsOf(4, () => (random(3) === 0 ? some(3, () => pick(TEXTS)) : pick(TEXTS)))),
      exempt: pick(EXEMPT),
      fields: random(3) === 0 ? ['page'] : [],
    }),
    pick,
  };
}

describe('the index of lists', () => {
  it('finds each list that an addition belongs to, whatever has been added since the last search', () => {
    let matches = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const { list, where } = cases(seed);
      let table = Table.empty<object>();
      const early = table;
      for (let round = 0; round < 40; round += 1) {
        table = table.with(list(), {});
        const which = where();
        const expected = [...table.entries()]
          .map(([pk]) => pk)
          .filter((pk) => belongsIn(collectionArgs(pk), which));
        matches += expected.length;
        const found = [...listsFor(round % 2 === 0 ? table : early, which)];
        expect(found).toEqual(expect.arrayContaining(expected));
        expect(new Set(found).size).toBe(found.length);
      }
    }
    expect(matches).toBeGreaterThan(1_000);
  });

  it('finds the lists that have a text as any of their args, and no path', () => {
    const lists = [
      collectionPk({ article: 'one', page: 'two' }, '/one'),
      collectionPk({ page: 'one' }),
      collectionPk({ article: 'two' }, 'one'),
      collectionPk({ labels: ['one'] }),
    ];
    const table = lists.reduce((all, pk) => all.with(pk, {}), Table.empty<object>());
    expect(listsWith(table, 'one')).toEqual(lists.slice(0, 2));
    expect(listsWith(table, 'none')).toEqual([]);
  });

  it('finds one of many lists that have the same text in one arg, but not in another', () => {
    let table = Table.empty<object>();
    for (let author = 0; author < 100; author += 1)
      table = table.with(collectionPk({ author, state: 'open' }, '/articles'), {});
    const where = {
      path: '/articles',
      args: [{ state: 'open', author: '42' }],
      exempt: undefined,
      fields: [],
    };
    const found = [...listsFor(table, where)];
    expect(found).toContain(collectionPk({ author: 42, state: 'open' }, '/articles'));
    expect(found.length).toBeLessThan(5);
  });

  it('finds all lists where a function decides', () => {
    const table = Table.empty<object>().with('{}', {}).with('{"page":"1"}', {});
    expect([...listsFor(table, () => false)]).toEqual(['{}', '{"page":"1"}']);
  });

  it('finds lists of a table that has replaced one of mostly deleted lists', () => {
    let table = Table.empty<object>();
    const pk = (author: number): string => collectionPk({ author });
    const where = (author: string) => ({
      path: undefined,
      args: [{ author }],
      exempt: undefined,
      fields: [],
    });
    for (let author = 0; author < 200; author += 1) table = table.with(pk(author), {});
    expect([...listsFor(table, where('7'))]).toEqual([pk(7)]);
    for (let author = 0; author < 150; author += 1) table = table.without(pk(author));
    table = table.with(pk(7), {});
    expect([...listsFor(table, where('7'))]).toEqual([pk(7)]);
    expect([...listsFor(table, where('190'))]).toEqual([pk(190)]);
  });
});
