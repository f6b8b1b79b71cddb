/**
 * How many cases a property is tried with: so many in `npm test`, and as many times more as `RUNS` says (`npm run
 * test:long`).
 *
 * @param inTest - in `npm test`
 */
export function runs(inTest: number): number {
  return Math.ceil(inTest * Number(process.env['RUNS'] ?? 1));
}
