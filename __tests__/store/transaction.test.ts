import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { State } from 'holdfast';
import { produceValue, transact, type Writer } from '../../src/store/transaction.ts';
import { contents, emptyState, result, row } from './rows.ts';

function stateWith(...pks: string[]): State {
  return transact(emptyState(), (writer) => {
    for (const pk of pks) writer.setRow('Article', pk, row({ id: pk }));
    writer.setResult('list', result(pks));
  }).state;
}

describe('transact', () => {
  it('transact leaves its initial state unchanged', () => {
    const before = stateWith('1', '2');
    const known = contents(before);
    const { state } = transact(before, (writer) => {
      writer.setRow('Article', '1', row({ id: '1', title: 'new' }));
      writer.deleteRow('Article', '2');
      writer.setRow('User', '1', row({ id: '1' }));
      writer.deleteResult('list');
    });
    expect(contents(before)).toEqual(known);
    expect([...contents(state).rows.keys()].sort()).toEqual(['Article/1', 'User/1']);
    expect(contents(state).results.size).toBe(0);
  });

  it('transact reports exactly what was written, with the previous values', () => {
    const before = stateWith('1', '2', '3');
    const [one, two, list] = [
      before.tables.Article?.get('1'),
      before.tables.Article?.get('2'),
      before.results.get('list'),
    ];
    const { changes } = transact(before, (writer) => {
      writer.row('Article', '3');
      writer.setRow('Article', '1', row({ id: '1', title: 'a' }));
      writer.setRow('Article', '1', row({ id: '1', title: 'b' }));
      writer.deleteRow('Article', '2');
      writer.setRow('User', 'u', row({ id: 'u' }));
      writer.setResult('list', result([]));
      writer.setResult('other', result(1));
      writer.deleteRow('Article', 'nothing');
      writer.deleteResult('nothing');
    });
    expect(
      Object.fromEntries([...changes.rows].map(([table, rows]) => [table, Object.fromEntries(rows)])),
    ).toEqual({
      Article: { 1: one, 2: two },
      User: { u: undefined },
    });
    expect(Object.fromEntries(changes.results)).toEqual({ list, other: undefined });
    expect(changes.rows.get('Article')?.get('1')).toBe(one);
  });

  it('transact does not report changes that it has reverted itself', () => {
    const before = stateWith('1', '2');
    const [one, list] = [before.tables.Article!.get('1')!, before.results.get('list')!];
    const { changes } = transact(before, (writer) => {
      writer.setRow('Article', '1', row({ title: 'a' }));
      writer.setRow('Article', '1', one);
      writer.setRow('User', 'u', row({ id: 'u' }));
      writer.deleteRow('User', 'u');
      writer.deleteResult('list');
      writer.setResult('list', list);
      writer.setRow('Article', '2', row({ title: 'kept' }));
    });
    expect([...changes.rows].map(([table, rows]) => [table, ...rows.keys()])).toEqual([['Article', '2']]);
    expect(changes.results.size).toBe(0);
  });

  it('transact reports each result that mapResults changed once, except those that were restored', () => {
    const before = transact(emptyState(), (writer) => {
      for (const key of ['a', 'b', 'c']) writer.setResult(key, result(key));
    }).state;
    const { state, changes } = transact(before, (writer) => {
      writer.mapResults((each, key) => (key === 'b' ? each : result('new')));
      writer.setResult('a', result('newer'));
      writer.setResult('c', before.results.get('c')!);
    });
    expect(state.results.get('a')?.value).toBe('newer');
    expect(state.results.get('c')).toBe(before.results.get('c'));
    expect([...changes.resultEntries]).toEqual([['a', before.results.get('a')]]);
    expect([...changes.results]).toEqual([...changes.resultEntries]);
  });

  it('transact writes nothing when the very same row or result is set', () => {
    const before = stateWith('1');
    const { state, changes } = transact(before, (writer) => {
      writer.setRow('Article', '1', writer.row('Article', '1')!);
      writer.setResult('list', writer.result('list')!);
    });
    expect(state).toBe(before);
    expect([changes.rows.size, changes.results.size]).toEqual([0, 0]);
  });

  it('transact shows a recipe its own writes', () => {
    transact(stateWith('1'), (writer) => {
      writer.setRow('Article', '1', row({ title: 'new' }));
      expect(writer.row('Article', '1')?.value).toEqual({ title: 'new' });
      writer.deleteRow('Article', '1');
      expect(writer.row('Article', '1')).toBeUndefined();
      expect(writer.row('Nothing', '1')).toBeUndefined();
      writer.setResult('list', result(5));
      expect(writer.result('list')?.value).toBe(5);
      writer.deleteResult('list');
      expect(writer.result('list')).toBeUndefined();
    });
  });

  it('transact returns the result of the recipe', () => {
    expect(transact(emptyState(), () => 'value').value).toBe('value');
  });

  it('transact changes nothing when the recipe throws', () => {
    const before = stateWith('1');
    const known = contents(before);
    const failing = (writer: Writer): void => {
      writer.setRow('Article', '1', row({ title: 'lost' }));
      writer.setRow('Article', '2', row({ title: 'lost' }));
      throw new Error('Refused');
    };
    expect(() => transact(before, failing)).toThrow('Refused');
    expect(contents(before)).toEqual(known);
    const { state } = transact(before, (writer) => writer.setRow('Article', '3', row({ id: '3' })));
    expect([...contents(state).rows.keys()]).toEqual(['Article/1', 'Article/3']);
  });

  it('transact keeps tables without writes', () => {
    const before = transact(stateWith('1'), (writer) => writer.setRow('User', 'u', row({ id: 'u' }))).state;
    const { state } = transact(before, (writer) => writer.setRow('User', 'u', row({ id: 'u', name: 'Ann' })));
    expect(state.tables.Article).toBe(before.tables.Article);
    expect(state.tables.User).not.toBe(before.tables.User);
    expect(state.results).toBe(before.results);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '🙂', ''])(
    'transact treats %j as an ordinary table, pk and key',
    (name) => {
      const { state } = transact(emptyState(), (writer) => {
        writer.setRow(name, name, row({ id: name }));
        writer.setResult(name, result(name));
      });
      expect(contents(state)).toEqual({
        rows: new Map([[`${name}/${name}`, row({ id: name })]]),
        results: new Map([[name, result(name)]]),
      });
      expect(Object.getPrototypeOf(state.tables)).toBeNull();
      expect(transact(state, (writer) => writer.deleteRow(name, name)).state.tables[name]).toBeUndefined();
    },
  );

  it('transact agrees with plain Maps, through many versions', () => {
    const pks = ['a', 'b', '__proto__', 'c'];
    const write = fc.record({
      table: fc.constantFrom('one', 'two'),
      pk: fc.constantFrom(...pks),
      n: fc.option(fc.nat(9), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(write, { maxLength: 6 }), { maxLength: 10 }), (transactions) => {
        let state = emptyState();
        let model = new Map<string, number>();
        const former: (readonly [State, Map<string, number>])[] = [];
        for (const writes of transactions) {
          former.push([state, model]);
          model = new Map(model);
          state = transact(state, (writer) => {
            for (const { table, pk, n } of writes) {
              if (n === undefined) writer.deleteRow(table, pk);
              else writer.setRow(table, pk, row({ n }));
              if (n === undefined) model.delete(`${table}/${pk}`);
              else model.set(`${table}/${pk}`, n);
            }
          }).state;
        }
        for (const [version, expected] of [...former, [state, model] as const]) {
          const { rows } = contents(version);
          expect(new Map([...rows].map(([name, { value }]) => [name, value?.n]))).toEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('produceValue', () => {
  interface Stored {
    title: string;
    tags: string[];
    at: Date;
  }
  const stored: Stored = Object.freeze({ title: 'one', tags: ['a'], at: new Date(0) });
  Object.freeze(stored.tags);

  it('produceValue returns a changed copy and leaves the original', () => {
    const changed = produceValue(stored, (draft) => {
      draft.title = 'two';
      draft.tags.push('b');
    });
    expect(changed).toEqual({ title: 'two', tags: ['a', 'b'], at: new Date(0) });
    expect(stored).toEqual({ title: 'one', tags: ['a'], at: new Date(0) });
  });

  it('produceValue returns the very same value if nothing was changed', () => {
    expect(produceValue(stored, () => undefined)).toBe(stored);
    expect(
      produceValue(stored, (draft) => {
        draft.title = 'one';
      }),
    ).toBe(stored);
  });

  it('produceValue returns what the recipe returned in its place', () => {
    expect(produceValue(stored, () => ({ title: 'new' }))).toEqual({ title: 'new' });
  });
});
