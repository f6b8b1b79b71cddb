import { describe, expect, it } from '@jest/globals';
import { Collection, Entity } from 'holdfast';
import { normalize } from '../../src/schema/normalize.ts';
import type { Schema } from '../../src/schema/Schema.ts';
import { EntityRegistry } from '../../src/store/EntityRegistry.ts';
import { hasUnreadChanges } from '../../src/store/lazyListRow.ts';
import { rowOf, type StoredRow } from '../../src/store/State.ts';
import { Store } from '../../src/store/Store.ts';
import type { Writer } from '../../src/store/transaction.ts';
import { writeNormalized } from '../../src/store/writeEntity.ts';

class TodoWithoutFields extends Entity {
  id = '';
  static override key = 'Todo';
}
const Todos = new Collection([TodoWithoutFields]);
const options = { action: { type: 'set' }, origin: 'app' } as const;
const registry = new EntityRegistry();
let order = 0;

function writing(schema: Schema, args: readonly unknown[], value: unknown): (writer: Writer) => void {
  order += 1;
  const meta = { requestedAt: 0, receivedAt: 0, expiresAt: Infinity, order, answered: 0 };
  const normalized = normalize(schema, value, args);
  return (writer) => {
    writeNormalized(writer, normalized, meta, registry);
  };
}

const members = (store: Store, pk: string): unknown => rowOf(store.head, '[Todo]', pk)?.value?.['members'];

describe('collections under optimistic layers', () => {
  const quiet = { changed: () => undefined, committed: () => undefined };

  it('collections include pending additions, also those that arrive concurrently, and shrink when one fails', () => {
    const store = new Store(quiet);
    store.commit(writing(Todos, [{}], [{ id: 'a' }]), options);
    const first = store.addLayer(writing(Todos.push, [{ user: 1 }], { id: 'new' }), options);
    const second = store.addLayer(writing(Todos.push, [{ user: 1 }], { id: 'next' }), options);
    expect(members(store, '{}')).toEqual(['a', 'new', 'next']);
    store.commit(writing(Todos, [{ user: 1 }], [{ id: 'b' }]), options);
    expect(members(store, '{"user":"1"}')).toEqual(['b', 'new', 'next']);
    store.commit(() => undefined, { ...options, settled: [first] });
    expect(members(store, '{}')).toEqual(['a', 'next']);
    expect(members(store, '{"user":"1"}')).toEqual(['b', 'next']);
    store.commit(writing(Todos.push, [{ user: 1 }], { id: '7' }), { ...options, settled: [second] });
    expect(members(store, '{"user":"1"}')).toEqual(['b', '7']);
    expect(store.head).toBe(store.base);
  });

  it('collections do not compute a list without readers, however many additions there are', () => {
    const store = new Store(quiet);
    store.commit(writing(Todos, [{}], [{ id: 'a' }]), options);
    const layers = Array.from({ length: 1_000 }, (_, place) =>
      store.addLayer(writing(Todos.push, [{}], { id: `pending ${place}` }), options),
    );
    const list = (): StoredRow => rowOf(store.head, '[Todo]', '{}')!;
    expect(hasUnreadChanges(list())).toBe(true);
    // Part of them is answered at once.
    store.batch(() => {
      for (let place = 0; place < 500; place++)
        store.commit(writing(Todos.push, [{}], { id: `made ${place}` }), { ...options, deferRebase: true });
      store.commit(() => undefined, { ...options, settled: layers.slice(0, 500) });
    }, options);
    expect(hasUnreadChanges(list())).toBe(true);
    expect(hasUnreadChanges(rowOf(store.base, '[Todo]', '{}')!)).toBe(true);
    const all = members(store, '{}') as readonly string[];
    expect([all[0], all[1], all[500], all[501], all[1_000], all.length]).toEqual([
      ...['a', 'made 0', 'made 499', 'pending 500', 'pending 999'],
      1_001,
    ]);
    expect(members(store, '{}')).toBe(all);
    expect(structuredClone(list())).toEqual({ value: { members: all }, meta: list().meta });
  });

  it('collections apply pending additions and removals in order, and undo a removal that fails', () => {
    const store = new Store(quiet);
    store.commit(writing(Todos, [{}], [{ id: 'a' }, { id: 'b' }]), options);
    store.commit(writing(Todos.push, [{}], { id: 'c' }), options);
    const removal = store.addLayer(writing(Todos.remove, [{ user: 1 }], [{ id: 'a' }, { id: 'c' }]), options);
    const addition = store.addLayer(writing(Todos.push, [{}], { id: 'c' }), options);
    store.addLayer(writing(Todos.unshift, [{}], { id: 'd' }), options);
    expect(members(store, '{}')).toEqual(['d', 'b', 'c']);
    // A list that arrives now lacks what is being removed, too.
    store.commit(writing(Todos, [{ user: 1 }], [{ id: 'a' }, { id: 'e' }]), options);
    expect(members(store, '{"user":"1"}')).toEqual(['e']);
    store.commit(() => undefined, { ...options, settled: [addition] });
    expect(members(store, '{}')).toEqual(['d', 'b']);
    store.commit(() => undefined, { ...options, settled: [removal] });
    expect(members(store, '{}')).toEqual(['d', 'a', 'b', 'c']);
  });

  it('collections keep a list whose recomputed members are the same', () => {
    const store = new Store(quiet);
    store.commit(writing(Todos, [{}], [{ id: 'a' }]), options);
    const pending = store.addLayer(writing(Todos.push, [{}], { id: 'b' }), options);
    const shown = members(store, '{}');
    store.commit(writing(Todos.push, [{}], { id: 'b' }), { ...options, settled: [pending] });
    expect(members(store, '{}')).toBe(shown);
    store.commit(writing(Todos.push, [{}], { id: 'b' }), options);
    expect(members(store, '{}')).toBe(shown);
  });
});
