import { changeOf, makeRows, rowId } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

const SIZE = 10_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '5',
    title: 'change one, with 10,000 cached results',
    marks: [atMost(20), atMost(2, { row: '4 1k' })],
    needs: ['storeRowResults', 'changeRow'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeRowResults(makeRows(SIZE));
      return timeRepeated((nth) => cache.changeRow(rowId((nth * 7_919) % SIZE), changeOf(nth)));
    },
  },
];
