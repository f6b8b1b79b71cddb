import { makeRows, matchesWindow, WINDOW } from '../data.mjs';
import { atMost } from '../marks.mjs';
import { timeFresh, timeRepeated } from '../measure.mjs';

/** @typedef {import('../Adapter.mjs').Adapter} Adapter */

const SIZE = 100_000;
const QUERIES = 1_000;

const all = makeRows(SIZE);
const matching = all.filter(matchesWindow).map(({ id }) => id);
const others = all.filter((row) => !matchesWindow(row)).map(({ id }) => id);

/** As many repos as there are queries. */
const repoOf = (/** @type {number} */ index) => `repo-${index % QUERIES}`;
const makeRowsOfRepos = () => makeRows(SIZE).map((row, index) => ({ ...row, repoId: repoOf(index) }));
const open = all.filter(({ state }) => state === WINDOW.state).map(({ id }) => id);
const closed = all.filter(({ state }) => state !== WINDOW.state).map(({ id }) => id);

/** A cache with all rows. @param {Adapter} adapter */
async function filled(adapter, rows = makeRows(SIZE)) {
  const cache = await adapter.create();
  await cache.storeRows(rows);
  return cache;
}

/** A cache with a query of one repo. @param {Adapter} adapter */
async function withWindow(adapter) {
  const cache = await filled(adapter);
  const window = await cache.openWindow(WINDOW.repoId);
  await window.read();
  return { cache, window };
}

/** A cache with a query of each repo. @param {Adapter} adapter */
async function withManyWindows(adapter) {
  const cache = await filled(adapter, makeRowsOfRepos());
  const windows = [];
  for (let nth = 0; nth < QUERIES; nth++) {
    const window = await cache.openWindow(repoOf(nth));
    await window.read();
    windows.push(window);
  }
  return { cache, window: windows[7] };
}

/**
 * Each change gives one of these rows a score above all others.
 *
 * @param {(adapter: Adapter) => Promise<{ cache: import('../Adapter.mjs').Cache, window?: import('../Adapter.mjs').Window }>} prepare
 * @param {readonly string[]} ids
 */
const timeChanges = (prepare, ids) => async (/** @type {Adapter} */ adapter) => {
  const { cache, window } = await prepare(adapter);
  const change = (/** @type {number} */ nth) => cache.setScore(ids[(nth * 37) % ids.length], SIZE + nth);
  if (window === undefined) return timeRepeated(change, adapter.isAsync);
  if (!adapter.isAsync)
    return timeRepeated((nth) => {
      change(nth);
      return window.read();
    });
  const changeAndRead = async (/** @type {number} */ nth) => {
    await change(nth);
    return window.read();
  };
  return timeRepeated(changeAndRead, true);
};

/** @type {Pick<import('../scenarios.mjs').Scenario, 'needs' | 'takesAsync'>} */
const ofWindows = { needs: ['storeRows', 'openWindow', 'setScore'], takesAsync: true };

/** @type {import('../scenarios.mjs').Scenario[]} */
export const scenarios = [
  {
    ...ofWindows,
    row: '13a',
    title: 'filter and sort 100,000 rows, first 50',
    marks: [atMost(30_000)],
    measure: (adapter) =>
      timeFresh(
        () => filled(adapter),
        (cache) => cache.openWindow(WINDOW.repoId).read(),
        adapter.isAsync,
      ),
  },
  {
    ...ofWindows,
    row: '13b',
    title: 'change one of 100,000 rows, which moves to the top of the 50',
    marks: [atMost(60), atMost(0.2, { of: 'tanstackDB' })],
    measure: timeChanges(withWindow, matching),
  },
  {
    ...ofWindows,
    row: '13c',
    title: 'change one of 100,000 rows that does not match',
    marks: [atMost(1.5, { row: '13 set' })],
    measure: timeChanges(withWindow, others),
  },
  {
    ...ofWindows,
    row: '13 set',
    title: 'the same without a query',
    marks: [],
    measure: timeChanges(async (adapter) => ({ cache: await filled(adapter) }), others),
  },
  {
    ...ofWindows,
    row: '13d',
    title: 'with 1,000 queries of different repos: change a row that does not match',
    marks: [atMost(2, { row: '13c' })],
    measure: timeChanges(withManyWindows, closed),
  },
  {
    ...ofWindows,
    row: '13e',
    title: 'the same, which moves to the top of one of them',
    marks: [],
    measure: timeChanges(withManyWindows, open),
  },
  {
    ...ofWindows,
    row: '13f',
    title: 'show 100 rows in place of 50',
    marks: [],
    measure: (adapter) =>
      timeFresh(
        () => withWindow(adapter),
        ({ window }) => window.show(2 * WINDOW.limit),
        true,
      ),
  },
];
