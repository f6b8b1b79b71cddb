/**
 * Every page of the documentation, in reading order: the sidebar, `llms.txt` and the list in `README.md` are
 * made or checked from this. Paths are those of the files in `docs/`.
 */
export const groups = [
  {
    title: 'Get started',
    pages: [
      ['install.md', 'Install and quick start', 'From an existing app to an offline screen of your own API'],
      ['tutorial.md', 'Tutorial', 'A screen that works offline, in ten minutes, from an empty folder'],
      ['react.md', 'Reading in React', 'Every hook and boundary, and when to use which'],
      ['defaults.md', 'Important defaults', 'What happens without options, and what changes it'],
    ],
  },
  {
    title: 'Concepts',
    pages: [
      [
        'entities.md',
        'Entities',
        'Records with a primary key: relations, merging, validation, other schemas',
      ],
      [
        'endpoints.md',
        'Endpoints and resources',
        'Async functions with a key: paths, bodies, responses, extending them',
      ],
      [
        'freshness.md',
        'Freshness and errors',
        'Fresh, stale, invalid: what triggers a fetch, what a read shows, what errors do',
      ],
      ['mutations.md', 'Mutations', 'Changing data: on the server, in memory, in lists, in batches'],
      ['optimistic.md', 'Optimistic updates', 'Showing a change before the server responds'],
      ['liveQueries.md', 'Live queries', 'Filtering, sorting, paging and counting what is on the device'],
      ['persistence.md', 'Persistence', 'Data in IndexedDB that survives a reload'],
      ['offline.md', 'Offline', 'The outbox: mutations that wait for the network'],
      ['tabs.md', 'Tabs', 'How the tabs of an app stay in sync'],
      ['ssr.md', 'Rendering on a server', 'Streaming a page with its data, and hydrating it'],
      ['serviceWorkers.md', 'Service workers and Node', 'The same controller without a page'],
      ['plugins.md', 'Plugins', 'The built-in ones, and how to write your own'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['auth.md', 'Login and logout', 'Tokens on requests, data separated by user, a logout that clears it'],
      ['encryption.md', 'Encryption', 'Data on the device that only the right key can read'],
      ['pagination.md', 'Pagination', 'Pages, infinite lists, filtered lists'],
      ['uploads.md', 'Uploads and downloads', 'Files in bodies and responses, progress, cancelling'],
      ['liveUpdates.md', 'Live updates', 'Polling, WebSockets and server-sent events'],
      ['realApi.md', 'A real API', 'Wrapped bodies, slugs as primary keys, feeds: the API of RealWorld'],
      ['migrations.md', 'Migrations', 'Reading rows that an earlier version of the app has written'],
      ['testing.md', 'Testing', 'Fixtures instead of a network'],
      ['devtools.md', 'Devtools', 'The in-page inspector and the Redux DevTools'],
      ['pwa.md', 'A progressive web app', 'vite-plugin-pwa, routers, Zod and the React Compiler'],
      ['nextjs.md', 'Next.js', 'The App Router: data fetched on the server, still fresh in the browser'],
      [
        'fromDataClient.md',
        'From Data Client',
        'Each name of Data Client and Rest Hooks, with its equivalent',
      ],
      ['fromTanStackQuery.md', 'From TanStack Query', 'The same screen in both, and how to migrate'],
      [
        'fromTanStackDB.md',
        'From TanStack DB',
        'A live query in both, joins, aggregates, and how to migrate',
      ],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['options.md', 'Options', 'Every option of resources, endpoints, the controller and the plugins'],
      ['glossary.md', 'Glossary', 'The terms of these pages, with their names in other libraries'],
      ['errors.md', 'Errors', 'Every code: what happened, and what to do about it'],
      ['whatCanGoWrong.md', 'What can go wrong', 'Each fault, what happens, and how the app is notified'],
      ['requirements.md', 'Requirements', 'Bundlers, runtimes, TypeScript, and pages without a bundler'],
      ['compatibility.md', 'Compatibility', 'Which tests pass in which browser, and the differences'],
      ['performance.md', 'Performance', 'Benchmarks beside similar libraries, and how they were measured'],
    ],
  },
  {
    title: 'Internals',
    pages: [
      ['architecture.md', 'Architecture', 'How Holdfast is built, in ten minutes'],
      ['storage.md', 'Storage layout', 'What is on disk: a write-ahead log over shards of rows'],
      [
        'decisions/README.md',
        'Decisions',
        'The reasons for the design, and the alternatives that were tried',
      ],
    ],
  },
];

/** Files outside `docs/` that pages link to; the site shows copies of them. By their path in the repository. */
export const copies = {
  'CHANGELOG.md': 'repository/changelog.md',
  'CONTRIBUTING.md': 'repository/contributing.md',
  'bench/README.md': 'repository/bench.md',
  'demo/README.md': 'repository/demo.md',
};

/** Where the site shows a page: `decisions/README.md` → `/decisions/`. */
export const addressOf = (file) => `/${file.replace(/(^|\/)(README|index)\.md$/, '$1').replace(/\.md$/, '')}`;
