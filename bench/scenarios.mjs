import { scenarios as changeOne } from './scenarios/changeOne.mjs';
import { scenarios as graphs } from './scenarios/graphs.mjs';
import { scenarios as invalidate } from './scenarios/invalidate.mjs';
import { scenarios as memory } from './scenarios/memory.mjs';
import { scenarios as pushOne } from './scenarios/pushOne.mjs';
import { scenarios as readJoined } from './scenarios/readJoined.mjs';
import { scenarios as readOne } from './scenarios/readOne.mjs';
import { scenarios as storeNested } from './scenarios/storeNested.mjs';

/**
 * One line of the table.
 *
 * @typedef {object} Scenario
 * @property {string} row - its name, unique
 * @property {string} title
 * @property {string} mark - what Holdfast is to reach
 * @property {'µs' | 'B'} [unit] - of the samples; µs per operation by default
 * @property {(keyof import('./Adapter.mjs').Cache)[]} needs - a library that lacks one of these is left out
 * @property {boolean} [isExact] - gives the same each time, so that one round is enough
 * @property {boolean} [isLarge] - run only with `--large`
 * @property {string} [only] - the one adapter it is for
 * @property {(adapter: import('./Adapter.mjs').Adapter) => number[]} measure - the samples
 */

/** Every scenario, in the order of the table. @type {Scenario[]} */
export const scenarios = [
  ...storeNested,
  ...readJoined,
  ...changeOne,
  ...pushOne,
  ...invalidate,
  ...readOne,
  ...memory,
  ...graphs,
].sort((left, right) => parseInt(left.row) - parseInt(right.row));
