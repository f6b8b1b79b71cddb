import { describe, expect, it } from '@jest/globals';
import type { Meta } from 'holdfast';
import { losesTieBreak } from '../../plugins/tabs/tieBreak.ts';

interface Written {
  readonly value: unknown;
  readonly meta: Meta;
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
