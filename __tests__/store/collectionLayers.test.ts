import { describe, expect, it } from '@jest/globals';
import { Collection, Entity } from 'holdfast';
import { normalize } from '../../src/schema/normalize.ts';
import type { Schema } from '../../src/schema/Schema.ts';
import { rowOf } from '../../src/store/State.ts';
import { Store } from '../../src/store/Store.ts';
import type { Writer } from '../../src/store/transaction.ts';
import { writeNormalized } from '../../src/store/writeEntity.ts';

class Todo extends Entity {
  id = '';
  static override key = 'Todo';
}
const Todos = new Collection([Todo]);
const options = { action: { type: 'set' }, origin: 'app' } as const;
let order = 0;

function writing(schema: Schema, args: readonly unknown[], value: unknown): (writer: Writer) => void {
  order += 1;
  const meta = { requestedAt: 0, receivedAt: 0, expiresAt: Infinity, order, answered: 0 };
  const normalized = normalize(schema, value, args);
  return (writer) => {
    writeNormalized(writer, normalized, meta);
  };
}

const members = (store: Store, pk: string): unknown => rowOf(store.head, '[Todo]', pk)?.value?.['members'];

describe('collections under optimistic layers', () => {
  const quiet = { changed: () => undefined, committed: () => undefined };

  it('grow by what is pending, also those that arrive meanwhile, and shrink when it fails', () => {
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
});
