/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { act, contents, steps, TABS } from './convergeSteps.ts';
import { Network } from './network.ts';
import { runs } from '../support/runs.ts';
import { openTab, wakePages } from '../support/tabs.ts';

/** How many stories are tried; more of them look longer. */
const RUNS = runs(300);

describe('tabs', () => {
  it(
    'tabs converge whatever is committed where, and whichever messages are late or lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (happening) => {
          const network = new Network();
          network.install();
          let now = 1_000;
          let committed = 0;
          const tabs = Array.from({ length: TABS }, () =>
            openTab({ now: () => now, schedule: network.schedule }),
          );
          try {
            for (const [index, next] of happening.entries()) {
              switch (next.do) {
                case 'deliver':
                case 'lose':
                  await network.deliverOne(next.route, next.do === 'lose');
                  break;
                case 'wake':
                  wakePages();
                  break;
                case 'reset':
                  now += 1;
                  await tabs[next.tab]?.controller.reset();
                  break;
                case 'write':
                case 'read':
                case 'delete':
                case 'invalidate':
                case 'expire':
                  if (next.waits) now += 1;
                  committed += 1;
                  act(tabs[next.tab], next, `title ${index}`);
                  await network.microtasks();
              }
            }
            await network.deliver();
            wakePages();
            await network.deliver();
            // Tabs that have just learned of a reset request the current data.
            wakePages();
            await network.deliver();
            const { posted } = network;
            const [first, ...others] = tabs.map((each) => contents(each.controller.getState()));
            for (const other of others) expect(other).toEqual(first);
            // Silence: three questions, no answers.
            wakePages();
            await network.deliver();
            expect(network.posted - posted).toBe(TABS);
            // Each commit is broadcast once, and each lost message is requested and answered once by each of the others.
            expect(posted).toBeLessThan(30 + committed + 8 * happening.length);
            expect(tabs.flatMap(({ errors }) => errors)).toEqual([]);
          } finally {
            for (const each of tabs) await each.controller.stop();
            network.restore();
          }
        }),
        { numRuns: RUNS },
      );
    },
    Math.max(120_000, RUNS * 500),
  );
});
