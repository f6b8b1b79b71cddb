/**
 * What an app's users load for each library, beside ours: part of `npm run bench`, or `node bench/bundle/run.mjs
 * [--no-build]`. Each is bundled as `npm test` bundles ours, from its published build and with React left out.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSize } from '../../scripts/bundleSize.mjs';
import { root } from '../../scripts/install.mjs';
import { judge, say } from '../marks.mjs';
import { buildLibrary } from '../prepare.mjs';
import { keepResults } from '../results.mjs';
import { lines } from './lines.mjs';

const { values: options } = parseArgs({ options: { 'no-build': { type: 'boolean', default: false } } });
if (!options['no-build']) buildLibrary();

const built = (entry) => join(root, 'dist', `${entry}.js`);
const alias = {
  holdfast: built('index'),
  'holdfast/react': built('react'),
  'holdfast/indexeddb': built('indexeddb'),
  'holdfast/outbox': built('outbox'),
  'holdfast/tabs': built('tabs'),
};
const keep = keepResults('bundle');
const results = [];
for (const { app, title, marks = [] } of lines) {
  const entryPoints = [join(import.meta.dirname, 'apps', `${app}.mjs`)];
  const { minified, gzipped } = await bundleSize({ entryPoints, alias });
  const verdicts = marks.map((mark) => judge(mark, gzipped / 1_000));
  results.push({ app, title, minified, gzipped, verdicts });
  keep({ results });
}

const kilobytes = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`.padStart(9);
const width = Math.max(...lines.map(({ title }) => title.length));
console.log('what an app loads, React left out');
for (const { title, minified, gzipped, verdicts } of results) {
  const sizes = `${kilobytes(gzipped)} min+gzip ${kilobytes(minified)} min`;
  console.log(
    [`${title.padEnd(width)} ${sizes}`, ...verdicts.map((verdict) => `kB ${say(verdict)}`)].join('   '),
  );
}
