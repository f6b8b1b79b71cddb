/**
 * What an app pays for the library: bundled from the packed build for production, minified and gzipped, with
 * React left out. 1 kB is 1,000 bytes. `mark` is where we want to be; `limit` keeps what has been reached, with some
 * three per cent to spare: a figure over its limit fails. Lower a limit whenever a figure falls.
 */
import { bundleSize } from './bundleSize.mjs';
import { consumer } from './pack.mjs';

const app = `
  import { Controller, createResource, Entity } from 'holdfast';
  import { DataProvider, useSuspense } from 'holdfast/react';
  export { Controller, createResource, Entity, DataProvider, useSuspense };
`;

const bundles = [
  { name: 'createResource + useSuspense', mark: 17_000, limit: 45_500, source: app },
  {
    name: 'the same with indexedDB',
    mark: 21_000,
    limit: 69_500,
    source: `${app} export { indexedDB } from 'holdfast/indexeddb';`,
  },
  { name: 'everything there is', source: `export * from 'holdfast'; export * from 'holdfast/react';` },
];

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const distance = (size, mark) => (size > mark ? `${kilobytes(size - mark)} over` : 'reached');

for (const { name, mark, limit, source } of bundles) {
  const { minified, gzipped: size } = await bundleSize({ stdin: { contents: source, resolveDir: consumer } });
  const tooLarge = limit !== undefined && size > limit;
  if (tooLarge) process.exitCode = 1;
  const verdict =
    limit === undefined
      ? ''
      : ` (mark ${kilobytes(mark)}: ${distance(size, mark)}; limit ${kilobytes(limit)})${tooLarge ? ' TOO LARGE' : ''}`;
  console.log(`${name}: ${kilobytes(size)} min+gzip, ${kilobytes(minified)} min${verdict}`);
}
