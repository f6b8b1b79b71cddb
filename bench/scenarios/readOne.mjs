import { makeRows, rowId } from '../data.mjs';
import { timeRepeated } from '../measure.mjs';

const SIZE = 100_000;
const ASKED = 1_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '8',
    title: 'read one of 100,000 by pk, warm',
    mark: '≤ 0.2',
    needs: ['storeRows', 'readRow'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeRows(makeRows(SIZE));
      // Strings of their own, as from a URL: not the very ones that the store has.
      const ids = Array.from({ length: ASKED }, (_, index) => rowId((index * 7_919) % SIZE));
      for (const id of ids) cache.readRow(id);
      return timeRepeated((nth) => cache.readRow(ids[nth % ASKED]));
    },
  },
];
