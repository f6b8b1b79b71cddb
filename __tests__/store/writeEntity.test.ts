import { describe, expect, it } from '@jest/globals';
import { Entity, type EntityValue, type Meta, type StoredRow } from 'holdfast';
import { normalize } from '../../src/schema/normalize.ts';
import type { Schema } from '../../src/schema/Schema.ts';
import { EntityRegistry } from '../../src/store/EntityRegistry.ts';
import { emptyState } from '../../src/store/State.ts';
import { transact } from '../../src/store/transaction.ts';
import { mergeRows, writeNormalized } from '../../src/store/writeEntity.ts';
import { mutationMeta, readMeta, row, tombstone } from './rows.ts';
import { Article } from '../support/entities.ts';

/** What is stored after these writes of one row, one after another. */
function after(...writes: readonly StoredRow[]): StoredRow | undefined {
  return writes.reduce<StoredRow | undefined>(
    (existing, incoming) => mergeRows(Article, existing, incoming),
    undefined,
  );
}

function valueAfter(...writes: readonly StoredRow[]): EntityValue | undefined {
  return after(...writes)?.value;
}

describe('a row', () => {
  it('a row takes newer fields and keeps those that the newer write lacks', () => {
    expect(valueAfter(row({ a: 1, b: 1 }, readMeta(1)), row({ b: 2 }, readMeta(2)))).toEqual({ a: 1, b: 2 });
  });

  it('a row is only filled in by an older read', () => {
    expect(valueAfter(row({ b: 2 }, readMeta(2)), row({ a: 1, b: 1 }, readMeta(1)))).toEqual({ a: 1, b: 2 });
    expect(after(row({ b: 2 }, readMeta(2)), row({ b: 1 }, readMeta(1)))?.meta).toEqual(readMeta(2));
  });

  it('a row takes the times and order of the newer write', () => {
    expect(after(row({ a: 1 }, readMeta(1)), row({ a: 1 }, readMeta(2)))?.meta).toEqual(readMeta(2));
  });

  it('a row is not overwritten by a read that began before a mutation was answered', () => {
    const mutated = row({ title: 'mutated' }, mutationMeta(5, 8));
    expect(valueAfter(mutated, row({ title: 'read' }, readMeta(4)))).toEqual({ title: 'mutated' });
    expect(valueAfter(mutated, row({ title: 'read' }, readMeta(7)))).toEqual({ title: 'mutated' });
    expect(valueAfter(mutated, row({ title: 'read' }, readMeta(9)))).toEqual({ title: 'read' });
  });

  it('a row is overwritten by a mutation that was answered after the stored read began', () => {
    expect(
      valueAfter(row({ title: 'read' }, readMeta(6)), row({ title: 'mutated' }, mutationMeta(5, 8))),
    ).toEqual({
      title: 'mutated',
    });
    expect(
      valueAfter(row({ title: 'read' }, readMeta(9)), row({ title: 'mutated' }, mutationMeta(5, 8))),
    ).toEqual({
      title: 'read',
    });
  });

  it('a row takes the mutation that began later, whichever was answered first', () => {
    const [first, second] = [row({ n: 1 }, mutationMeta(1, 9)), row({ n: 2 }, mutationMeta(2, 5))];
    expect(valueAfter(first, second)).toEqual({ n: 2 });
    expect(valueAfter(second, first)).toEqual({ n: 2 });
  });

  it('a row is deleted whole, and by nothing older', () => {
    expect(after(row({ a: 1 }, readMeta(1)), tombstone(mutationMeta(2, 3)))?.value).toBeUndefined();
    expect(valueAfter(row({ a: 1 }, readMeta(4)), tombstone(mutationMeta(2, 3)))).toEqual({ a: 1 });
  });

  it('a deleted row is not restored by a read that began before the deletion was answered', () => {
    const deleted = tombstone(mutationMeta(5, 8));
    expect(after(deleted, row({ a: 1 }, readMeta(4)))).toEqual(deleted);
    expect(after(deleted, row({ a: 1 }, readMeta(7)))).toEqual(deleted);
  });

  it('a deleted row is restored without its old fields by a read that started after the deletion', () => {
    expect(
      valueAfter(
        row({ a: 1, old: true }, readMeta(1)),
        tombstone(mutationMeta(2, 3)),
        row({ a: 2 }, readMeta(4)),
      ),
    ).toEqual({ a: 2 });
  });

  it('a deleted row is restored by a later mutation', () => {
    expect(valueAfter(tombstone(mutationMeta(2, 3)), row({ a: 2 }, mutationMeta(4, 5)))).toEqual({ a: 2 });
  });

  it('a row keeps the identity of a value that is equal, part by part', () => {
    const stored = after(row({ id: '1', tags: ['a'], deep: { x: [1, { y: 2 }], at: new Date(5) } }))!;
    const again = mergeRows(
      Article,
      stored,
      row({ id: '1', tags: ['a'], deep: { x: [1, { y: 2 }], at: new Date(5) } }, readMeta(2)),
    );
    expect(again.value).toBe(stored.value);
    const changed = mergeRows(
      Article,
      stored,
      row({ id: '1', tags: ['b'], deep: { x: [1, { y: 2 }], at: new Date(5) } }),
    );
    expect(changed.value?.deep).toBe(stored.value?.deep);
    expect(changed.value?.tags).toEqual(['b']);
  });

  it('a row is the very same row when a write comes twice, such as from disk', () => {
    const stored = after(row({ id: '1' }, readMeta(3)))!;
    expect(mergeRows(Article, stored, row({ id: '1' }, readMeta(3)))).toBe(stored);
    expect(mergeRows(Article, stored, row({ id: '1' }, readMeta(2)))).toBe(stored);
    const deleted = tombstone(mutationMeta(4, 5));
    expect(mergeRows(Article, deleted, row({ id: '1' }, readMeta(2)))).toBe(deleted);
  });

  it('a row merged elsewhere replaces the version it was merged with, and is merged with any other', () => {
    const over = readMeta(1);
    const stored = after(row({ a: 1, b: 1 }, over))!;
    const incoming = row({ a: 2 }, readMeta(3));
    expect(mergeRows(Article, stored, incoming, over)).toEqual(incoming);
    expect(mergeRows(Article, stored, row({ b: 1, a: 1 }, readMeta(3)), over).value).toBe(stored.value);
    expect(mergeRows(Article, stored, incoming, readMeta(2)).value).toEqual({ a: 2, b: 1 });
    expect(mergeRows(Article, stored, incoming).value).toEqual({ a: 2, b: 1 });
  });

  it('a stored row is frozen, and independent of its response', () => {
    const response = { id: '1', tags: ['a'], deep: { list: [{ x: 1 }] } };
    const stored = after(row(response))!;
    response.tags.push('b');
    response.deep.list[0]!.x = 5;
    expect(stored.value).toEqual({ id: '1', tags: ['a'], deep: { list: [{ x: 1 }] } });
    expect(Object.isFrozen(stored.value)).toBe(true);
    expect(Object.isFrozen(stored.value?.tags)).toBe(true);
  });

  it('a row is combined by the merge of its class, older before newer', () => {
    class Log extends Entity {
      id = '';
      static override merge(existing: EntityValue, incoming: EntityValue): EntityValue {
        return {
          ...existing,
          ...incoming,
          lines: [...(existing.lines as string[]), ...(incoming.lines as string[])],
        }; // every row here has them
      }
    }
    const stored = mergeRows(Log, row({ lines: ['b'] }, readMeta(2)), row({ lines: ['c'] }, readMeta(3)));
    expect(stored.value).toEqual({ lines: ['b', 'c'] });
    expect(mergeRows(Log, stored, row({ lines: ['a'] }, readMeta(1))).value).toEqual({
      lines: ['a', 'b', 'c'],
    });
  });

  it('a row is combined field by field where the class is not known', () => {
    expect(mergeRows(undefined, row({ a: 1, b: 1 }, readMeta(1)), row({ b: 2 }, readMeta(2))).value).toEqual({
      a: 1,
      b: 2,
    });
    expect(mergeRows(undefined, row({ b: 2 }, readMeta(2)), row({ a: 1, b: 1 }, readMeta(1))).value).toEqual({
      a: 1,
      b: 2,
    });
  });

  it('a row stays unchanged when shouldUpdate returns false', () => {
    class Fixed extends Entity {
      id = '';
      static override shouldUpdate(): boolean {
        return false;
      }
    }
    const stored = mergeRows(Fixed, undefined, row({ n: 1 }, readMeta(1)));
    expect(mergeRows(Fixed, stored, row({ n: 2 }, readMeta(2))).value).toBe(stored.value);
  });

  it('a row keeps the fields of the newest read, in whatever order responses arrive', () => {
    const writes = [
      row({ a: 1, b: 1, c: 1 }, readMeta(1)),
      row({ b: 2 }, readMeta(2)),
      row({ c: 3, d: 3 }, readMeta(3)),
    ] as const;
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ] as const;
    const newest = (order: readonly (0 | 1 | 2)[]): Meta | undefined =>
      after(...order.map((n) => writes[n]))?.meta;
    for (const order of orders) {
      expect(newest(order)).toEqual(readMeta(3));
      expect(valueAfter(...order.map((n) => writes[n]))).toMatchObject({ a: 1, c: 3, d: 3 });
    }
  });
});

describe('a relation that only another class of the table declares', () => {
  class Link extends Entity {
    id = '';
    static override key = 'Link';
    static override schema: Readonly<Record<string, Schema>> = {};
  }
  Link.schema = { next: Link, list: [Link] };
  class LinkWithoutRelations extends Entity {
    id = '';
    static override key = 'Link';
  }

  /** Entities 0 to `length - 1`, each in the field `next` of the one before. */
  function chain(length: number, last: object = {}): object {
    let link: object = { id: length - 1, ...last };
    for (let id = length - 2; id >= 0; id--) link = { id, next: link };
    return link;
  }

  function written(...responses: readonly object[]): (id: string) => EntityValue | undefined {
    const registry = new EntityRegistry();
    registry.add(Link);
    const { state } = transact(emptyState(), (writer) => {
      writeNormalized(writer, normalize([LinkWithoutRelations], responses), readMeta(1), registry);
    });
    return (id) => state.tables['Link']?.get(id)?.value;
  }

  it('a relation that only another class declares is stored by that class, however deep', () => {
    const valueOf = written(chain(900));
    expect(valueOf('0')).toEqual({ id: 0, next: '1' });
    expect(valueOf('899')).toEqual({ id: 899 });
  });

  it('a relation that only another class declares stays as it came if an error lies far below it', () => {
    const broken = chain(100, { list: 'none' });
    const valueOf = written(broken, { id: 'after', next: chain(100) });
    expect(valueOf('after')).toEqual({ id: 'after', next: '0' });
    expect(valueOf('0')).toEqual({ id: 0, next: '1' });
    expect(written(broken)('0')).toEqual(broken);
  });
});
