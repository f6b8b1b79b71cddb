import { changeOf, makeRows, matchesWindow, WINDOW } from '../../data.mjs';

/** How many rows the feed is about. */
export const FEED_SIZE = 100_000;

const matching = [];
const others = [];
for (const row of makeRows(FEED_SIZE)) (matchesWindow(row) ? matching : others).push(row.id);

/** Of the matching rows, by score: those that are never in the window, those that enter it, those in it at first. */
const below = matching.slice(0, matching.length / 2);
const moving = matching.slice(matching.length / 2, -WINDOW.limit);
const first = matching.slice(-WINDOW.limit);

/** The row that enters the window in a round of 20 changes; before the first round, those that are in it. */
const entering = (/** @type {number} */ round) =>
  round < 0 ? first.at(round) : moving[(round * 37) % moving.length];

/**
 * The nth change of a feed, of which most concern rows that are not shown. Of 20 changes, 14 set fields of a row that
 * does not match the query, two of a matching row that is not in the window, and two of a row in the window; one moves a
 * row to the top of the window, and one moves a row out of it.
 *
 * @param {number} nth
 * @returns {readonly [id: string, change: Partial<import('../../data.mjs').Row>]}
 */
export function fed(nth) {
  const round = Math.floor(nth / 20);
  const change = changeOf(nth);
  switch (nth % 20) {
    case 4:
    case 14:
      return [below[(nth * 7) % below.length], change];
    case 7:
    case 17:
      return [entering(round - 1), change];
    case 9:
      return [entering(round), { score: FEED_SIZE + round }];
    case 19:
      return [entering(round - 3), { score: -1 - round }];
    default:
      return [others[(nth * 7_919) % others.length], change];
  }
}

/** The rows in the window after so many changes. */
export function windowAfter(changes) {
  const rows = new Map(makeRows(FEED_SIZE).map((row) => [row.id, row]));
  for (let nth = 0; nth < changes; nth++) {
    const [id, change] = fed(nth);
    Object.assign(rows.get(id), change);
  }
  return [...rows.values()]
    .filter(matchesWindow)
    .sort((left, right) => right.score - left.score)
    .slice(0, WINDOW.limit);
}
