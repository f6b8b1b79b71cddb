/**
 * What each part of the library costs an app: the size of its bundle (`bundleSize.mjs`), minus its size with the files
 * of that part emptied. So a part costs only what is in no other part, and what uses it elsewhere does not count. Needs
 * a packed build: `npm test -- build`.
 */
import { readFileSync } from 'node:fs';
import { bundleSize } from './bundleSize.mjs';
import { consumer } from './pack.mjs';

const core = `
  export { Controller, createResource, Entity } from 'holdfast';
  export { DataProvider, useSuspense } from 'holdfast/react';`;
const indexedDB = `${core} export { indexedDB } from 'holdfast/indexeddb';`;
const offline = `${indexedDB} export { outbox } from 'holdfast/outbox'; export { tabs } from 'holdfast/tabs';`;

/** The apps, and the files of each part by a pattern; a file belongs to the first part that it matches. */
const apps = [
  {
    name: 'the core',
    source: core,
    parts: {
      Immer: /node_modules\/immer\//,
      'path-to-regexp': /node_modules\/path-to-regexp\//,
      'renames, with lists below renamed entities': /rename|Rename|src\/store\/Aliases|currentArgs/,
      'temporary pks': /temporaryPk/,
      'optimistic layers': /Layer|lazyListRow|showOptimistic|optimisticResponses/,
      'collections: lists that `push` and the like change':
        /schema\/collection\/|CollectionNode|collectionOf|listAdders/,
      'garbage collection': /GarbageCollector|unreachableRows/,
      'polling, coming back online': /Subscription|ReconnectTracker|Environment/,
      'plugins, and restoring from them': /controller\/plugins\//,
      'indexes and whole tables': /RowIndex|TableNode/,
      'long lists, changed in place': /ListNode/,
      'HTTP: paths, URLs, bodies, responses, `createResource`': /src\/endpoint\//,
      'controller: requests, freshness, writes, reads of hooks': /src\/controller\//,
      'views: the graph of denormalized objects': /src\/views\//,
      'store: tables, transactions, commits': /src\/store\//,
      'schema: entities, normalizing, denormalizing': /src\/schema\//,
      React: /src\/react/,
      'errors, copies, equality': /src\/util\//,
    },
  },
  {
    name: 'indexedDB, on top of the core',
    source: indexedDB,
    parts: {
      idb: /node_modules\/idb\//,
      'connections: closed, deleted, unreadable':
        /shared\/(Connection|chromiumLog|unreadableRecords|blobStorage)/,
      'codec of the app': /Codec|CodedStorage/,
      'eviction, migration, rebuilding the header': /compactAndEvict|evict|migration|rebuildHeader|DiskSize/,
      compaction: /maintenance\//,
      'restoring and reading': /indexeddb\/reading\//,
      'several tabs: reconciling with what others wrote':
        /SyncStates|SyncedRows|reconcile|Revisions|reviseOnDisk|writeGuard/,
      'writing the log': /indexeddb\/writing\//,
      'records and shards': /indexeddb\/records\//,
      'object stores and transactions': /indexeddb\/storage\//,
      'the plugin, its state and schedule': /plugins\/indexeddb\//,
    },
  },
  {
    name: 'outbox and tabs, on top of these',
    source: offline,
    parts: {
      'outbox: the queue': /outbox\/queue\//,
      'outbox: sending, retrying, signing in again': /outbox\/sending\//,
      'outbox: storage, also without a storage plugin': /outbox\/storage\//,
      'outbox: the plugin': /plugins\/outbox\//,
      tabs: /plugins\/tabs\//,
    },
  },
];

/** Empties the files that match, but keeps their exports, and their imports with all that these contain. */
const without = (isPart) => ({
  name: 'without',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.m?js$/ }, ({ path: file }) => {
      if (!isPart(file)) return;
      const code = readFileSync(file, 'utf8');
      const imports = code.match(/^import .* from .*$/gmu) ?? [];
      const imported = names(imports.map((line) => line.replace(/ from .*$/u, '')));
      const exported = names(code.match(/^export \{[^}]*\}(?! from)/gmu) ?? []);
      const variables = exported.map(
        (name, nth) => `let e${nth} = globalThis; export { e${nth} as ${name} };`,
      );
      return { contents: [...imports, `globalThis.x = [${imported.join()}];`, ...variables].join('\n') };
    });
  },
});

/** The names by which `import { a, b as c }` and the like make something known: `a` and `c`. */
function names(lists) {
  return lists
    .flatMap((list) => list.replace(/^(import|export)|[{}]/gu, '').split(','))
    .map((name) => name.trim().replace(/^.* as /u, ''))
    .filter((name) => name !== '');
}

const sizeWithout = async (source, isPart) => {
  const options = { stdin: { contents: source, resolveDir: consumer }, plugins: [without(isPart)] };
  return (await bundleSize(options)).gzipped;
};

for (const { name, source, parts } of apps) {
  const whole = await sizeWithout(source, () => false);
  const patterns = Object.values(parts);
  console.log(`\n${name} (the whole app: ${(whole / 1000).toFixed(1)} kB)`);
  for (const [part, pattern] of Object.entries(parts)) {
    const earlier = patterns.slice(0, patterns.indexOf(pattern));
    const isPart = (file) => pattern.test(file) && !earlier.some((other) => other.test(file));
    const saved = whole - (await sizeWithout(source, isPart));
    console.log(`${(saved / 1000).toFixed(1).padStart(5)} kB  ${part}`);
  }
}
