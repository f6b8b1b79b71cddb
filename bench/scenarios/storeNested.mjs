import { issuesJson } from '../data.mjs';
import { timeFresh } from '../measure.mjs';

const json = issuesJson();

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '1',
    title: 'normalize and store 1,000 nested issues, empty store',
    mark: '≤ 1.0 × normalizr',
    needs: ['storeIssues'],
    measure: (adapter) =>
      timeFresh(
        () => ({ cache: adapter.create(), issues: JSON.parse(json) }),
        ({ cache, issues }) => cache.storeIssues(issues),
      ),
  },
  {
    row: '2',
    title: 'the same response again',
    mark: '≤ 0.4 × Data Client',
    needs: ['storeIssues'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeIssues(JSON.parse(json));
      return timeFresh(
        () => JSON.parse(json),
        (issues) => cache.storeIssues(issues),
      );
    },
  },
];
