import { makeProject, memberId } from '../graphs.mjs';
import { timeRepeated } from '../measure.mjs';

const MEMBERS = 1_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '11',
    title: 'two-way schema, 1,000 members: change one and read all',
    // All of them are one component: by the rule of identity, all change.
    marks: [],
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
];
