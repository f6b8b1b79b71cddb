/**
 * What the scenarios ask of a library. An adapter does each thing the way the library's documentation advises its users
 * to, and leaves out what the library does not do: its cell in the table stays empty. The functions of an asynchronous
 * library return promises.
 *
 * @typedef {import('./data.mjs').Issue} Issue
 * @typedef {import('./data.mjs').Row} Row
 * @typedef {import('./data.mjs').Change} Change
 *
 * @typedef {object} Cache
 * @property {(issues: Issue[]) => void} [storeIssues] - stores the nested list as one response
 * @property {() => Issue[]} [readIssues] - reads that response back, denormalized
 * @property {(id: string, change: Change) => void} [changeIssue] - merges fields into one issue
 * @property {(id: string, change: { name: string }) => void} [changeAuthor] - merges fields into one author
 * @property {(rows: Row[]) => void} [storeRows] - stores flat rows as one response
 * @property {() => Row[]} [readRows] - reads all of them as one list
 * @property {(id: string) => Row | undefined} [readRow] - reads one by its pk
 * @property {(id: string, change: Change) => void} [changeRow] - merges fields into one row
 * @property {(row: Row) => void} [pushRow] - stores a new row and puts it at the end of the list
 * @property {(rows: Row[]) => void} [storeRowResults] - stores each row as the response of a request of its
 *   own; in a library that has no responses, as a row
 * @property {(id: string) => void} [invalidateRowResult] - makes such a response unfit to show;
 *   deletes such a row
 * @property {(id: string) => boolean} [isRowResultShown] - whether such a response may be shown
 * @property {() => void} [expireAll] - makes every response stale
 * @property {(project: import('./graphs.mjs').Project) => void} [storeProject] - stores a project with its members
 * @property {() => import('./graphs.mjs').Project} [readProject] - reads it back, denormalized in both directions
 * @property {(id: string, change: { title: string }) => void} [changeMember] - merges fields into one member
 * @property {(steps: import('./graphs.mjs').Step[]) => void} [storeSteps] - stores a chain as one response
 * @property {(id: string) => import('./graphs.mjs').Step} [readStep] - reads a step with all that follow it
 * @property {(id: string, change: { title: string }) => void} [changeStep] - merges fields into one step
 * @property {(id: string, listener: (row: Row) => void) => void} [watchRow] - notifies of each change of one row
 * @property {(id: string, score: number) => void} [setScore] - sets the field of a row by which the live query sorts
 * @property {(repoId: string) => Window} [openWindow] - starts a live query, with a listener: the open rows of a repo,
 *   by score, highest first, as many as `WINDOW` of `data.mjs` says
 *
 * @typedef {object} Window
 * @property {() => Row[]} read - its current result; if that is asynchronous, resolves when the listener has received
 *   the result of all changes
 * @property {(limit: number) => Row[] | Promise<Row[]>} show - makes it show more rows, and reads them
 *
 * @typedef {object} Adapter
 * @property {string} title
 * @property {boolean} [isAsync] - whether the functions return promises
 * @property {() => Cache | Promise<Cache>} create - a new, empty cache that shares nothing with another
 */
export {};
