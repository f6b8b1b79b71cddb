import { atMost } from '../../marks.mjs';

/** Bytes that a change may write. */
const CHANGE = 2_000;

const change = [
  atMost(1.2, { figure: 'median', of: 'floor' }),
  atMost(1, { figure: 'longest' }),
  atMost(CHANGE, { figure: 'bytes' }),
];
const lastScreen = [atMost(0.8, { figure: 'median', of: 'floor' })];
const within = (median, longest) => [
  atMost(median, { figure: 'median' }),
  atMost(longest, { figure: 'longest' }),
];

/**
 * The lines of the table: each piece of work, and what Holdfast is to reach with 10,000 and with 100,000 rows. Median and
 * longest task in ms; bytes of one change. `before` is work of an earlier page, which is not timed.
 *
 * @type {{ work: string, before?: string, title: string, marks: Record<number, import('../../marks.mjs').Mark[]> }[]}
 */
export const lines = [
  { work: 'storeAll', title: 'store all', marks: { 10_000: within(90, 16), 100_000: within(400, 16) } },
  { work: 'settle', title: 'left for idle time', marks: {} },
  { work: 'loadAll', title: 'load all', marks: { 10_000: within(80, 16), 100_000: within(400, 16) } },
  { work: 'firstScreen', title: 'first screen', marks: { 10_000: within(50, 8), 100_000: within(60, 8) } },
  {
    work: 'lastScreen',
    before: 'show',
    title: 'first screen, as it was left',
    marks: { 10_000: lastScreen, 100_000: lastScreen },
  },
  { work: 'changeOne', title: 'one change until durable', marks: { 10_000: change, 100_000: change } },
];
