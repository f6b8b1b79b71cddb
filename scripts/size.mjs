/**
 * What an app pays for the library: bundled from the packed build for production, minified and gzipped, with
 * React left out. 1 kB is 1,000 bytes. `mark` is where we want to be; `limit` keeps what has been reached, with two per
 * cent to spare: a figure over its limit fails. Lower a limit whenever a figure falls. `atStart` is the same without
 * what `import()` loads later.
 */
import { bundleSize } from './bundleSize.mjs';
import { consumer } from './pack.mjs';

const app = `
  import { Controller, createResource, Entity } from 'holdfast';
  import { DataProvider, useSuspense } from 'holdfast/react';
  export { Controller, createResource, Entity, DataProvider, useSuspense };
`;

/** One export of an entry, or all of them, without the rest of the package. */
const alone = (name, entry, limit, mark) => ({
  name: name === '*' ? `all of ${entry}` : `${name} alone`,
  mark,
  limit,
  source: name === '*' ? `export * from '${entry}';` : `export { ${name} } from '${entry}';`,
});

const bundles = [
  { name: 'createResource + useSuspense', mark: 29_000, limit: 49_600, source: app },
  {
    name: 'the same with indexedDB',
    mark: 42_000,
    limit: 78_000,
    source: `${app} export { indexedDB } from 'holdfast/indexeddb';`,
  },
  {
    name: 'the same with indexedDB, outbox and tabs',
    mark: 52_000,
    limit: 98_000,
    source: `${app}
      export { indexedDB } from 'holdfast/indexeddb';
      export { outbox } from 'holdfast/outbox';
      export { tabs } from 'holdfast/tabs';`,
  },
  alone('Entity', 'holdfast', 1_810, 2_000),
  alone('RestEndpoint', 'holdfast', 7_650, 9_000),
  alone('AsyncBoundary', 'holdfast/react', 920, 1_000),
  alone('indexedDB', 'holdfast/indexeddb', 32_650, 20_000),
  alone('*', 'holdfast', 66_300),
  alone('*', 'holdfast/react', 28_550),
  alone('*', 'holdfast/indexeddb', 34_250),
  alone('*', 'holdfast/outbox', 48_700),
  alone('*', 'holdfast/tabs', 6_750),
  alone('*', 'holdfast/devtools', 25_800),
  alone('*', 'holdfast/testing', 44_150),
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

for (const { name, source, atStart, ...whole } of bundles) {
  const options = { stdin: { contents: source, resolveDir: consumer } };
  const { minified, gzipped, gzippedAtStart } = await bundleSize(options);
  const first =
    gzippedAtStart < gzipped ? `; before first paint ${judged(gzippedAtStart, atStart ?? {})}` : '';
  console.log(`${name}: ${judged(gzipped, whole)} min+gzip, ${kilobytes(minified)} min${first}`);
}
