import { describe, expect, it } from '@jest/globals';
import type { Changes, Commit } from 'holdfast';
import { Store } from '../../src/store/Store.ts';
import { contents, result, row } from './rows.ts';

const options = { action: { type: 'set' }, origin: 'app' } as const;

/** A store with its notifications. */
function told(): { store: Store; commits: Commit[]; changed: Changes[] } {
  const commits: Commit[] = [];
  const changed: Changes[] = [];
  const store = new Store({
    changed: (changes) => void changed.push(changes),
    committed: (commit) => void commits.push(commit),
  });
  return { store, commits, changed };
}

function rowsOf(changes: Changes): string[] {
  return [...changes.rows].flatMap(([table, rows]) => [...rows.keys()].map((pk) => `${table}/${pk}`)).sort();
}

describe('a store', () => {
  it('a store reports each commit with its kind and its changes', () => {
    const { store, commits } = told();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), {
      action: { type: 'fetch', name: 'get', key: 'get 1', args: [1] },
      origin: 'network',
      side: { outbox: [['entry', 1]] },
    });
    expect(commits).toHaveLength(1);
    const [commit] = commits;
    expect(commit).toMatchObject({
      action: { type: 'fetch', name: 'get', key: 'get 1', args: [1] },
      origin: 'network',
      side: { outbox: [['entry', 1]] },
      settled: [],
    });
    expect(commit?.base).toBe(store.base);
    expect(commit?.head).toBe(store.head);
    expect(rowsOf(commit!.baseChanges)).toEqual(['Article/1']);
    expect(rowsOf(commit!.headChanges)).toEqual(['Article/1']);
  });

  it('a store does not notify when nothing was written', () => {
    const { store, commits, changed } = told();
    store.commit(() => undefined, options);
    expect([commits, changed]).toEqual([[], []]);
  });

  it('a store notifies of a side record although no row was written', () => {
    const { store, commits } = told();
    store.commit(() => undefined, { ...options, side: { outbox: [['entry', undefined]] } });
    expect(commits).toHaveLength(1);
  });

  it('a store keeps everything when a recipe throws', () => {
    const { store, commits } = told();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), options);
    const { base, head } = store;
    expect(() =>
      store.commit((writer) => {
        writer.setRow('Article', '1', row({ n: 2 }));
        throw new Error('Refused');
      }, options),
    ).toThrow('Refused');
    expect(store.base).toBe(base);
    expect(store.head).toBe(head);
    expect(commits).toHaveLength(1);
  });

  it('a store applies pending layers over the confirmed data, and only head shows them', () => {
    const { store, commits } = told();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), options);
    const id = store.addLayer((writer) => writer.setRow('Article', '1', row({ n: 2 })), options);
    expect(contents(store.base).rows.get('Article/1')?.value).toEqual({ n: 1 });
    expect(contents(store.head).rows.get('Article/1')?.value).toEqual({ n: 2 });
    expect(rowsOf(commits[1]!.baseChanges)).toEqual([]);
    expect(rowsOf(commits[1]!.headChanges)).toEqual(['Article/1']);
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 3 })), { ...options, settled: [id] });
    expect(contents(store.head).rows.get('Article/1')?.value).toEqual({ n: 3 });
    expect(commits[2]).toMatchObject({ settled: [id] });
    expect(store.head).toBe(store.base);
  });

  it('a store keeps a shown value if the response, or a layer replayed on it, gives an equal one', () => {
    const { store } = told();
    const valueOf = () => contents(store.head).rows.get('Article/1')?.value;
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), options);
    const first = store.addLayer((writer) => writer.setRow('Article', '1', row({ n: 2 })), options);
    store.addLayer(
      (writer) => writer.setRow('Article', '2', row({ n: writer.row('Article', '1') })),
      options,
    );
    const shown = valueOf();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 2 })), { ...options, settled: [first] });
    expect(valueOf()).toBe(shown);
    store.addLayer((writer) => writer.setRow('Article', '1', row({ n: 3 })), options);
    const replayed = valueOf();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 4 })), options);
    expect(valueOf()).toBe(replayed);
  });

  it('a store returns to the confirmed data when a layer is dropped', () => {
    const { store, commits } = told();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), options);
    const confirmed = contents(store.base).rows.get('Article/1');
    const id = store.addLayer((writer) => writer.deleteRow('Article', '1'), options);
    store.commit(() => undefined, { ...options, settled: [id] });
    expect(contents(store.head).rows.get('Article/1')).toBe(confirmed);
    expect(rowsOf(commits[2]!.headChanges)).toEqual(['Article/1']);
    expect(rowsOf(commits[2]!.baseChanges)).toEqual([]);
  });

  it('a store does not notify head of a confirmed change that a layer hides', () => {
    const { store, commits } = told();
    const hidden = result('optimistic');
    store.addLayer((writer) => writer.setResult('key', hidden), options);
    store.commit((writer) => writer.setResult('key', result('confirmed')), options);
    expect([...commits[1]!.baseChanges.results.keys()]).toEqual(['key']);
    expect([...commits[1]!.headChanges.results.keys()]).toEqual([]);
  });
});

describe('a batch', () => {
  it('a batch is one commit, with the values from before its first write', () => {
    const { store, commits } = told();
    store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), options);
    const before = contents(store.base).rows.get('Article/1');
    const value = store.batch(
      () => {
        store.commit((writer) => writer.setRow('Article', '1', row({ n: 2 })), {
          ...options,
          side: { a: [['k', 1]] },
        });
        expect(contents(store.head).rows.get('Article/1')?.value).toEqual({ n: 2 });
        store.commit((writer) => writer.setRow('Article', '1', row({ n: 3 })), {
          ...options,
          side: { a: [['l', 2]], b: [['k', 3]] },
        });
        store.commit((writer) => writer.setRow('Article', '2', row({ n: 4 })), options);
        return 'value';
      },
      { action: { type: 'batch' }, origin: 'app' },
    );
    expect(value).toBe('value');
    expect(commits).toHaveLength(2);
    expect(commits[1]).toMatchObject({ action: { type: 'batch' }, side: { a: [['k', 1], ['l', 2]], b: [['k', 3]] } }); // oxfmt-ignore
    expect(rowsOf(commits[1]!.baseChanges)).toEqual(['Article/1', 'Article/2']);
    expect(commits[1]!.baseChanges.rows.get('Article')?.get('1')).toBe(before);
  });

  it('a batch does not report changes that it reverted itself', () => {
    const { store, commits } = told();
    store.commit((writer) => writer.setResult('a', result(1)), options);
    const before = store.base.results.get('a')!;
    store.batch(() => {
      store.commit((writer) => writer.setResult('a', result(2)), options);
      store.commit((writer) => writer.setResult('a', before), options);
    }, options);
    expect(commits).toHaveLength(1);
  });

  it('a batch notifies of changes at once, and of its commit when it ends', () => {
    const { store, commits, changed } = told();
    store.batch(() => {
      store.commit((writer) => writer.setRow('Article', '1', row({ n: 1 })), options);
      expect(changed).toHaveLength(1);
      expect(commits).toHaveLength(0);
    }, options);
    expect(commits).toHaveLength(1);
  });

  it('a batch within a batch belongs to the outer one', () => {
    const { store, commits } = told();
    store.batch(() => {
      store.batch(() => store.commit((writer) => writer.setResult('a', result(1)), options), options);
      expect(commits).toHaveLength(0);
      store.commit((writer) => writer.setResult('b', result(2)), options);
    }, options);
    expect(commits).toHaveLength(1);
  });

  it('a batch that throws keeps its earlier writes and notifies of them', () => {
    const { store, commits } = told();
    expect(() =>
      store.batch(() => {
        store.commit((writer) => writer.setResult('a', result(1)), options);
        throw new Error('Refused');
      }, options),
    ).toThrow('Refused');
    expect(commits).toHaveLength(1);
    store.commit((writer) => writer.setResult('b', result(2)), options);
    expect(commits).toHaveLength(2);
  });

  it('a batch without writes does not commit', () => {
    const { store, commits } = told();
    store.batch(() => undefined, options);
    expect(commits).toHaveLength(0);
  });
});

describe('reset', () => {
  it('a reset removes all data and layers, and reports them', () => {
    const { store, commits } = told();
    store.commit((writer) => {
      writer.setRow('Article', '1', row({ n: 1 }));
      writer.setResult('key', result(['1']));
    }, options);
    const id = store.addLayer((writer) => writer.setRow('Article', '2', row({ n: 2 })), options);
    store.reset({ action: { type: 'reset' }, origin: 'app' });
    expect(contents(store.base)).toEqual({ rows: new Map(), results: new Map() });
    expect(store.head).toBe(store.base);
    const commit = commits.at(-1)!;
    expect(commit.settled).toEqual([id]);
    expect(rowsOf(commit.baseChanges)).toEqual(['Article/1']);
    expect(rowsOf(commit.headChanges)).toEqual(['Article/1', 'Article/2']);
    expect([...commit.headChanges.results.keys()]).toEqual(['key']);
    // The layer is gone for good.
    store.commit((writer) => writer.setRow('Article', '2', row({ n: 5 })), options);
    expect(contents(store.head).rows.get('Article/2')?.value).toEqual({ n: 5 });
  });
});
