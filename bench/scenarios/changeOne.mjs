import { changeOf, makeRows, rowId } from '../data.mjs';
import { timeRepeated } from '../measure.mjs';

/** @type {(size: number, more?: object) => import('../scenarios.mjs').Scenario} */
const inStoreOf = (size, more) => ({
  row: `4 ${size >= 1e6 ? `${size / 1e6}M` : `${size / 1e3}k`}`,
  title: `change one of ${size.toLocaleString('en')} rows`,
  mark: '≤ 20 at 100k, ≤ 2 × from 1k to 100k',
  needs: ['storeRows', 'changeRow'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeRows(makeRows(size));
    return timeRepeated((nth) => cache.changeRow(rowId((nth * 7_919) % size), changeOf(nth)));
  },
  ...more,
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  inStoreOf(1_000),
  inStoreOf(10_000),
  inStoreOf(100_000),
  // Takes gigabytes and minutes in libraries that copy, so it is run for ours alone, and only when asked for.
  inStoreOf(1_000_000, { isLarge: true, only: 'holdfast' }),
  {
    row: '5',
    title: 'change one, with 10,000 cached results',
    mark: 'as row 4',
    needs: ['storeRowResults', 'changeRow'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeRowResults(makeRows(10_000));
      return timeRepeated((nth) => cache.changeRow(rowId((nth * 7_919) % 10_000), changeOf(nth)));
    },
  },
  {
    row: '10',
    title: 'change one, with 1,000 watchers each on its own row',
    mark: '≤ 25',
    needs: ['storeRows', 'changeRow', 'watchRow'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeRows(makeRows(1_000));
      for (let index = 0; index < 1_000; index++) cache.watchRow(rowId(index), () => undefined);
      return timeRepeated((nth) => cache.changeRow(rowId((nth * 37) % 1_000), changeOf(nth)));
    },
  },
];
