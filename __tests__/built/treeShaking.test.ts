import { beforeAll, describe, expect, it } from '@jest/globals';
import { run } from './consumer.ts';
import { withEsbuild, withRollup, withWebpack, type Bundle } from './bundlers.ts';

/** Files in these folders of the build. */
const folders = (...names: string[]): RegExp => new RegExp(`^(?:_virtual|${names.join('|')})/.+[.]js$`);

/**
 * `limit` in bytes: the largest figure of the bundlers plus 2 %. Webpack needs no allowance: it joins all modules into
 * one, as the others do. Lower a limit whenever the figure falls.
 */
const alone = [
  {
    name: 'Entity',
    from: 'holdfast',
    limit: 1_830,
    packages: [],
    modules: folders('src/schema', 'src/util'),
  },
  {
    name: 'Endpoint',
    from: 'holdfast',
    limit: 2_060,
    packages: [],
    modules: folders('src/schema', 'src/util', 'src/endpoint'),
  },
  {
    name: 'RestEndpoint',
    from: 'holdfast',
    limit: 8_380,
    packages: ['path-to-regexp'],
    modules: folders('src/schema', 'src/util', 'src/endpoint'),
  },
  {
    name: 'createResource',
    from: 'holdfast',
    limit: 14_700,
    packages: ['path-to-regexp'],
    modules: folders('src/schema', 'src/util', 'src/endpoint'),
  },
  {
    name: 'Select',
    from: 'holdfast',
    limit: 10_360,
    packages: [],
    modules: folders('src/schema', 'src/util'),
  },
  {
    name: 'Controller',
    from: 'holdfast',
    limit: 45_900,
    packages: ['immer'],
    modules: folders('src/controller', 'src/endpoint', 'src/schema', 'src/store', 'src/util', 'src/views'),
  },
  {
    name: 'useSuspense',
    from: 'holdfast/react',
    limit: 1_760,
    packages: ['react'],
    modules: folders('src/react', 'src/controller', 'src/endpoint', 'src/schema', 'src/store', 'src/util'),
  },
  {
    name: 'AsyncBoundary',
    from: 'holdfast/react',
    limit: 1_080,
    packages: ['react', 'react/jsx-runtime'],
    modules: folders('src/react', 'src/controller', 'src/store', 'src/util'),
  },
  {
    name: 'indexedDB',
    from: 'holdfast/indexeddb',
    limit: 35_000,
    packages: ['idb'],
    modules: folders('src/schema', 'src/store', 'src/util', 'plugins/indexeddb', 'plugins/shared'),
  },
  {
    name: 'outbox',
    from: 'holdfast/outbox',
    limit: 53_840,
    packages: ['idb', 'immer'],
    modules: folders(
      'src/controller',
      'src/endpoint',
      'src/plugins',
      'src/schema',
      'src/store',
      'src/util',
      'src/views',
      'plugins/outbox',
      'plugins/shared',
    ),
  },
  {
    name: 'tabs',
    from: 'holdfast/tabs',
    limit: 7_050,
    packages: [],
    modules: folders('src/schema', 'src/store', 'src/util', 'plugins/tabs', 'plugins/shared'),
  },
];

const entries = ['holdfast', 'holdfast/react', 'holdfast/indexeddb', 'holdfast/outbox', 'holdfast/tabs'];

/** What an export alone may contain of the package, by its entry. */
const foldersOf: Readonly<Record<string, RegExp>> = {
  holdfast: /^(?:_virtual|src\/(?!react\/))/,
  'holdfast/react': /^(?:_virtual|src)\//,
  'holdfast/indexeddb': /^(?:_virtual|src|plugins\/(?:indexeddb|shared))\//,
  'holdfast/outbox': /^(?:_virtual|src|plugins\/(?:outbox|shared))\//,
  'holdfast/tabs': /^(?:_virtual|src|plugins\/(?:tabs|shared))\//,
};

/** The exports that contain more than `SMALL` bytes: the store, or a whole plugin. */
const large = [
  'Controller',
  'Mutations',
  'HydrateState',
  'deserialize',
  'hydrateState',
  'indexedDB',
  'outbox',
  'stateReadable',
  'stateWritable',
  'streamedState',
  'streamedStateSync',
  'useStateScript',
];
const SMALL = 14_700;

/** The names that an entry exports. */
const exportsOf = (entry: string): readonly string[] =>
  run(
    'module',
    `import * as all from '${entry}'; console.log(JSON.stringify(Object.keys(all)));`,
  ) as readonly string[]; // as printed
const exported = Object.keys(foldersOf).flatMap((from) => exportsOf(from).map((name) => ({ name, from })));

const importing = ({ name, from }: { name: string; from: string }): string =>
  `export { ${name} } from '${from}';`;
const ignoring = (entry: string): string => `import * as all from '${entry}'; export const app = 1;`;
const sources = [...new Set([...alone, ...exported].map(importing)), ...entries.map(ignoring)];

const bundlers = { esbuild: withEsbuild, Rollup: withRollup, webpack: withWebpack };

describe.each(Object.entries(bundlers))('an app built with %s', (_name, bundler) => {
  const bundles = new Map<string, Bundle>();
  const bundleOf = (source: string): Bundle => {
    const bundle = bundles.get(source);
    if (bundle === undefined) throw new Error(`not built: ${source}`);
    return bundle;
  };

  beforeAll(async () => {
    for (const [nth, bundle] of (await bundler(sources)).entries()) bundles.set(sources[nth] ?? '', bundle);
  });

  it.each(alone)('a bundle that imports only $name contains only the code it needs', (only) => {
    const { bytes, modules, packages } = bundleOf(importing(only));
    expect(modules.length).toBeGreaterThan(0);
    expect(modules.filter((file) => !only.modules.test(file))).toEqual([]);
    expect(packages).toEqual(only.packages);
    expect(bytes).toBeLessThanOrEqual(only.limit);
  });

  it('each export alone contains no code of another entry, and only the large ones contain the store', () => {
    const found = exported.map(({ name, from }) => ({ name, from, ...bundleOf(importing({ name, from })) }));
    expect(found.length).toBeGreaterThan(80);
    const foreign = ({ from, modules }: (typeof found)[number]): boolean =>
      !modules.every((file) => foldersOf[from]?.test(file));
    expect(found.filter(foreign).map(({ name }) => name)).toEqual([]);
    expect(
      found
        .filter(({ bytes }) => bytes > SMALL)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...large].sort());
  });

  it.each(entries)(
    'a bundle that uses nothing of its import of %s contains no code of the package',
    (entry) => {
      expect(bundleOf(ignoring(entry)).modules).toEqual([]);
    },
  );
});
