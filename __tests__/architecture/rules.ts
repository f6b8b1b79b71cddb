/** The layers of `src`, lowest first. A file imports from its own layer and from those below it. */
export const layers = [
  'util',
  'schema',
  'endpoint',
  'store',
  'views',
  'controller',
  'ssr',
  'plugins',
  'react',
  'testing',
] as const;

/** The highest layer that each public entry may list exports from. */
export const entryLayers: Readonly<Record<string, (typeof layers)[number]>> = {
  'src/index.ts': 'plugins',
  'src/react.ts': 'react',
  'src/testing.ts': 'testing',
};

/** Which npm packages a folder may import; a folder that is not listed may import none. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'src/store/transaction.ts': ['immer'],
  'src/endpoint': ['path-to-regexp'],
  'src/react': ['react'],
  'src/testing': ['react', 'react-dom'],
  'plugins/shared': ['idb'],
  'plugins/indexeddb': ['idb'],
  'plugins/outbox': ['idb', 'react'],
  'plugins/devtools': ['react', 'react-dom'],
};

/** The folder of `plugins` that every other may import from. It is no plugin. */
export const sharedByPlugins = 'shared';

/** What a plugin may import of Holdfast itself: what any user could. */
export const publicEntries: readonly string[] = ['holdfast', 'holdfast/react'];
