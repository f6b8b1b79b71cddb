import { makeRows, rowId } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

/** @type {(row: string, size: number) => import('../scenarios.mjs').Scenario} */
const oneOf = (row, size) => ({
  row,
  title: `invalidate one of ${size.toLocaleString('en')} results`,
  marks: [atMost(20)],
  isLarge: size >= 1_000_000,
  needs: ['storeRowResults', 'invalidateRowResult'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeRowResults(makeRows(size));
    return timeRepeated((nth) => cache.invalidateRowResult(rowId((nth * 7_919) % size)));
  },
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [oneOf('7a', 100_000), oneOf('7a 1M', 1_000_000)];
