import { inspect } from 'node:util';
import { jest } from '@jest/globals';

/**
 * Runs a function, and returns how often `then` was called on the promise on which it was called most, of those that
 * are still pending: each call stays in memory until the promise settles.
 */
export async function reactionsLeft(run: () => Promise<unknown>): Promise<number> {
  const counts = new Map<unknown, number>();
  const { then } = Promise.prototype; // called with its promise below
  const spy = jest.spyOn(Promise.prototype, 'then').mockImplementation(function (this: unknown, ...args) {
    counts.set(this, (counts.get(this) ?? 0) + 1);
    return Reflect.apply(then, this, args);
  });
  await run();
  spy.mockRestore();
  const pending = [...counts].filter(([promise]) => inspect(promise).includes('<pending>'));
  return Math.max(0, ...pending.map(([, count]) => count));
}
