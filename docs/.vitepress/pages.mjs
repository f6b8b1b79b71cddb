/**
 * Every page of the documentation, in reading order: the sidebar, `llms.txt` and the list in `README.md` are made or
 * checked from this. Paths are those of the files in `docs/`.
 */
export const groups = [
  {
    title: 'Begin',
    pages: [
      ['tutorial.md', 'Tutorial', 'A screen that works offline, in ten minutes, from an empty folder'],
      ['react.md', 'Reading in React', 'Every hook and boundary, and when to use which'],
    ],
  },
  {
    title: 'Concepts',
    pages: [
      ['entities.md', 'Entities', 'Records with a primary key: relations, merging, validation, other shapes'],
      [
        'endpoints.md',
        'Endpoints and resources',
        'Functions with a key: paths, bodies, responses, derived ones',
      ],
      [
        'freshness.md',
        'Freshness and errors',
        'Fresh, stale, invalid; what fetches, what is shown, what is kept',
      ],
      ['mutations.md', 'Mutations', 'Changing data: on the server, in memory, in lists, in one go'],
      ['optimistic.md', 'Optimistic updates', 'Showing a change before the server has answered'],
      ['persistence.md', 'Persistence', 'Data that outlives a reload, in IndexedDB'],
      ['offline.md', 'Offline', 'Mutations that wait for the network: the outbox'],
      ['tabs.md', 'Tabs', 'How the tabs of an app keep in step'],
      ['ssr.md', 'Rendering on a server', 'Streaming a page with its data, and hydrating from it'],
      ['serviceWorkers.md', 'Service workers and Node', 'The same controller without a page'],
      ['plugins.md', 'Plugins', 'Those that ship, and how to write one'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['auth.md', 'Login and logout', 'Tokens on requests, data of one user at a time, a logout that clears'],
      ['pagination.md', 'Pagination', 'Pages, infinite lists, lists that are filtered'],
      ['uploads.md', 'Uploads and downloads', 'Files in bodies and responses, progress, cancelling'],
      ['liveUpdates.md', 'Live updates', 'Polling, WebSockets and server-sent events'],
      ['realApi.md', 'A real API', 'Wrapped bodies, slugs as primary keys, feeds: the API of RealWorld'],
      ['migrations.md', 'Migrations', 'Rows on disk that an earlier version of the app has written'],
      ['testing.md', 'Testing', 'Fixtures in place of a network'],
      ['devtools.md', 'Devtools', 'The inspector in the page, and the Redux DevTools'],
      ['pwa.md', 'A progressive web app', 'vite-plugin-pwa, routers, Zod and the React Compiler'],
      ['nextjs.md', 'Next.js', 'The App Router: fetched on the server, fresh in the browser'],
      ['fromDataClient.md', 'From Data Client', 'Each name of Data Client and Rest Hooks beside ours'],
      ['fromTanStackQuery.md', 'From TanStack Query', 'The same screen in both, and how to move over'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['errors.md', 'Errors', 'Every code: what happened, and what to do'],
      ['whatCanGoWrong.md', 'What can go wrong', 'Each fault, what happens, and what the app is told'],
      ['requirements.md', 'Requirements', 'Bundlers, runtimes, TypeScript, and pages without a bundler'],
      ['compatibility.md', 'Compatibility', 'What passes in which browser, and what differs'],
      ['performance.md', 'Performance', 'Measured beside the peers, with what each figure stands on'],
    ],
  },
  {
    title: 'Inside',
    pages: [
      ['architecture.md', 'How it is built', 'The whole in ten minutes'],
      ['storage.md', 'What is stored where', 'The layout on disk: a log of changes over shards of rows'],
      ['decisions/README.md', 'Decisions', 'Why it is as it is, and what was tried instead'],
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
