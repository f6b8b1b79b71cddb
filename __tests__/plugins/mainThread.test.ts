import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { yieldInBackground } from '../../plugins/shared/mainThread.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'scheduler');
});

/** Counts the turns that background work gets in a second, where the browser has this scheduler. */
async function turnsInOneSecond(postTask: (task: () => void) => Promise<void>): Promise<number> {
  Object.assign(globalThis, { scheduler: { postTask } });
  const count = { turns: 0, isOver: false };
  const work = (async () => {
    while (!count.isOver) {
      await yieldInBackground();
      count.turns += 1;
    }
  })();
  await jest.advanceTimersByTimeAsync(1_000);
  count.isOver = true;
  await jest.advanceTimersByTimeAsync(1_000);
  await work;
  return count.turns;
}

it('background work runs every 5 ms on a page that posts messages all the time', async () => {
  const never = new Promise<void>(() => undefined);
  expect(await turnsInOneSecond(() => never)).toBeGreaterThanOrEqual(200);
});

it('background work waits for the browser if the page leaves background tasks time', async () => {
  const turns = await turnsInOneSecond(
    (task) =>
      new Promise((resolve) => {
        setTimeout(() => {
          task();
          resolve();
        }, 1);
      }),
  );
  expect(turns).toBeGreaterThanOrEqual(1_000);
});
