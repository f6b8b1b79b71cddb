/**
 * What each file in `adapters/` exports as `adapter`: one library, holding the rows of `issues()` in memory, and the
 * hooks by which its documentation has components read them. Nothing is fetched. A library that lacks a function is left
 * out of the work that needs it.
 *
 * @typedef {import('../../data.mjs').Row & { author: { id: string, name: string } }} Issue
 *
 * @typedef {object} Store
 * @property {import('react').ComponentType<{ children: import('react').ReactNode }>} Provider
 * @property {() => string[]} [useIds] - the ids of the list; the reader renders only when a member comes or goes
 * @property {(id: string) => Issue} [useIssue] - one issue with its author, by a hook of its own
 * @property {() => Issue[]} [useIssues] - the list itself
 * @property {(id: string, change: Partial<import('../../data.mjs').Row>) => unknown} change - sets fields of one issue
 * @property {(id: string, change: Partial<import('../../data.mjs').Row>) => unknown} [stream] - the same for many changes
 *   a second, where the library has a way of its own for that
 * @property {(changes: (readonly [id: string, change: Partial<import('../../data.mjs').Row>])[]) => unknown} [changeAll] -
 *   several changes with one notification
 * @property {(author: { id: string, name: string }, ids: string[]) => unknown} [changeAuthor] - renames an author;
 *   `ids`: the issues that show it, for a library that keeps a copy in each
 * @property {(issue: Issue) => unknown} [push] - adds one at the end of the list
 * @property {(id: string) => unknown} [remove] - takes one out of the list
 * @property {() => Issue[]} [useWindow] - a live query with the args of `WINDOW` of `data.mjs`
 * @property {() => string[]} [useWindowIds] - the same for rows that read themselves by `useIssue`
 *
 * @typedef {object} Adapter
 * @property {string} title
 * @property {(issues: Issue[]) => Store} create - filled, and sharing nothing with another
 */
export {};
