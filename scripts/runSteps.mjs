import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { inLanes } from './lanes.mjs';
import { results } from './steps.mjs';

/**
 * Runs steps, prints what each has printed, and at the end one line with all counts. A step that fails does not hide
 * the others; the exit code of this process says whether one did.
 *
 * @param {import('./steps.mjs').Steps} steps - by name
 * @param {readonly string[]} wanted - names of those to run; all where there are none
 */
export async function runSteps(steps, wanted = []) {
  for (const name of wanted) {
    if (!(name in steps)) {
      console.error(`There is no step ${name}. Steps: ${Object.keys(steps).join(', ')}`);
      process.exit(2);
    }
  }

  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });

  const chosen = Object.fromEntries(
    Object.entries(steps).filter(([name]) => wanted.length === 0 || wanted.includes(name)),
  );
  // Each step keeps a core busy, or as many as it takes lanes: with more beside each other than there are cores, all of
  // them together take longer. Of several, each is shown when it has ended; one alone, as it goes.
  const capture = Object.keys(chosen).length > 1;

  const ended = new Map();
  await inLanes(chosen, Math.min(4, availableParallelism()), async (name) => {
    console.log(capture ? `… ${name}` : `\n── ${name} ──`);
    const start = performance.now();
    const { output, problems, ...counts } = await chosen[name].run(capture);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const line = `${counts.failed === 0 ? '✓' : '✗'} ${name.padEnd(16)} ${seconds.padStart(6)} s  ${counts.passed} passed, ${counts.failed} failed`;
    if (capture) console.log(`\n── ${name} ──\n${output}${line}\n`);
    ended.set(name, { counts, line, problems });
  });

  // Again, for a log of which only the end is kept.
  for (const [name, { problems = [] }] of ended)
    for (const problem of problems) console.log(`\n✗ ${name}: ${problem}`);

  const inTheirOrder = Object.keys(chosen).map((name) => ended.get(name));
  const total = (key) => inTheirOrder.reduce((sum, { counts }) => sum + counts[key], 0);
  const skipped = total('skipped');
  console.log(`\n${inTheirOrder.map(({ line }) => line).join('\n')}\n`);
  console.log(
    `${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = total('failed') === 0 ? 0 : 1;
}
