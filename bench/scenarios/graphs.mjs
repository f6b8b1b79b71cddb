import { makeChain, makeProject, memberId, stepId } from '../graphs.mjs';
import { timeRepeated } from '../measure.mjs';

const MEMBERS = 1_000;
const STEPS = 5_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '11',
    title: 'two-way schema, 1,000 members: change one and read all',
    mark: 'none: all of them are one component',
    needs: ['storeProject', 'readProject', 'changeMember'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeProject(makeProject(MEMBERS));
      cache.readProject();
      return timeRepeated((nth) => {
        cache.changeMember(memberId((nth * 37) % MEMBERS), { title: `Changed ${nth}` });
        return cache.readProject();
      });
    },
  },
  {
    row: '12',
    title: 'a chain of 5,000: change the last and read the first',
    mark: 'none: all of them change',
    needs: ['storeSteps', 'readStep', 'changeStep'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeSteps(makeChain(STEPS));
      cache.readStep(stepId(0));
      return timeRepeated((nth) => {
        cache.changeStep(stepId(STEPS - 1), { title: `Changed ${nth}` });
        return cache.readStep(stepId(0));
      });
    },
  },
  {
    row: '12 head',
    title: 'the same: change the first and read it',
    mark: '≤ 20',
    needs: ['storeSteps', 'readStep', 'changeStep'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeSteps(makeChain(STEPS));
      cache.readStep(stepId(0));
      return timeRepeated((nth) => {
        cache.changeStep(stepId(0), { title: `Changed ${nth}` });
        return cache.readStep(stepId(0));
      });
    },
  },
];
