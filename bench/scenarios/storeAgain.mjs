import { issuesJson } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeFresh } from '../measure.mjs';

const json = issuesJson();

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '2',
    title: 'the same response again',
    marks: [atMost(0.4, { of: 'dataClient' })],
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
