/**
 * Ours and the peers side by side in Node: part of `npm run bench`, or
 * `node bench/run.mjs [--rows=1,4] [--libraries=holdfast,normalizr] [--rounds=2] [--large] [--no-build] [--dist=<folder>]`.
 *
 * Each library takes each scenario in a process of its own, several rounds, and within a round the libraries take
 * turns: what ran before counts for none of them, and a moment in which the machine was busy for all.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { adapterNames, buildLibrary, bundle, bundles } from './prepare.mjs';
import { keepResults } from './results.mjs';
import { scenarios } from './scenarios.mjs';
import { showTable } from './showTable.mjs';
import { summarize } from './summarize.mjs';

const here = import.meta.dirname;
/** How long a library may take for one scenario, in ms; those that copy a million rows for each change take minutes. */
const LONGEST = 600_000;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string' },
    libraries: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    large: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    dist: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const rows = options.rows?.split(',');
const asked = options.libraries?.split(',');

if (!options['no-build'] && options.dist === undefined) buildLibrary();
const names = adapterNames().filter((name) => asked?.includes(name) ?? true);
await bundle(names, options.dist);

/** Runs `runOne.mjs` and gives what it sends. */
async function inProcess(name, ...args) {
  const child = fork(join(here, 'runOne.mjs'), [join(bundles, `${name}.mjs`), ...args], {
    execArgv: ['--expose-gc', `--max-old-space-size=${options.large ? 8_192 : 4_096}`],
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: LONGEST,
  });
  let answer;
  child.on('message', (message) => (answer = message));
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? code}: ${args.join(' ') || 'check'}`);
  return answer;
}

/** Shows what is being measured in place of what it showed before. */
const progress = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);

const libraries = [];
for (const name of names) libraries.push({ name, ...(await inProcess(name)) });

const lines = scenarios
  .filter(({ isLarge = false }) => options.large || !isLarge)
  .filter(({ row }) => rows?.some((wish) => row === wish || String(parseInt(row)) === wish) ?? true)
  .map((scenario) => ({
    scenario,
    runners: libraries.filter(
      ({ can, isAsync }) =>
        scenario.needs.every((need) => can.includes(need)) && (!isAsync || scenario.takesAsync === true),
    ),
    samples: new Map(),
  }));

/** One library's samples of a scenario. One that fails is left out of it, and takes it no more. */
async function take(line, name) {
  const { scenario, runners, samples } = line;
  try {
    const taken = await inProcess(name, scenario.row);
    samples.set(name, [...(samples.get(name) ?? []), ...taken]);
  } catch (error) {
    console.error(`\nrow ${scenario.row} goes without: ${error.message}`);
    line.runners = runners.filter((runner) => runner.name !== name);
  }
}

const keep = keepResults('node');
for (let round = 0; round < rounds; round++) {
  for (const line of lines) {
    const { scenario, runners } = line;
    if (round > 0 && scenario.isExact) continue;
    for (let turn = 0; turn < runners.length; turn++) {
      const { name } = runners[(turn + round) % runners.length];
      progress(`round ${round + 1} of ${rounds}: ${scenario.row} ${name}`);
      await take(line, name);
    }
    // A run takes long, and may be ended early.
    keep({ rounds: round + 1, libraries, results: summarize(lines) });
  }
}
progress('');
showTable(summarize(lines), libraries);
