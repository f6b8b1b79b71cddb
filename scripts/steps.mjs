/** The steps of `npm test`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './install.mjs';
import { binary, node } from './run.mjs';

/** Where Jest puts its reports. */
export const results = path.join(root, '.tmp/results');

const command =
  (...args) =>
  async (capture) => {
    const { code, output } = await node(args, { capture });
    if (code === 0) return { passed: 1, failed: 0, skipped: 0, output };
    return { passed: 0, failed: 1, skipped: 0, output, problems: [theEndOf(output)] };
  };

/** What a step that is not a test has printed last. */
const theEndOf = (output) => stripVTControlCharacters(output).trimEnd().split('\n').slice(-20).join('\n');

/** What a failed test has reported, by its name and file. */
const problemsOf = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = path.relative(root, name);
    if (failed.length === 0) return message === '' ? [] : [`${file}\n${theEndOf(message)}`];
    return failed.map(
      ({ fullName, failureMessages: [first = ''] }) =>
        `${file}: ${fullName}\n${stripVTControlCharacters(first).split('\n').slice(0, 20).join('\n')}`,
    );
  });

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
      return { passed: 0, failed: 1, skipped: 0, output, problems: [theEndOf(output)] };
    }
    const passed = counts.numPassedTests;
    // A file that could not even run has no tests to count, yet it failed.
    const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    return {
      passed,
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped: counts.numPendingTests,
      output,
      problems: problemsOf(counts),
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
 * By name. A step that needs what others make runs `after` those, and takes as many of the `lanes` as it keeps cores
 * busy; `run` captures what it prints, or lets it through, and resolves with what it counted and, for each failure, a
 * text of a few lines.
 *
 * @typedef {Readonly<Record<string, {
 *   after?: readonly string[],
 *   lanes?: number,
 *   run(capture: boolean): Promise<{ passed: number, failed: number, skipped: number, output: string, problems?: string[] }>,
 * }>>} Steps
 */

/** The browser tests that run in each engine. */
export const everyEngine = '__tests__/browser/everywhere/';

/** Long stories of the demo, of Conduit and of the inspector. */
export const apps = '__tests__/browser/apps/';

/** Those that kill and freeze browsers, damage their files, and wait for servers to recover: they take minutes. */
export const faults = '__tests__/browser/faults/';

/** What bundlers keep of the package, for many imports: takes minutes. */
export const treeShaking = '__tests__/built/treeShaking';

/**
 * In the order in which they begin: those that take minutes early, so that none of them is left over at the end. `unit`
 * is the last one: until two lanes are free for it, no other step begins.
 *
 * @type {Steps}
 */
export const steps = {
  docs: { run: script('docs.mjs', 'build') },
  build: { run: inOrder(command(binary('rollup'), '-c', '--silent'), script('pack.mjs')) },
  // `npm run test:everywhere` runs the other tests in Chromium, and `treeShaking`.
  browser: { after: ['build'], run: jest('browser', { except: `${everyEngine}|${faults}|${apps}` }) },
  types: { run: command(binary('typescript', 'tsc'), '-p', 'tsconfig.json') },
  lint: { run: command(binary('oxlint')) },
  format: { run: command(binary('oxfmt'), '--check') },
  built: { after: ['build'], run: jest('built', { except: treeShaking }) },
  size: { after: ['build'], run: script('size.mjs') },
  // One of its tests compiles examples with what the site has installed.
  // The longest step: with one worker it would end long after all others.
  unit: { after: ['docs'], lanes: 2, run: jest('unit', { workers: 2 }) },
};
