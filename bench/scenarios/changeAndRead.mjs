import { changeOf, issueId } from '../data.mjs';
import { filledWithIssues } from '../filledWithIssues.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '3d',
    title: 'change one of 1,000 and read the list',
    marks: [atMost(45), atMost(1 / 40, { of: 'dataClient' })],
    needs: ['storeIssues', 'readIssues', 'changeIssue'],
    measure(adapter) {
      const cache = filledWithIssues(adapter);
      cache.readIssues();
      return timeRepeated((nth) => {
        cache.changeIssue(issueId((nth * 37) % 1_000), changeOf(nth));
        return cache.readIssues();
      });
    },
  },
];
