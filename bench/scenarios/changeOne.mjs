import { changeOf, makeRows, rowId } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

/** @type {(row: string, size: number, marks: import('../marks.mjs').Mark[]) => import('../scenarios.mjs').Scenario} */
const inStoreOf = (row, size, marks) => ({
  row,
  title: `change one of ${size.toLocaleString('en')} rows`,
  marks,
  isLarge: size >= 1_000_000,
  needs: ['storeRows', 'changeRow'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeRows(makeRows(size));
    return timeRepeated((nth) => cache.changeRow(rowId((nth * 7_919) % size), changeOf(nth)));
  },
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  inStoreOf('4 1k', 1_000, [atMost(20)]),
  inStoreOf('4 10k', 10_000, [atMost(20)]),
  inStoreOf('4 100k', 100_000, [atMost(20), atMost(2, { row: '4 1k' })]),
  inStoreOf('4 1M', 1_000_000, [atMost(20), atMost(2, { row: '4 1k' })]),
];
