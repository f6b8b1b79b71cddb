import { describe, expect, it } from '@jest/globals';
import { OrderClock } from '../../src/store/OrderClock.ts';

describe('OrderClock', () => {
  it('OrderClock never returns an order twice, however many there are in one millisecond', () => {
    const clock = new OrderClock(() => 1_000);
    const orders = Array.from({ length: 5_000 }, () => clock.tick());
    expect(new Set(orders).size).toBe(5_000);
    expect(orders).toEqual([...orders].sort((left, right) => left - right));
  });

  it('OrderClock continues when the system clock jumps back', () => {
    let now = 1_000_000;
    const clock = new OrderClock(() => now);
    const before = clock.tick();
    now = 5;
    expect(clock.tick()).toBeGreaterThan(before);
  });

  it('OrderClock follows real time, so that orders of two tabs compare', () => {
    let now = 1_000;
    const [first, second] = [new OrderClock(() => now), new OrderClock(() => now)];
    for (let n = 0; n < 100; n++) first.tick();
    const early = first.tick();
    now += 1;
    expect(second.tick()).toBeGreaterThan(early);
  });

  it('OrderClock returns a later order than every order that it has observed', () => {
    const clock = new OrderClock(() => 1_000);
    const foreign = 5_000 * 1_024;
    clock.witness(foreign);
    expect(clock.tick()).toBeGreaterThan(foreign);
    clock.witness(1);
    expect(clock.tick()).toBeGreaterThan(foreign);
  });

  it('OrderClock returns safe integers above zero', () => {
    expect(new OrderClock(() => 0).tick()).toBeGreaterThan(0);
    expect(Number.isSafeInteger(new OrderClock(() => Date.UTC(2200, 0)).tick())).toBe(true);
    expect(Number.isSafeInteger(new OrderClock(() => 1_000.7).tick())).toBe(true);
  });
});
