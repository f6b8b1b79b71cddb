import { issuesJson } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeFresh } from '../measure.mjs';

const json = issuesJson();

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '1',
    title: 'normalize and store 1,000 nested issues, empty store',
    marks: [atMost(1, { of: 'normalizr' })],
    needs: ['storeIssues'],
    measure: (adapter) =>
      timeFresh(
        () => ({ cache: adapter.create(), issues: JSON.parse(json) }),
        ({ cache, issues }) => cache.storeIssues(issues),
      ),
  },
];
