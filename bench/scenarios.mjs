import { scenarios as changeAmongResults } from './scenarios/changeAmongResults.mjs';
import { scenarios as changeAndRead } from './scenarios/changeAndRead.mjs';
import { scenarios as changeAuthorAndRead } from './scenarios/changeAuthorAndRead.mjs';
import { scenarios as changeInChain } from './scenarios/changeInChain.mjs';
import { scenarios as changeInComponent } from './scenarios/changeInComponent.mjs';
import { scenarios as changeOne } from './scenarios/changeOne.mjs';
import { scenarios as changeWatched } from './scenarios/changeWatched.mjs';
import { scenarios as expireAll } from './scenarios/expireAll.mjs';
import { scenarios as invalidateOne } from './scenarios/invalidateOne.mjs';
import { scenarios as keepRows } from './scenarios/keepRows.mjs';
import { scenarios as liveQuery } from './scenarios/liveQuery.mjs';
import { scenarios as pushOne } from './scenarios/pushOne.mjs';
import { scenarios as readAgain } from './scenarios/readAgain.mjs';
import { scenarios as readCold } from './scenarios/readCold.mjs';
import { scenarios as readOne } from './scenarios/readOne.mjs';
import { scenarios as storeAgain } from './scenarios/storeAgain.mjs';
import { scenarios as storeNested } from './scenarios/storeNested.mjs';

/**
 * One line of the table.
 *
 * @typedef {object} Scenario
 * @property {string} row - its name, unique
 * @property {string} title
 * @property {import('./marks.mjs').Mark[]} marks - what Holdfast is to reach
 * @property {'µs' | 'B'} [unit] - of the samples; µs per operation by default
 * @property {(keyof import('./Adapter.mjs').Cache)[]} needs - a library that lacks one of these is left out
 * @property {boolean} [isExact] - gives the same each time, so that one round is enough
 * @property {boolean} [isLarge] - run only with `--large`
 * @property {boolean} [takesAsync] - awaits libraries whose work is asynchronous; elsewhere they are left out
 * @property {(adapter: import('./Adapter.mjs').Adapter) => number[] | Promise<number[]>} measure - the samples
 */

/** Every scenario, in the order of the table. @type {Scenario[]} */
export const scenarios = [
  ...storeNested,
  ...storeAgain,
  ...readCold,
  ...readAgain,
  ...changeAndRead,
  ...changeAuthorAndRead,
  ...changeOne,
  ...changeAmongResults,
  ...pushOne,
  ...invalidateOne,
  ...expireAll,
  ...readOne,
  ...keepRows,
  ...changeWatched,
  ...changeInComponent,
  ...changeInChain,
  ...liveQuery,
];
