import { AUTHORS, authorId } from '../data.mjs';
import { filledWithIssues } from '../filledWithIssues.mjs';
import { timeRepeated } from '../measure.mjs';

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '3e',
    title: 'change an author that 10 of 1,000 have and read the list',
    marks: [],
    needs: ['storeIssues', 'readIssues', 'changeAuthor'],
    measure(adapter) {
      const cache = filledWithIssues(adapter);
      cache.readIssues();
      return timeRepeated((nth) => {
        cache.changeAuthor(authorId((nth * 37) % AUTHORS), { name: `Changed ${nth}` });
        return cache.readIssues();
      });
    },
  },
];
