/**
 * The lines of the table.
 *
 * @typedef {object} Line
 * @property {string} name - what the page calls it
 * @property {string} work - what in the page measures it
 * @property {string} title
 * @property {string} mark - what Holdfast is to reach
 * @property {{ list: number, row: number }} [renders] - what one change may render, exactly
 */

/** @type {Line[]} */
export const lines = [
  {
    name: 'change',
    work: 'ownHooks',
    title: '10,000 rows, each its own hook: change one',
    mark: '≤ 1.5 × floor',
    renders: { list: 0, row: 1 },
  },
  {
    name: 'changeAuthor',
    work: 'ownHooks',
    title: 'the same, change an author that 100 rows show',
    mark: '≤ 1.5 × floor',
    renders: { list: 0, row: 100 },
  },
  {
    name: 'push',
    work: 'ownHooks',
    title: 'the same, push one',
    mark: '≤ 1.5 × floor',
    renders: { list: 1, row: 1 },
  },
  {
    name: 'remove',
    work: 'ownHooks',
    title: 'the same, delete one',
    mark: '≤ 1.5 × floor',
    renders: { list: 1, row: 0 },
  },
  { name: 'mountAll', work: 'mountAll', title: 'the same, mount', mark: '≤ 1.5 × floor' },
  {
    name: 'changeInList',
    work: 'listReadOnce',
    title: 'list read once, 10,000 memo rows: change one',
    mark: '≤ 1.4 × floor',
    renders: { list: 1, row: 1 },
  },
  { name: 'mountSome', work: 'mountSome', title: 'mount 500 rows, own hooks', mark: '≤ 1.3 × floor' },
  {
    name: 'growth',
    work: 'mountSome',
    title: 'heap growth by 50 more mounts of 500 rows (KB)',
    mark: '≤ 2 × floor',
  },
  {
    name: 'burst',
    work: 'burst',
    title: '1,000 changes a second for 5 s into 10,000 rows',
    mark: 'all applied, ≥ 290 frames, no task over 50 ms',
  },
  {
    name: 'stream',
    work: 'stream',
    title: 'the same, told once a frame where the library can',
    mark: 'the same, script ≤ 0.5 × floor',
  },
];
