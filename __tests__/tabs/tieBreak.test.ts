import { describe, expect, it } from '@jest/globals';
import { Entity, type Meta } from 'holdfast';
import { afterTieBreak, losesTieBreak } from '../../plugins/tabs/tieBreak.ts';
import { openTab } from '../support/tabs.ts';
import { Network } from './network.ts';

interface Written {
  readonly value: unknown;
  readonly meta: Meta;
}

class Draft extends Entity {
  id = '';
  title = '';
  body = '';
  tag = '';
  static override key = 'Draft';
}

function read(value: unknown, order: number, expiresAt = 50): Written {
  return { value, meta: { requestedAt: 0, receivedAt: 0, expiresAt, order, answered: 0 } };
}

function mutation(value: unknown, order: number, answered = order): Written {
  return { value, meta: { ...read(value, order).meta, answered } };
}

describe('between two tabs', () => {
  it.each([
    ['answers of one order', read({ a: 1 }, 5), read({ a: 2 }, 5)],
    ['writes of one order', mutation({ a: 1 }, 5), mutation({ a: 2 }, 5)],
    ['a deletion and a value', mutation(undefined, 5), mutation({ a: 1 }, 5)],
    ['a read and a mutation answered as it began', read({ a: 1 }, 5), mutation({ a: 2 }, 4, 5)],
    ['mutations answered one after the other', mutation({ a: 1 }, 5, 6), mutation({ a: 2 }, 5, 7)],
    ['an answer and its expiration', read('pk', 5), read('pk', 5, 0)],
    ['values that JSON does not know', mutation({ a: 1n }, 5), mutation({ a: 2n }, 5)],
  ])('exactly one of two versions loses the tie: %s', (_name, left, right) => {
    expect(losesTieBreak(left, right)).not.toBe(losesTieBreak(right, left));
  });

  it('a newer or older version is no tie', () => {
    expect(losesTieBreak(read('a', 5), read('b', 6))).toBe(false);
    expect(losesTieBreak(read('b', 6), read('a', 5))).toBe(false);
    expect(losesTieBreak(read('a', 5), undefined)).toBe(false);
  });

  it('the version that expires sooner wins a tie, and a mutation wins against a read', () => {
    expect(losesTieBreak(read('pk', 5), read('pk', 5, 0))).toBe(true);
    expect(losesTieBreak(read({ z: 1 }, 5), mutation({ a: 1 }, 4, 5))).toBe(true);
  });

  it('an equal version loses the tie, because it need not be applied again', () => {
    expect(losesTieBreak(read({ a: 1 }, 5), read({ a: 1 }, 5))).toBe(true);
  });

  it('a version that was merged with the stored one does not lose the tie', () => {
    const { meta } = read({}, 5);
    expect(losesTieBreak(read({ a: 1, b: 1 }, 5), read({ b: 1 }, 5), meta)).toBe(false);
    expect(losesTieBreak(read({ a: 1, b: 1 }, 5), read({ b: 1 }, 5))).toBe(true);
  });
});

describe('rows that two tabs write within one millisecond', () => {
  it('both tabs have the fields of both, and the same value where the two differ', async () => {
    const network = new Network();
    network.install();
    const [first, second] = [openTab({ now: () => 1_000 }), openTab({ now: () => 1_000 })];
    await network.deliver();
    first.controller.set(Draft, { id: '1' }, { id: '1', title: 'first', body: 'long' });
    second.controller.set(Draft, { id: '1' }, { id: '1', title: 'second', tag: 'new' });
    await network.deliver();
    const [here, there] = [first, second].map(({ controller }) => controller.get(Draft, { id: '1' }));
    expect(here).toEqual(there);
    expect(here).toMatchObject({ body: 'long', tag: 'new' });
    network.restore();
  });

  it('nothing is left to merge of an equal version, of a deletion, and of what a deletion wins against', () => {
    const row = (value: Record<string, unknown> | undefined) => ({ value, meta: read(value, 5).meta });
    expect(afterTieBreak(row({ a: 1 }), row({ a: 1 }))).toBeUndefined();
    const [kept, gone] = [row({ a: 1 }), row(undefined)];
    const left = [afterTieBreak(kept, gone), afterTieBreak(gone, kept)];
    expect(left.filter((merged) => merged !== undefined)).toHaveLength(1);
  });
});
