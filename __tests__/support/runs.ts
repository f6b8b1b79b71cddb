import { configureGlobal, readConfigureGlobal } from 'fast-check';

// `npm test` tries the same cases each time, so that a failure is due to what has changed. `npm run test:long` tries
// new ones.
if (process.env['RUNS'] === undefined) configureGlobal({ ...readConfigureGlobal(), seed: 1 });

/**
 * How many cases a property is tried with: so many in `npm test`, and as many times more as `RUNS` says (`npm run
 * test:long`).
 *
 * @param inTest - in `npm test`
 */
export function runs(inTest: number): number {
  return Math.ceil(inTest * Number(process.env['RUNS'] ?? 1));
}
