import { filledWithIssues } from '../filledWithIssues.mjs';
import { atMost } from '../marks.mjs';
import { timeFresh } from '../measure.mjs';

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '3a',
    title: 'read the denormalized list of 1,000, cold',
    marks: [atMost(1.2, { of: 'normalizr' })],
    needs: ['storeIssues', 'readIssues'],
    measure: (adapter) =>
      timeFresh(
        () => filledWithIssues(adapter),
        (cache) => cache.readIssues(),
      ),
  },
];
