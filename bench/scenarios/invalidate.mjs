import { makeRows, rowId } from '../data.mjs';
import { timeFresh, timeRepeated } from '../measure.mjs';

/** @type {(size: number, more?: object) => import('../scenarios.mjs').Scenario} */
const oneOf = (size, more) => ({
  row: '7a',
  title: `invalidate one of ${size.toLocaleString('en')} results`,
  mark: '≤ 20',
  needs: ['storeRowResults', 'invalidateRowResult'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeRowResults(makeRows(size));
    return timeRepeated((nth) => cache.invalidateRowResult(rowId((nth * 7_919) % size)));
  },
  ...more,
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  oneOf(100_000),
  oneOf(1_000_000, { row: '7a 1M', isLarge: true, only: 'holdfast' }),
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
