import { changeOf, makeRows, rowId } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeRepeated } from '../measure.mjs';

const SIZE = 1_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '10',
    title: 'change one, with 1,000 watchers each on its own row',
    marks: [atMost(25)],
    needs: ['storeRows', 'changeRow', 'watchRow'],
    measure(adapter) {
      const cache = adapter.create();
      cache.storeRows(makeRows(SIZE));
      for (let index = 0; index < SIZE; index++) cache.watchRow(rowId(index), () => undefined);
      return timeRepeated((nth) => cache.changeRow(rowId((nth * 37) % SIZE), changeOf(nth)));
    },
  },
];
