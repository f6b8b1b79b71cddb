import { makeChain, stepId } from '../graphs.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

const STEPS = 5_000;

/** @type {(row: string, title: string, changed: number, marks: import('../marks.mjs').Mark[]) => import('../scenarios.mjs').Scenario} */
const changing = (row, title, changed, marks) => ({
  row,
  title,
  marks,
  needs: ['storeSteps', 'readStep', 'changeStep'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeSteps(makeChain(STEPS));
    cache.readStep(stepId(0));
    return timeRepeated((nth) => {
      cache.changeStep(stepId(changed), { title: `Changed ${nth}` });
      return cache.readStep(stepId(0));
    });
  },
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  // Every step holds what changed.
  changing('12', 'a chain of 5,000: change the last and read the first', STEPS - 1, []),
  changing('12 head', 'the same: change the first and read it', 0, [atMost(20)]),
];
