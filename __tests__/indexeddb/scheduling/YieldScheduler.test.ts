import { expect, it } from '@jest/globals';
import { UnloadMode } from '../../../plugins/indexeddb/scheduling/UnloadMode.ts';
import { YieldScheduler } from '../../../plugins/indexeddb/scheduling/YieldScheduler.ts';
import { reactionsLeft } from '../../support/reactions.ts';
import { turn } from '../../support/turns.ts';

it('yielding leaves nothing on promises that are pending as long as the page is open', async () => {
  const yielder = new YieldScheduler(turn, new UnloadMode());
  const left = await reactionsLeft(async () => {
    for (let nth = 0; nth < 20; nth++) await yielder.yieldNow();
  });
  expect(left).toBeLessThan(10);
});

it('work that has yielded continues at once when the page unloads, also a second time', async () => {
  const unloadMode = new UnloadMode();
  const never = new YieldScheduler(() => new Promise(() => undefined), unloadMode);
  for (let nth = 0; nth < 2; nth++) {
    const yielding = never.yieldNow();
    await unloadMode.run(async () => undefined);
    await yielding;
  }
  expect(unloadMode.isActive).toBe(false);
});
