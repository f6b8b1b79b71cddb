/**
 * What an app pays for the library: bundled from the packed build for production, minified and gzipped, with
 * React left out. 1 kB is 1,000 bytes. `mark` is where we want to be; `limit` keeps what has been reached, with two per
 * cent to spare: a figure over its limit fails. Lower a limit whenever a figure falls. `atStart` is the same without
 * what `import()` loads later. `without` is what an app loads already: the figure is the difference.
 */
import { bundleSize } from './bundleSize.mjs';
import { consumer } from './pack.mjs';
import { viteSize } from './viteSize.mjs';

const app = `
  import { Controller, createResource, Entity } from 'holdfast';
  import { DataProvider, useSuspense } from 'holdfast/react';
  export { Controller, createResource, Entity, DataProvider, useSuspense };
`;

/** What an app loads that works offline, and whose tabs share their data. */
const offlineApp = `${app}
  export { indexedDB } from 'holdfast/indexeddb';
  export { outbox } from 'holdfast/outbox';
  export { tabs } from 'holdfast/tabs';
`;

/** One export of an entry, or all of them, without the rest of the package. */
const alone = (name, entry, limit, mark) => ({
  name: name === '*' ? `all of ${entry}` : `${name} alone`,
  mark,
  limit,
  source: name === '*' ? `export * from '${entry}';` : `export { ${name} } from '${entry}';`,
});

const bundles = [
  { name: 'createResource + useSuspense', mark: 29_000, limit: 56_710, source: app },
  {
    name: 'the same with indexedDB',
    mark: 42_000,
    limit: 86_660,
    source: `${app} export { indexedDB } from 'holdfast/indexeddb';`,
  },
  {
    name: 'the same with indexedDB, outbox and tabs',
    mark: 52_000,
    limit: 109_920,
    source: offlineApp,
  },
  {
    name: 'Select on top of the core',
    mark: 4_000,
    limit: 8_530,
    source: `${app} export { Select } from 'holdfast';`,
    without: app,
  },
  {
    name: 'Aggregate on top of Select',
    mark: 1_500,
    limit: 1_530,
    source: `${app} export { Aggregate, Select } from 'holdfast';`,
    without: `${app} export { Select } from 'holdfast';`,
  },
  alone('Entity', 'holdfast', 1_830, 2_000),
  alone('RestEndpoint', 'holdfast', 8_350, 9_000),
  alone('AsyncBoundary', 'holdfast/react', 1_070, 1_000),
  alone('indexedDB', 'holdfast/indexeddb', 34_680, 20_000),
  alone('*', 'holdfast', 76_080),
  alone('*', 'holdfast/react', 30_320),
  alone('*', 'holdfast/indexeddb', 36_240),
  alone('*', 'holdfast/outbox', 54_450),
  alone('*', 'holdfast/tabs', 6_860),
  alone('*', 'holdfast/devtools', 26_690),
  alone('*', 'holdfast/testing', 47_930),
  { name: 'everything there is', source: `export * from 'holdfast'; export * from 'holdfast/react';` },
];

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const distance = (size, mark) => (size > mark ? `${kilobytes(size - mark)} over` : 'reached');

/** The figure beside its mark and limit; a size over the limit makes the process fail. */
function judged(size, { mark, limit }) {
  if (limit === undefined) return kilobytes(size);
  const isTooLarge = size > limit;
  if (isTooLarge) process.exitCode = 1;
  const toMark = mark === undefined ? '' : `mark ${kilobytes(mark)}: ${distance(size, mark)}; `;
  return `${kilobytes(size)} (${toMark}limit ${kilobytes(limit)})${isTooLarge ? ' TOO LARGE' : ''}`;
}

const sizeOf = (contents) => bundleSize({ stdin: { contents, resolveDir: consumer } });

for (const { name, source, without, atStart, ...whole } of bundles) {
  const { minified, gzipped, gzippedAtStart } = await sizeOf(source);
  if (without !== undefined) {
    const base = await sizeOf(without);
    const added = kilobytes(minified - base.minified);
    console.log(`${name}: ${judged(gzipped - base.gzipped, whole)} min+gzip, ${added} min`);
    continue;
  }
  const first =
    gzippedAtStart < gzipped ? `; before first paint ${judged(gzippedAtStart, atStart ?? {})}` : '';
  console.log(`${name}: ${judged(gzipped, whole)} min+gzip, ${kilobytes(minified)} min${first}`);
}

const { total, atStart } = await viteSize(offlineApp);
console.log(
  `with indexedDB, outbox and tabs, built by Vite: ${judged(total, { limit: 106_600 })} min+gzip, of which ${kilobytes(atStart)} before first paint`,
);
