import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Table } from '../../src/store/Table.ts';

interface Value {
  readonly n: number;
}
type Write = readonly [pk: string, n: number | undefined];

const hostile = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '🙂', '0', 'NaN'];
const pks = fc.oneof(
  fc.constantFrom(...hostile),
  fc.integer({ min: 0, max: 200 }).map((id) => `pk${id}`),
);
const every = [...hostile, ...Array.from({ length: 201 }, (_, id) => `pk${id}`)];
const write: fc.Arbitrary<Write> = fc.tuple(
  pks,
  fc.option(fc.nat(), { nil: undefined, freq: 3 }), // undefined deletes
);

function apply(table: Table<Value>, writes: readonly Write[], owner?: object): Table<Value> {
  let next = table;
  for (const [pk, n] of writes)
    next = n === undefined ? next.without(pk, owner) : next.with(pk, { n }, owner);
  return next;
}

function applyToModel(model: ReadonlyMap<string, number>, writes: readonly Write[]): Map<string, number> {
  const next = new Map(model);
  for (const [pk, n] of writes) {
    if (n === undefined) next.delete(pk);
    else next.set(pk, n);
  }
  return next;
}

function contents(table: Table<Value>): Map<string, number> {
  return new Map([...table.entries()].map(([pk, { n }]) => [pk, n]));
}

function filled(count: number): Table<Value> {
  const owner = {};
  let table = Table.empty<Value>();
  for (let n = 0; n < count; n++) table = table.with(`pk${n}`, { n }, owner);
  return table;
}

describe('Table', () => {
  it('Table behaves like a Map whose versions all stay readable', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            from: fc.nat(),
            writes: fc.array(write, { minLength: 1, maxLength: 80 }),
            inOneTransaction: fc.boolean(),
          }),
          { maxLength: 10 },
        ),
        (steps) => {
          const versions: { table: Table<Value>; model: Map<string, number> }[] = [
            { table: Table.empty<Value>(), model: new Map() },
          ];
          for (const { from, writes, inOneTransaction } of steps) {
            const start = versions[from % versions.length]!;
            const owner = inOneTransaction ? {} : undefined;
            versions.push({
              table: apply(start.table, writes, owner),
              model: applyToModel(start.model, writes),
            });
          }
          for (const { table, model } of versions) {
            expect(contents(table)).toEqual(model);
            expect(table.size).toBe(model.size);
            const wrong = every.filter((pk) => table.get(pk)?.n !== model.get(pk));
            expect(wrong).toEqual([]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([31, 32, 33, 1_023, 1_024, 1_025, 33_000])('Table holds %i values', (count) => {
    const table = filled(count);
    expect(table.size).toBe(count);
    expect([...table.entries()].map(([pk, { n }]) => [pk, n])).toEqual(
      Array.from({ length: count }, (_, n) => [`pk${n}`, n]),
    );
    expect(table.get(`pk${count}`)).toBeUndefined();
    expect(table.get(`pk${count - 1}`)).toEqual({ n: count - 1 });
  });

  it('a version of a Table does not see what another version added', () => {
    const before = filled(10);
    let after = before;
    for (let n = 10; n < 5_000; n++) after = after.with(`pk${n}`, { n });
    expect(before.size).toBe(10);
    expect(before.get('pk4999')).toBeUndefined();
    expect(before.with('pk4999', { n: -1 }).get('pk4999')).toEqual({ n: -1 });
    expect(after.get('pk4999')).toEqual({ n: 4_999 });
    expect([...before.entries()]).toHaveLength(10);
  });

  it('a transaction does not change chunks of another transaction', () => {
    const table = filled(100);
    const [first, second] = [{}, {}];
    const a = table.with('pk1', { n: -1 }, first);
    const b = a.with('pk2', { n: -2 }, second);
    expect(a.get('pk2')).toEqual({ n: 2 });
    expect(b.get('pk1')).toEqual({ n: -1 });
  });

  it('map transforms each value, and returns the same Table if nothing changes', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 300 }), fc.nat(4), fc.boolean(), (writes, rest, isOwn) => {
        const owner = {};
        const table = apply(Table.empty<Value>(), writes, isOwn ? owner : undefined);
        const before = contents(table);
        const seen: string[] = [];
        const mapped = table.map((value, pk) => {
          seen.push(pk);
          return value.n % 5 === rest ? { n: -value.n - 1 } : value;
        }, owner);
        expect(seen).toEqual([...before.keys()]);
        expect(contents(mapped)).toEqual(
          new Map([...before].map(([pk, n]) => [pk, n % 5 === rest ? -n - 1 : n])),
        );
        expect(mapped.size).toBe(before.size);
        if (!isOwn) expect(contents(table)).toEqual(before);
        expect(table.map((value) => value, {})).toBe(table);
      }),
    );
  });

  it('deleting an absent key returns the same Table', () => {
    const table = filled(5);
    expect(table.without('nothing')).toBe(table);
    const without = table.without('pk1');
    expect(without.without('pk1')).toBe(without);
  });

  it('old versions of a Table stay complete while a newer one is emptied and filled again', () => {
    const full = filled(1_000);
    let table = full;
    const versions: Table<Value>[] = [];
    for (let n = 0; n < 1_000; n++) {
      table = table.without(`pk${n}`);
      if (n % 100 === 50) versions.push(table);
    }
    expect(table.size).toBe(0);
    expect([...table.entries()]).toEqual([]);
    const again = table.with('pk7', { n: 7 });
    expect([...again.entries()]).toEqual([['pk7', { n: 7 }]]);
    versions.forEach((version, index) => {
      const removed = index * 100 + 51;
      expect(version.size).toBe(1_000 - removed);
      expect([...version.entries()].map(([, { n }]) => n)).toEqual(
        Array.from({ length: 1_000 - removed }, (_, offset) => removed + offset),
      );
    });
    expect(full.size).toBe(1_000);
    expect(full.get('pk0')).toEqual({ n: 0 });
  });

  it('Table does not grow with additions and removals', () => {
    // 200,000 temporary rows beside one that stays: unless holes are dropped, walking the rest gets slow.
    let table = Table.empty<Value>().with('stays', { n: 0 });
    for (let n = 0; n < 200_000; n++) table = table.with(`temporary${n}`, { n }).without(`temporary${n}`);
    expect([...table.entries()]).toEqual([['stays', { n: 0 }]]);
    // Slots are numbered consecutively: the next number is the number of slots to walk.
    expect(table.slotOf('next')).toBeLessThan(1_000);
  });
});
