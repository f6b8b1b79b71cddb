/**
 * Everything that must hold before a change lands, in order: `npm test`. Names as arguments run only those
 * steps: `npm test -- types unit`. A step that fails does not hide the later ones.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { installIfNeeded, root } from './install.mjs';

installIfNeeded();
// Only now: it looks for packages that the line above may have had to install.
const { binary, node } = await import('./run.mjs');

const results = path.join(root, '.tmp/results');

const command =
  (...args) =>
  async () => {
    const { code } = await node(args);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  };

const script = (name, ...args) => command(path.join(root, 'scripts', name), ...args);

const jest = (project) => async () => {
  const report = path.join(results, `${project}.json`);
  const { code } = await node([
    binary('jest'),
    ...['--selectProjects', project, '--json', '--outputFile', report, '--silent=false'],
    ...(process.env.CI ? ['--ci'] : []),
  ]);
  let counts;
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const passed = counts.numPassedTests;
  // A file that could not even run has no tests to count, yet it failed.
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: counts.numPendingTests };
};

const inOrder =
  (...runs) =>
  async () => {
    for (const run of runs) {
      const counts = await run();
      if (counts.failed > 0) return counts;
    }
    return { passed: 1, failed: 0, skipped: 0 };
  };

const steps = {
  types: command(binary('typescript', 'tsc'), '-p', 'tsconfig.json'),
  lint: command(binary('eslint'), '.', '--max-warnings', '0'),
  format: command(binary('prettier'), '--check', '--log-level', 'warn', '.'),
  docs: script('docs.mjs', 'build'),
  site: jest('site'),
  unit: jest('unit'),
  'react-18': jest('react-18'),
  build: inOrder(command(binary('rollup'), '-c', '--silent'), script('pack.mjs')),
  built: jest('built'),
  package: script('check-package.mjs'),
  size: script('size.mjs'),
  'published-types': script('check-types.mjs'),
  examples: jest('examples'),
  browser: jest('browser'),
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in steps)) {
    console.error(`There is no step ${name}. Steps: ${Object.keys(steps).join(', ')}`);
    process.exit(2);
  }
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
for (const [name, run] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name} ──`);
  const start = performance.now();
  const counts = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  for (const key of Object.keys(total)) total[key] += counts[key];
  summary.push(
    `${counts.failed === 0 ? '✓' : '✗'} ${name.padEnd(16)} ${seconds.padStart(6)} s  ${counts.passed} passed, ${counts.failed} failed`,
  );
}

console.log(`\n${summary.join('\n')}\n`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed === 0 ? 0 : 1;
