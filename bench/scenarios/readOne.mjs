import { makeRows, rowId } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

const ASKED = 1_000;

/** @type {(row: string, size: number) => import('../scenarios.mjs').Scenario} */
const fromStoreOf = (row, size) => ({
  row,
  title: `read one of ${size.toLocaleString('en')} by pk, warm`,
  marks: [atMost(0.2)],
  isLarge: size >= 1_000_000,
  needs: ['storeRows', 'readRow'],
  measure(adapter) {
    const cache = adapter.create();
    cache.storeRows(makeRows(size));
    // Strings of their own, as from a URL: not the very ones that the store has.
    const ids = Array.from({ length: ASKED }, (_, index) => rowId((index * 7_919) % size));
    for (const id of ids) cache.readRow(id);
    return timeRepeated((nth) => cache.readRow(ids[nth % ASKED]));
  },
});

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [fromStoreOf('8', 100_000), fromStoreOf('8 1M', 1_000_000)];
