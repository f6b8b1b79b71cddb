import { makeRows } from '../data.mjs';
import { retained } from '../measure.mjs';

const SIZE = 100_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '9 stored',
    title: 'bytes a row, 100,000 rows stored',
    mark: '≤ 550',
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
    mark: '≤ 1,200',
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
