/**
 * What Holdfast is to reach.
 *
 * @typedef {object} Mark
 * @property {'≤' | '≥'} is
 * @property {number} limit
 * @property {string} [figure] - which figure of its line, where the line has several
 * @property {string} [of] - a library: the limit is so many times what it takes
 * @property {string} [row] - another row of the table: the limit is so many times what Holdfast itself takes there
 *
 * @typedef {object} Verdict
 * @property {string} mark - in words
 * @property {boolean} [isMet] - undefined where what it is compared with was not measured
 * @property {number} [ratio] - the figure by its limit
 */

/** @type {(limit: number, where?: Omit<Mark, 'is' | 'limit'>) => Mark} */
export const atMost = (limit, where) => ({ is: '≤', limit, ...where });

/** @type {(limit: number, where?: Omit<Mark, 'is' | 'limit'>) => Mark} */
export const atLeast = (limit, where) => ({ is: '≥', limit, ...where });

/**
 * @param {Mark} mark
 * @param {number | undefined} value - what was measured
 * @param {number | undefined} [reference] - what the limit is a multiple of
 * @returns {Verdict}
 */
export function judge(mark, value, reference) {
  const text = textOf(mark);
  const isRelative = mark.of !== undefined || mark.row !== undefined;
  // A multiple of nothing, or of less than that, says nothing: the growth of a heap, for one, may be negative.
  if (value === undefined || (isRelative && !(reference > 0))) return { mark: text };
  const limit = mark.limit * (isRelative ? reference : 1);
  return { mark: text, isMet: mark.is === '≤' ? value <= limit : value >= limit, ratio: value / limit };
}

/** A mark in words. @param {Mark} mark */
export function textOf({ is, limit, figure, of, row }) {
  const reference = of ?? (row === undefined ? undefined : `row ${row}`);
  const words = [
    figure,
    is,
    limit.toLocaleString('en'),
    ...(reference === undefined ? [] : ['×', reference]),
  ];
  return words.filter((word) => word !== undefined).join(' ');
}

/** A verdict in words: what falls short says how far. @param {Verdict} verdict */
export function say({ mark, isMet, ratio }) {
  if (isMet === undefined) return `${mark}: not judged`;
  return isMet ? `${mark}: met` : `${mark}: SHORT, ${ratio.toFixed(2)} × that`;
}
