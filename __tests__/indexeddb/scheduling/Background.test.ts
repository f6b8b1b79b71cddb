import { describe, expect, it } from '@jest/globals';
import { Background } from '../../../plugins/indexeddb/scheduling/Background.ts';

const nothing = async (): Promise<void> => undefined;

/** Folds as often as it is asked, and calls back during each. */
function folding(during: (background: Background, nth: number) => void): Promise<number> {
  return new Promise((resolve) => {
    let folds = 0;
    const background: Background = new Background({
      flush: nothing,
      catchUp: nothing,
      restoreComplete: Promise.resolve(),
      isCompactionDue: () => true,
      schedule: () => () => undefined,
      retry: async () => true,
      compact: async () => {
        folds += 1;
        during(background, folds);
        // Long enough for the scheduled work to begin.
        setTimeout(() => resolve(folds), 50);
      },
    });
    background.compactWhenIdle();
  });
}

describe('background work', () => {
  it('the background work compacts again if a flush wrote during a compaction', async () => {
    expect(
      await new Promise((resolve) => {
        void folding((background, nth) => {
          if (nth === 1) background.compactWhenIdle();
          else resolve(nth);
        });
      }),
    ).toBe(2);
  });

  it('the background work compacts once if nothing requests another compaction', async () => {
    expect(await folding(() => undefined)).toBe(1);
  });
});
