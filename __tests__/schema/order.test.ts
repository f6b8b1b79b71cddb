import { describe, expect, it } from '@jest/globals';
import type { Meta } from 'holdfast';
import { isOlder } from '../../src/schema/order.ts';

const times = { requestedAt: 0, receivedAt: 0, expiresAt: 0 };
const read = (begun: number): Meta => ({ ...times, order: begun, answered: 0 });
const mutation = (begun: number, answered: number): Meta => ({ ...times, order: begun, answered });

describe('isOlder', () => {
  it('the read that started later wins', () => {
    expect(isOlder(read(1), read(2))).toBe(true);
    expect(isOlder(read(2), read(1))).toBe(false);
  });

  it('the mutation that started later wins, whichever was answered first', () => {
    expect(isOlder(mutation(1, 9), mutation(2, 5))).toBe(true);
    expect(isOlder(mutation(2, 5), mutation(1, 9))).toBe(false);
  });

  it('a mutation wins over a read that began before it was answered', () => {
    expect(isOlder(read(1), mutation(2, 3))).toBe(true);
    expect(isOlder(read(2), mutation(1, 3))).toBe(true);
    expect(isOlder(mutation(2, 3), read(1))).toBe(false);
    expect(isOlder(mutation(1, 3), read(2))).toBe(false);
  });

  it('a read that began after the mutation was answered wins', () => {
    expect(isOlder(read(4), mutation(1, 3))).toBe(false);
    expect(isOlder(mutation(1, 3), read(4))).toBe(true);
  });

  it('parts of one response are not older than each other', () => {
    expect(isOlder(read(1), read(1))).toBe(false);
    expect(isOlder(mutation(1, 2), mutation(1, 2))).toBe(false);
  });
});
