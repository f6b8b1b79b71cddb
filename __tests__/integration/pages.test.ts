import { it } from '@jest/globals';
import fc from 'fast-check';
import { freshDatabases } from '../support/outbox.ts';
import { playModel } from '../support/playModel.ts';
import { runs } from '../support/runs.ts';
import { LISTS, type FeedSetting } from './FeedPage.ts';
import type { Quirk } from './FeedServer.ts';
import { FeedWorld, type FeedEvent } from './FeedWorld.ts';

freshDatabases();

/** How many sequences of events are tried. */
const RUNS = runs(12);

const tab = fc.constantFrom<0 | 1>(0, 1);
const list = fc.constantFrom(...LISTS);
const which = fc.nat(9);
const nth = fc.nat(4);
const event: fc.Arbitrary<FeedEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('mount' as const, 'unmount' as const, 'invalidate' as const),
      tab,
      list,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refetch' as const), tab, list }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('more' as const), tab, list }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jump' as const), tab, list, which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      tab,
      status: fc.constantFrom('open' as const, 'closed' as const),
      isFirst: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'move' as const, 'move' as const, 'remove' as const),
      tab,
      which,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('execute' as const),
      nth,
      quirk: fc.constantFrom(
        ...Array<'none'>(8).fill('none'),
        'expired' as const,
        'badCursor' as const,
        'emptyPage' as const,
        'repeats' as const,
        'overlaps' as const,
        'numbers' as const,
        'withoutNext' as const,
      ),
      refusal: fc.constantFrom(
        ...Array<'none'>(6).fill('none'),
        'invalid' as const,
        'conflict' as const,
        'failedPrecondition' as const,
      ),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom(...Array<'respond'>(8).fill('respond'), 'lose' as const),
      nth,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('others' as const),
      do: fc.constantFrom(
        'insert' as const,
        'remove' as const,
        'edit' as const,
        'status' as const,
        'rank' as const,
      ),
      which,
      rank: fc.nat(90),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('settle' as const, 'flush' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(600, 2_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('collect' as const, 'reload' as const), tab }) },
);
const setting: fc.Arbitrary<FeedSetting> = fc
  .record({
    style: fc.constantFrom('cursor' as const, 'offset' as const, 'page' as const),
    isOptimistic: fc.boolean(),
    respondsWithData: fc.boolean(),
    dataExpiryLength: fc.constantFrom(500, Infinity),
    withDisk: fc.boolean(),
    withOutbox: fc.boolean(),
    tabs: fc.constantFrom<1 | 2>(1, 2),
  })
  .map((one) => ({
    ...one,
    // Without a disk, a tab may lack the pages before the one that another tab has loaded.
    withDisk: one.withDisk || one.tabs === 2,
    // Without `optimistic`, a 204 changes nothing.
    respondsWithData: one.respondsWithData || !one.isOptimistic,
  }));

const PLAIN: FeedSetting = {
  style: 'cursor',
  isOptimistic: false,
  respondsWithData: true,
  dataExpiryLength: Infinity,
  withDisk: false,
  withOutbox: false,
  tabs: 1,
};
const executed = (nth: number, quirk: Quirk = 'none'): FeedEvent => ({
  kind: 'execute',
  nth,
  quirk,
  refusal: 'none',
});

/** A page arrives before the refetch that began before it. */
const PAGE_BEFORE_REFETCH: FeedEvent[] = [
  { kind: 'refetch', tab: 0, list: 'all' },
  { kind: 'more', tab: 0, list: 'all' },
  executed(1),
  { kind: 'respond', nth: 0 },
  { kind: 'settle' },
];

/** The only page of a list that is not in memory is empty. */
const EMPTY_PAGE_OF_INVALIDATED: FeedEvent[] = [
  { kind: 'invalidate', tab: 0, list: 'openReverse' },
  { kind: 'jump', tab: 0, list: 'openReverse', which: 0 },
  { kind: 'settle' },
];

/** An item leaves its list while a page that repeats it is on its way. */
const MOVED_OUT_OF_PAGE: FeedEvent[] = [
  { kind: 'more', tab: 0, list: 'open' },
  executed(0, 'overlaps'),
  { kind: 'move', tab: 0, which: 3 },
  executed(0),
  { kind: 'respond', nth: 1 },
  { kind: 'respond', nth: 0 },
];

it(
  'a list in pages shows what the server has returned and what the app has changed, and in the end what the server has',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 5, maxLength: 40, size: 'max' }),
        setting,
        (events, setting) => playModel(new FeedWorld(setting), events),
      ),
      {
        numRuns: RUNS,
        examples: [
          [PAGE_BEFORE_REFETCH, PLAIN],
          [EMPTY_PAGE_OF_INVALIDATED, PLAIN],
          [MOVED_OUT_OF_PAGE, PLAIN],
        ],
      },
    );
  },
  Math.max(120_000, RUNS * 3_000),
);
