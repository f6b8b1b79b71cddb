import { atLeast, atMost } from '../../marks.mjs';

/**
 * The lines of the table.
 *
 * @typedef {object} Line
 * @property {string} name - what the page calls it
 * @property {string} work - what in the page measures it
 * @property {string} title
 * @property {import('../../marks.mjs').Mark[]} marks - what Holdfast is to reach. Figures: `ms` from the call until the DOM
 *   has changed; `script`, ms that the page's thread itself spent on scripts; `longest`, the longest task in ms
 * @property {{ list: number, row: number }} [renders] - what one change may render, exactly
 * @property {keyof import('./Adapter.mjs').Store} [needs] - a library that lacks it is left out; `useIds` by default
 */

const timesFloor = (limit, figure = 'ms') => [atMost(limit, { figure, of: 'floor' })];

/** What the stream sends, and frames that the browser renders concurrently. */
const CHANGES = 10_000;
const FRAMES = 600;

/** What a live query must reach: a list or row renders only when what it shows has changed. */
const ofFeed = [
  atLeast(0.99 * CHANGES, { figure: 'applied' }),
  atLeast((290 / 300) * FRAMES, { figure: 'frames' }),
  atMost(50, { figure: 'longest' }),
  atMost(0, { figure: 'needless' }),
];

/** @type {Line[]} */
export const lines = [
  {
    name: 'change',
    work: 'ownHooks',
    title: '10,000 rows, each its own hook: change one',
    marks: timesFloor(1.5),
    renders: { list: 0, row: 1 },
  },
  {
    name: 'changeAuthor',
    work: 'ownHooks',
    title: 'the same, change an author that 100 rows show',
    marks: timesFloor(1.5),
    renders: { list: 0, row: 100 },
  },
  {
    name: 'push',
    work: 'ownHooks',
    title: 'the same, push one',
    marks: timesFloor(1.5),
    renders: { list: 1, row: 1 },
  },
  {
    name: 'remove',
    work: 'ownHooks',
    title: 'the same, delete one',
    marks: timesFloor(1.5),
    renders: { list: 1, row: 0 },
  },
  { name: 'mountAll', work: 'mountAll', title: 'the same, mount', marks: timesFloor(1.5) },
  {
    name: 'changeInList',
    work: 'listReadOnce',
    title: 'list read once, 10,000 memo rows: change one',
    marks: timesFloor(1.4),
    renders: { list: 1, row: 1 },
  },
  {
    name: 'removeInList',
    work: 'listReadOnce',
    title: 'the same, delete one near the head',
    marks: timesFloor(1.4),
    renders: { list: 1, row: 0 },
  },
  { name: 'mountSome', work: 'mountSome', title: 'mount 500 rows, own hooks', marks: timesFloor(1.3) },
  {
    name: 'growth',
    work: 'mountSome',
    title: 'heap growth by 50 more mounts of 500 rows (KB)',
    marks: timesFloor(2, 'KB'),
  },
  {
    name: 'burst',
    work: 'burst',
    title: '1,000 changes a second for 5 s into 10,000 rows, each notified at once',
    // React then renders each change separately; the next line states what can be reached.
    marks: [],
  },
  {
    name: 'stream',
    work: 'stream',
    title: '1,000 changes a second for 10 s, notified once a frame',
    marks: [
      // What is sent in the very last frame may come too late.
      atLeast(0.99 * CHANGES, { figure: 'applied' }),
      atLeast((290 / 300) * FRAMES, { figure: 'frames' }),
      atMost(50, { figure: 'longest' }),
      ...timesFloor(0.5, 'script'),
    ],
  },
  {
    name: 'window',
    work: 'window',
    title: '50 of 100,000 rows by a live query, 1,000 changes a second for 10 s, each notified at once',
    needs: 'useWindow',
    marks: ofFeed,
  },
  {
    name: 'windowOnceAFrame',
    work: 'windowOnceAFrame',
    title: 'the same, notified once a frame',
    needs: 'useWindow',
    marks: ofFeed,
  },
];
