import { makeRows, rowId } from '../data.mjs';
import { timeRepeated } from '../measure.mjs';

const ASKED = 1_000;

/** @type {(size: number, more?: object) => import('../scenarios.mjs').Scenario} */
const fromStoreOf = (size, more) => ({
  row: '8',
  title: `read one of ${size.toLocaleString('en')} by pk, warm`,
  mark: '≤ 0.2',
  needs: ['storeRows', 'readRow'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeRows(makeRows(size));
    // Strings of their own, as from a URL: not the very ones that the store has.
    const ids = Array.from({ length: ASKED }, (_, index) => rowId((index * 7_919) % size));
    for (const id of ids) cache.readRow(id);
    return timeRepeated((nth) => cache.readRow(ids[nth % ASKED]));
  },
  ...more,
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  fromStoreOf(100_000),
  fromStoreOf(1_000_000, { row: '8 1M', isLarge: true, only: 'holdfast' }),
];
