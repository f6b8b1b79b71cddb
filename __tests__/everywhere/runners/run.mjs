/** Runs the cases by each test runner, in each environment. Prints one line for each. Started by `scripts/everywhereApp.mjs`. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const versionOf = (name) => require(`${name}/package.json`).version;
const bin = (name, file) => path.join(path.dirname(require.resolve(`${name}/package.json`)), file);

const vitest = (environment, file = 'dom.test.mjs', ...others) => ({
  packages: ['vitest', environment, ...others],
  args: [
    bin('vitest', 'vitest.mjs'),
    'run',
    '--globals',
    '--environment',
    environment,
    '--dir',
    import.meta.dirname,
    file,
  ],
});
const jest = (environment, variables = {}) => ({
  packages: ['jest', environment],
  args: [bin('jest', 'bin/jest.js'), '--config', 'jest.config.cjs', '--ci'],
  variables: { ENVIRONMENT: environment, ...variables },
});
const runs = [
  { packages: [], args: ['--test', 'node.test.mjs'] },
  vitest('happy-dom'),
  vitest('jsdom'),
  vitest('jsdom', 'router.test.mjs', '@tanstack/react-router'),
  jest('jest-environment-jsdom', { SETUP: './structuredClone.cjs' }),
  jest('jest-fixed-jsdom'),
  jest('@happy-dom/jest-environment', { SETUP: './structuredClone.cjs' }),
];

let failed = 0;
for (const { packages, args, variables } of runs) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, NODE_ENV: 'test', ...variables },
  });
  const name = [`node ${process.versions.node}`, ...packages.map((one) => `${one} ${versionOf(one)}`)].join(
    ', ',
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0) failed += 1;
  console.log(status === 0 ? `ok     ${name}: ${seconds} s` : `FAILED ${name}\n${stdout}${stderr}`);
}
process.exit(failed === 0 ? 0 : 1);
