import { makeRows } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

const SIZE = 10_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '6',
    title: 'push one onto a list of 10,000',
    marks: [atMost(120)],
    needs: ['storeRows', 'pushRow'],
    measure(adapter) {
      const cache = adapter.create();
      const rows = makeRows(SIZE);
      const [last] = rows;
      cache.storeRows(rows);
      return timeRepeated((nth) => cache.pushRow({ ...last, id: `pushed-${nth}` }));
    },
  },
];
