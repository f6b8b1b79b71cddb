/** The steps of `npm test`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { binary, node } from './run.mjs';

/** Where Jest puts its reports. */
export const results = path.join(root, '.tmp/results');

const command =
  (...args) =>
  async (capture) => {
    const { code, output } = await node(args, { capture });
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
  };

export const script = (name, ...args) => command(path.join(root, 'scripts', name), ...args);

/** Runs the tests of a Jest project: all, or those whose paths contain one of `paths` and not `except`, with more variables in the environment. */
export const jest =
  (project, { report: name = project, paths = [], except, env = {}, workers = 1 } = {}) =>
  async (capture) => {
    const report = path.join(results, `${name}.json`);
    const { code, output } = await node(
      [
        binary('jest'),
        ...paths,
        ...(except === undefined ? [] : [`--testPathIgnorePatterns=${except}`]),
        ...['--selectProjects', project, '--json', '--outputFile', report, '--silent=false'],
        `--maxWorkers=${workers}`,
        ...(process.env.CI ? ['--ci'] : []),
      ],
      // The unit tests of a slow or busy machine.
      { capture, timeout: 30 * 60_000, env },
    );
    let counts;
    try {
      counts = JSON.parse(readFileSync(report, 'utf8'));
    } catch {
      return { passed: 0, failed: 1, skipped: 0, output };
    }
    const passed = counts.numPassedTests;
    // A file that could not even run has no tests to count, yet it failed.
    const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    return {
      passed,
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped: counts.numPendingTests,
      output,
    };
  };

const inOrder =
  (...runs) =>
  async (capture) => {
    let output = '';
    for (const run of runs) {
      const counts = await run(capture);
      output += counts.output;
      if (counts.failed > 0) return { ...counts, output };
    }
    return { passed: 1, failed: 0, skipped: 0, output };
  };

/**
 * By name. A step that needs what others make runs `after` those; `run` captures what it prints, or lets it through.
 *
 * @typedef {Readonly<Record<string, {
 *   after?: readonly string[],
 *   run(capture: boolean): Promise<{ passed: number, failed: number, skipped: number, output: string }>,
 * }>>} Steps
 */

/** The browser tests that run in each engine. */
export const everyEngine = '__tests__/browser/everywhere/';

/**
 * In the order in which they begin: those that take minutes early, so that none of them is left over at the end.
 *
 * @type {Steps}
 */
export const steps = {
  types: { run: command(binary('typescript', 'tsc'), '-p', 'tsconfig.json') },
  docs: { run: script('docs.mjs', 'build') },
  lint: { run: command(binary('eslint'), '.', '--max-warnings', '0') },
  // One of its tests compiles examples with what the site has installed.
  // The longest step: with one worker it would end long after all others.
  unit: { after: ['docs'], run: jest('unit', { workers: 2 }) },
  build: { run: inOrder(command(binary('rollup'), '-c', '--silent'), script('pack.mjs')) },
  // `npm run test:everywhere` runs the others, in each engine.
  browser: { after: ['build'], run: jest('browser', { except: everyEngine }) },
  examples: { after: ['build'], run: jest('examples') },
  site: { after: ['docs'], run: jest('site') },
  format: { run: command(binary('prettier'), '--check', '--log-level', 'warn', '.') },
  built: { after: ['build'], run: jest('built') },
  size: { after: ['build'], run: script('size.mjs') },
};
