import { changeOf, issueId, issuesJson } from '../data.mjs';
import { timeFresh, timeRepeated } from '../measure.mjs';

const json = issuesJson();

const filled = (adapter) => {
  const cache = adapter.create();
  cache.storeIssues(JSON.parse(json));
  return cache;
};

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '3a',
    title: 'read the joined list of 1,000, cold',
    mark: '≤ 1.2 × normalizr',
    needs: ['storeIssues', 'readIssues'],
    measure: (adapter) =>
      timeFresh(
        () => filled(adapter),
        (cache) => cache.readIssues(),
      ),
  },
  {
    row: '3b',
    title: 'read it again',
    mark: '≤ 0.5',
    needs: ['storeIssues', 'readIssues'],
    measure(adapter) {
      const cache = filled(adapter);
      return timeRepeated(() => cache.readIssues());
    },
  },
  {
    row: '3d',
    title: 'change one of 1,000 and read the list',
    mark: '≤ 45, and ≤ 1/40 of Data Client',
    needs: ['storeIssues', 'readIssues', 'changeIssue'],
    measure(adapter) {
      const cache = filled(adapter);
      cache.readIssues();
      return timeRepeated((nth) => {
        cache.changeIssue(issueId((nth * 37) % 1_000), changeOf(nth));
        return cache.readIssues();
      });
    },
  },
];
