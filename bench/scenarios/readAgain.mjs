import { filledWithIssues } from '../filledWithIssues.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '3b',
    title: 'read it again',
    marks: [atMost(0.5)],
    needs: ['storeIssues', 'readIssues'],
    measure(adapter) {
      const cache = filledWithIssues(adapter);
      return timeRepeated(() => cache.readIssues());
    },
  },
];
