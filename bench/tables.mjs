/**
 * Prints the tables of docs/performance.md from the last runs of each part: `npm run bench:tables`, or
 * `node bench/tables.mjs bench/results/react-….json …` for others. A line's marks end it, with whether they are met.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { say } from './marks.mjs';
import { number } from './showTable.mjs';

const folder = join(import.meta.dirname, 'results');

/** The last run of a part. */
function lastRun(part) {
  // The names contain the time when each began.
  const name = readdirSync(folder)
    .filter((file) => file.startsWith(`${part}-`))
    .toSorted()
    .at(-1);
  return name === undefined ? [] : [join(folder, name)];
}

const spread = ({ median, p25, p75 }) => `${number(median)} (${number(p25)}–${number(p75)})`;

const verdict = (one) => say(one).replace('SHORT', '**short**');

/** What a line of the React page is about: the time where it has one, else each figure. */
function figures(measured) {
  if (measured.ms !== undefined) return spread(measured.ms);
  return Object.entries(measured)
    .map(([name, { median }]) => `${name} ${number(median)}`)
    .join('; ');
}

const parts = {
  node: {
    head: 'work (µs per operation unless said)',
    title: ({ row, title }) => `${row}: ${title}`,
    cell: spread,
  },
  react: {
    head: 'work',
    title: ({ title }) => title,
    cell: figures,
  },
  disk: {
    head: 'work (ms)',
    title: ({ title, size }) => `${title}, ${size.toLocaleString('en')} rows`,
    cell: (measured) => `${spread(measured)}; longest ${number(measured.longest)}`,
  },
};

/** The verdicts of a line: one list, or one for each of ours. */
const verdictsOf = ({ verdicts }) =>
  Array.isArray(verdicts)
    ? verdicts.map(verdict).join('; ')
    : Object.entries(verdicts ?? {})
        .map(([name, those]) => `${name}: ${those.map(verdict).join('; ')}`)
        .join('. ');

const files = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts).flatMap(lastRun);
for (const file of files) {
  const part = parts[basename(file).split('-')[0]];
  const { began, commit, rounds, loadBefore, libraries, results } = JSON.parse(readFileSync(file, 'utf8'));
  console.log(`\n${basename(file)}: ${began}, ${commit}, ${rounds} rounds, load before ${loadBefore}\n`);
  const head = [part.head, ...libraries.map(({ title }) => title), 'mark for Holdfast'];
  const body = results.map((line) => [
    part.title(line),
    ...libraries.map(({ name }) => (name in line.libraries ? part.cell(line.libraries[name]) : '')),
    verdictsOf(line),
  ]);
  for (const cells of [head, head.map(() => '---'), ...body]) console.log(`| ${cells.join(' | ')} |`);
}
