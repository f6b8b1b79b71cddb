import { makeRows } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeFresh } from '../measure.mjs';

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '7b',
    title: 'expire all of 10,000 results',
    marks: [atMost(2_000)],
    needs: ['storeRowResults', 'expireAll'],
    measure(adapter) {
      const rows = makeRows(10_000);
      return timeFresh(
        () => {
          const cache = adapter.create();
          cache.storeRowResults(rows);
          return cache;
        },
        (cache) => cache.expireAll(),
      );
    },
  },
];
