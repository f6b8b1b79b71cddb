import { makeRows, rowId } from '../data.mjs';
import { timeFresh, timeRepeated } from '../measure.mjs';

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '7a',
    title: 'invalidate one of 100,000 results',
    mark: '≤ 20',
    needs: ['storeRowResults', 'invalidateRowResult'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeRowResults(makeRows(100_000));
      return timeRepeated((nth) => cache.invalidateRowResult(rowId((nth * 7_919) % 100_000)));
    },
  },
  {
    row: '7b',
    title: 'expire all of 10,000 results',
    mark: '≤ 2,000',
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
