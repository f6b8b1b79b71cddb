/**
 * Ours and the peers side by side: `npm run bench`, or
 * `node bench/run.mjs [--rows=1,4] [--libraries=holdfast,normalizr] [--rounds=2] [--large] [--no-build] [--dist=<folder>]`.
 *
 * Each library takes each scenario in a process of its own, several rounds, and within a round the libraries take
 * turns: what ran before counts for none of them, and a moment in which the machine was busy for all.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quantile } from './measure.mjs';
import { adapterNames, buildLibrary, bundle, bundles, install } from './prepare.mjs';
import { scenarios } from './scenarios.mjs';
import { showTable } from './showTable.mjs';

const here = import.meta.dirname;

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

install();
if (!options['no-build'] && options.dist === undefined) buildLibrary();
const names = adapterNames().filter((name) => asked?.includes(name) ?? true);
await bundle(names, options.dist);

/** Runs `runOne.mjs` and gives what it sends. */
async function inProcess(name, ...args) {
  const child = fork(join(here, 'runOne.mjs'), [join(bundles, `${name}.mjs`), ...args], {
    execArgv: ['--expose-gc', '--max-old-space-size=4096'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let answer;
  child.on('message', (message) => (answer = message));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${name} failed: ${args.join(' ') || 'check'}`);
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
      ({ name, can }) =>
        scenario.needs.every((need) => can.includes(need)) && (scenario.only ?? name) === name,
    ),
    samples: new Map(),
  }));

for (let round = 0; round < rounds; round++) {
  for (const { scenario, runners, samples } of lines) {
    if (round > 0 && scenario.isExact) continue;
    for (let turn = 0; turn < runners.length; turn++) {
      const { name } = runners[(turn + round) % runners.length];
      progress(`round ${round + 1} of ${rounds}: ${scenario.row} ${name}`);
      const taken = await inProcess(name, scenario.row);
      samples.set(name, [...(samples.get(name) ?? []), ...taken]);
    }
  }
}
progress('');

const spread = (samples) => ({
  median: quantile(samples, 0.5),
  p25: quantile(samples, 0.25),
  p75: quantile(samples, 0.75),
  samples: samples.length,
});
const results = lines.map(({ scenario: { row, title, mark, unit = 'µs' }, samples }) => ({
  row,
  title,
  mark,
  unit,
  libraries: Object.fromEntries([...samples].map(([name, all]) => [name, spread(all)])),
}));

showTable(results, libraries);
mkdirSync(join(here, 'results'), { recursive: true });
const file = join(here, 'results', `${new Date().toISOString().replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify({ node: process.version, rounds, results }, undefined, 2)}\n`);
