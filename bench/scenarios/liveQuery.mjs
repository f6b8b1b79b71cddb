import { makeRows, matchesWindow } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeFresh, timeRepeated } from '../measure.mjs';

const SIZE = 100_000;

const all = makeRows(SIZE);
const matching = all.filter(matchesWindow).map(({ id }) => id);
const others = all.filter((row) => !matchesWindow(row)).map(({ id }) => id);

/** A cache with all rows. @param {import('../Adapter.mjs').Adapter} adapter */
function filled(adapter) {
  const cache = adapter.create();
  cache.storeRows(makeRows(SIZE));
  return cache;
}

/**
 * Each change gives one of these rows a score above all others.
 *
 * @param {import('../Adapter.mjs').Adapter} adapter
 * @param {readonly string[]} ids
 */
function timeChanges(adapter, ids) {
  const cache = filled(adapter);
  const read = cache.openWindow();
  return timeRepeated((nth) => {
    cache.setScore(ids[(nth * 37) % ids.length], SIZE + nth);
    return read();
  });
}

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    row: '13a',
    title: 'filter and sort 100,000 rows, first 50',
    marks: [atMost(30_000)],
    needs: ['storeRows', 'openWindow'],
    measure: (adapter) =>
      timeFresh(
        () => filled(adapter),
        (cache) => cache.openWindow()(),
      ),
  },
  {
    row: '13b',
    title: 'change one of 100,000 rows, which moves to the top of the 50',
    marks: [atMost(60), atMost(0.2, { of: 'tanstackDB' })],
    needs: ['storeRows', 'openWindow', 'setScore'],
    measure: (adapter) => timeChanges(adapter, matching),
  },
  {
    row: '13c',
    title: 'change one of 100,000 rows that does not match',
    marks: [],
    needs: ['storeRows', 'openWindow', 'setScore'],
    measure: (adapter) => timeChanges(adapter, others),
  },
];
