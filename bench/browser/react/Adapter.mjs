/**
 * What each file in `adapters/` exports as `adapter`: one library, holding the rows of `issues()` in memory, and the
 * hooks by which its documentation has components read them. Nothing is fetched.
 *
 * @typedef {import('../../data.mjs').Row & { author: { id: string, name: string } }} Issue
 *
 * @typedef {object} Store
 * @property {import('react').ComponentType<{ children: import('react').ReactNode }>} Provider
 * @property {() => string[]} useIds - the ids of the list; the reader renders only when a member comes or goes
 * @property {(id: string) => Issue} useIssue - one issue with its author, by a hook of its own
 * @property {() => Issue[]} useIssues - the list itself
 * @property {(id: string, change: import('../../data.mjs').Change) => unknown} change - sets fields of one issue
 * @property {(id: string, change: import('../../data.mjs').Change) => unknown} [stream] - the same for many changes a
 *   second, where the library has a way of its own for that
 * @property {(author: { id: string, name: string }, ids: string[]) => unknown} changeAuthor - renames an author;
 *   `ids`: the issues that show it, for a library that keeps a copy in each
 * @property {(issue: Issue) => unknown} push - adds one at the end of the list
 * @property {(id: string) => unknown} remove - takes one out of the list
 *
 * @typedef {object} Adapter
 * @property {string} title
 * @property {(issues: Issue[]) => Store} create - filled, and sharing nothing with another
 */
export {};
