/**
 * What each part of the library costs an app, in two columns: the size of its bundle (`bundleSize.mjs`), minus its size
 * with the files of that part emptied; and the same, with those of all parts above emptied too. The first is what an app
 * would save without the part. Words that several parts use are in none of these figures, because gzip stores them once.
 * The second column adds up to the whole, except for `the rest`: the imports and exports of emptied files. Code elsewhere
 * that calls a part counts for the part that it is in. Needs a packed build: `npm test -- build`.
 */
import { readFileSync } from 'node:fs';
import { bundleSize } from './bundleSize.mjs';
import { consumer } from './pack.mjs';

const core = `
  export { Controller, createResource, Entity } from 'holdfast';
  export { DataProvider, useSuspense } from 'holdfast/react';`;
const indexedDB = `${core} export { indexedDB } from 'holdfast/indexeddb';`;
const offline = `${indexedDB} export { outbox } from 'holdfast/outbox'; export { tabs } from 'holdfast/tabs';`;

const partsOfIndexedDB = {
  idb: /node_modules\/idb\//,
  'connections: closed, deleted, unreadable':
    /shared\/(Connection|RunningTransactions|marks|chromiumLog|unreadableRecords|blobStorage)/,
  'codec of the app': /Codec|CodedRecords/,
  'eviction, migration, rebuilding the header': /evict|migration|rebuildHeader|DiskSize/,
  compaction: /maintenance\//,
  'the last screen': /[lL]astScreen|LastScreen/,
  'restoring and reading': /indexeddb\/reading\//,
  'several tabs: reconciling with what others wrote':
    /SyncStates|reconcile|Revisions|reviseOnDisk|writeGuard/,
  'writing the log': /indexeddb\/writing\//,
  'records and shards': /indexeddb\/records\//,
  'object stores and transactions': /indexeddb\/storage\//,
  'the plugin, its state and schedule': /plugins\/(indexeddb|shared)\//,
};

/** The apps, and the files of each part by a pattern; a file belongs to the first part that it matches. */
const apps = [
  {
    name: 'the core',
    source: core,
    parts: {
      Immer: /node_modules\/immer\//,
      'path-to-regexp': /node_modules\/path-to-regexp\//,
      'renames, with lists below renamed entities': /rename|Rename|src\/store\/Aliases|currentArgs/,
      'temporary pks': /temporaryPks|createdRows/,
      'optimistic layers': /Layer|lazyListRow|showOptimistic|optimisticResponses/,
      'collections: lists that `push` and the like change':
        /schema\/collection\/|CollectionNode|collectionOf|listIndex/,
      'garbage collection': /GarbageCollector|unreachableRows/,
      'polling, coming back online': /Subscription|Environment/,
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
  { name: '`indexedDB`, on top of the core', source: indexedDB, on: core, parts: partsOfIndexedDB },
  {
    name: '`indexedDB` alone',
    source: `export { indexedDB } from 'holdfast/indexeddb';`,
    parts: { ...partsOfIndexedDB, 'what it needs of the core': /holdfast\/dist\/src\// },
  },
  {
    name: '`outbox` and `tabs`, on top of these',
    source: offline,
    on: indexedDB,
    parts: {
      'outbox: the queue': /outbox\/queue\//,
      'outbox: sending, retrying, signing in again': /outbox\/sending\//,
      'outbox: storage, also without a storage plugin': /outbox\/storage\//,
      'outbox: the plugin': /plugins\/outbox\//,
      tabs: /plugins\/tabs\//,
    },
  },
  {
    name: '`Select`, on top of the core',
    source: `${core} export { Select } from 'holdfast';`,
    on: core,
    parts: {
      'conditions: `where`, ranges, which of them use an index': /select\/(conditions|ranges|plan|RangeList)/,
      'relations in conditions and orders': /select\/relations/,
      'the index: rows by the values of their fields': /select\/(LiveIndexes|LiveIndex)\./,
      'sorted lists, the window of `limit` and `offset`': /select\/(LiveBucket|SortedList|Window|ordering)/,
      'members of lists that are read already': /select\/Picked/,
      'stored fields, with defaults and converters': /select\/fields/,
      'the class': /select\/Select/,
      'passes over queries': /schema\/query\/QueryPass/,
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

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(5)} kB`;

console.log('without the part; without it and the parts above');
for (const { name, source, parts, on } of apps) {
  const whole = await sizeWithout(source, () => false);
  const base = on === undefined ? 0 : await sizeWithout(on, () => false);
  console.log(`\n${name}: ${kilobytes(whole - base).trim()}`);
  const patterns = Object.values(parts);
  let left = whole;
  for (const [nth, part] of Object.keys(parts).entries()) {
    const firstOf = (file) => patterns.findIndex((pattern) => pattern.test(file));
    const alone = whole - (await sizeWithout(source, (file) => firstOf(file) === nth));
    const next = await sizeWithout(source, (file) => firstOf(file) !== -1 && firstOf(file) <= nth);
    console.log(`${kilobytes(alone)} ${kilobytes(left - next)}  ${part}`);
    left = next;
  }
  console.log(`${' '.repeat(8)} ${kilobytes(left - base)}  the rest`);
}
