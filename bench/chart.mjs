/**
 * Draws docs/images/reactChange.svg, which the README shows, from the JSON of a run: `node bench/chart.mjs
 * [bench/results/react-….json]`, of the last one by default. Bars are as long as the median takes, on a logarithmic scale,
 * with the quartiles as whiskers; the best comes first.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LEFT = 310;
const WIDTH = 780;
const ROW = 30;
const TOP = 56;
const lineName = 'change';

const folder = join(import.meta.dirname, 'results');
const lineIn = ({ results }) => results.find(({ name }) => name === lineName);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The last run with React that measured what is drawn, and more than a few libraries. */
function lastRun() {
  // The names contain the time when each began.
  const files = readdirSync(folder).filter((name) => name.startsWith('react-'));
  const runs = files.toSorted().map((name) => read(join(folder, name)));
  const last = runs.findLast((run) => Object.keys(lineIn(run)?.libraries ?? {}).length > 5);
  if (last === undefined)
    throw new Error('no run has measured it: node bench/browser/react/run.mjs --work=ownHooks');
  return last;
}

const [asked] = process.argv.slice(2);
const run = asked === undefined ? lastRun() : read(asked);
const { libraries } = run;
const line = lineIn(run);
const bars = libraries
  .filter(({ name }) => name in line.libraries)
  .map(({ name, title }) => ({
    title: title.replaceAll('`', ''),
    isOurs: name.startsWith('holdfast'),
    ...line.libraries[name].ms,
  }))
  .sort((left, right) => left.median - right.median);

const from = Math.min(...bars.map(({ p25 }) => p25)) / 2;
const to = Math.max(...bars.map(({ p75 }) => p75)) * 1.4;
const x = (ms) => LEFT + ((WIDTH - LEFT - 80) * Math.log(ms / from)) / Math.log(to / from);
const number = (ms) => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(1));

const drawn = bars.map(({ title, isOurs, median, p25, p75 }, index) => {
  const y = TOP + index * ROW;
  const middle = y + 10;
  return `  <text x="${LEFT - 10}" y="${middle + 4}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ''}>${title}</text>
  <rect x="${LEFT}" y="${y}" width="${(x(median) - LEFT).toFixed(1)}" height="20" rx="3" fill="${isOurs ? '#2563eb' : '#94a3b8'}"/>
  <path d="M${x(p25).toFixed(1)} ${middle}H${x(p75).toFixed(1)}" stroke="#0f172a" stroke-width="2"/>
  <text x="${(Math.max(x(median), x(p75)) + 8).toFixed(1)}" y="${middle + 4}">${number(median)} ms</text>`;
});
const height = TOP + bars.length * ROW + 12;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${line.title}, in ms: ${bars.map(({ title, median }) => `${title} ${number(median)}`).join(', ')}" font-family="system-ui, sans-serif" font-size="13" fill="#0f172a">
  <rect width="${WIDTH}" height="${height}" fill="#fff"/>
  <text x="16" y="24" font-size="15" font-weight="bold">${line.title}</text>
  <text x="16" y="42" fill="#475569">ms from the call to the DOM changed, logarithmic; median and quartiles, less is better</text>
${drawn.join('\n')}
</svg>
`;
const file = join(import.meta.dirname, '..', 'docs', 'images', 'reactChange.svg');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, svg);
