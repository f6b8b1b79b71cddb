/**
 * The property tests with many more cases than `npm test` tries: `npm run test:long`, or `npm run test:long -- 10 crash`
 * for ten times as many of the files with `crash` in their path. One after the other; a failure prints what repeats it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const [times = '100', ...names] = process.argv.slice(2);
const files = readdirSync('__tests__', { recursive: true })
  .map((path) => `__tests__/${path.replaceAll('\\', '/')}`)
  .filter(
    (file) =>
      /\.test\.tsx?$/.test(file) &&
      readFileSync(file, 'utf8').includes('support/runs.ts') &&
      (names.length === 0 || names.some((name) => file.includes(name))),
  );
const failed = files.filter((file) => {
  console.log(`\n── ${file}, ${times} times as many cases ──`);
  const limit = '--testTimeout=3600000'; // an hour: they take as long as they need
  const jest = ['node_modules/jest/bin/jest.js', file, '--selectProjects', 'unit', '--runInBand', limit];
  const env = { ...process.env, RUNS: times };
  return spawnSync(process.execPath, jest, { env, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`);
process.exitCode = files.length > 0 && failed.length === 0 ? 0 : 1;
