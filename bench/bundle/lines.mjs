import { atMost } from '../marks.mjs';

/**
 * What an app takes of each library to read a list from a server and show it: `apps/` has a module for each. Marks are in
 * kB, minified and gzipped.
 *
 * @type {{ app: string, title: string, marks?: import('../marks.mjs').Mark[] }[]}
 */
export const lines = [
  { app: 'holdfast', title: 'Holdfast', marks: [atMost(29)] },
  { app: 'dataClient', title: 'Data Client' },
  { app: 'tanstackQuery', title: 'TanStack Query (not normalized)' },
  { app: 'swr', title: 'SWR (not normalized)' },
  { app: 'reduxToolkitQuery', title: 'Redux Toolkit with RTK Query (not normalized)' },
  { app: 'apollo', title: 'Apollo' },
  { app: 'tanstackDb', title: 'TanStack DB, with its query collection' },
  { app: 'tinybase', title: 'TinyBase (asks no server)' },
  { app: 'holdfastOnDisk', title: 'Holdfast, kept in IndexedDB', marks: [atMost(42)] },
  { app: 'holdfastOffline', title: 'Holdfast, with its outbox and tabs as well', marks: [atMost(52)] },
  { app: 'tanstackQueryOnDisk', title: 'TanStack Query, kept by a storage of the app’s own' },
  { app: 'tinybaseOnDisk', title: 'TinyBase, kept in IndexedDB (asks no server)' },
  { app: 'dexie', title: 'Dexie (IndexedDB alone)' },
];
