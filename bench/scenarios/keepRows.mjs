import { makeRows } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { retained } from '../measure.mjs';

const SIZE = 100_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '9 stored',
    title: 'bytes per row, 100,000 rows stored',
    marks: [atMost(550)],
    unit: 'B',
    isExact: true,
    needs: ['storeRows'],
    measure(adapter) {
      const json = JSON.stringify(makeRows(SIZE));
      const bytes = retained(() => {
        const cache = adapter.create();
        cache.storeRows(JSON.parse(json));
        return cache;
      });
      return [bytes / SIZE];
    },
  },
  {
    row: '9 read',
    title: 'the same after reading all of them as a list',
    marks: [atMost(1_200)],
    unit: 'B',
    isExact: true,
    needs: ['storeRows', 'readRows'],
    measure(adapter) {
      const json = JSON.stringify(makeRows(SIZE));
      const bytes = retained(() => {
        const cache = adapter.create();
        cache.storeRows(JSON.parse(json));
        return { cache, list: cache.readRows() };
      });
      return [bytes / SIZE];
    },
  },
];
