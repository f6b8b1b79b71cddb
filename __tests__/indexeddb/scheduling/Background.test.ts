import { describe, expect, it } from '@jest/globals';
import { Background } from '../../../plugins/indexeddb/scheduling/Background.ts';

const nothing = async (): Promise<void> => undefined;

/** Runs the requested compactions, calls back during each, and returns their number. */
function compacting(during: (background: Background, nth: number) => void): Promise<number> {
  return new Promise((resolve) => {
    let compactions = 0;
    const background: Background = new Background({
      flush: nothing,
      catchUp: nothing,
      restoreComplete: Promise.resolve(),
      schedule: () => () => undefined,
      retry: async () => true,
      compactor: {
        isDue: true,
        compact: async () => {
          compactions += 1;
          during(background, compactions);
          // Long enough for the scheduled work to begin.
          setTimeout(() => resolve(compactions), 50);
        },
      },
    });
    background.compactWhenIdle();
  });
}

describe('background work', () => {
  it('the background work compacts again if a flush wrote during a compaction', async () => {
    expect(
      await new Promise((resolve) => {
        void compacting((background, nth) => {
          if (nth === 1) background.compactWhenIdle();
          else resolve(nth);
        });
      }),
    ).toBe(2);
  });

  it('the background work compacts once if nothing requests another compaction', async () => {
    expect(await compacting(() => undefined)).toBe(1);
  });
});
