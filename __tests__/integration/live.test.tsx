/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate } from 'node:timers';
import { playModel } from '../support/playModel.ts';
import { runs } from '../support/runs.ts';
import { silently } from '../support/silently.ts';
import { FREQUENCIES, type Frequency, type LiveHook } from './LiveApp.tsx';
import { LivePage, type LiveEvent, type LiveSetting } from './LivePage.tsx';
import { SYMBOLS, type Behavior, type Ticker } from './LiveServer.ts';

globalThis.setImmediate = setImmediate;

/** How many sequences of events are tried. */
const RUNS = runs(25);

const place = fc.nat(3);
const symbol = fc.constantFrom<Ticker>('a', 'a', 'b', 'c');
const frequency = fc.constantFrom<Frequency>(...FREQUENCIES);
const hook = fc.constantFrom<LiveHook>('useLive', 'useLive', 'useDLE', 'useCache', 'useSuspense');
/** Most responses are no errors. */
const NO_FAULTS = [undefined, undefined, undefined, undefined];
const behavior: fc.Arbitrary<Behavior> = fc.record({
  delay: fc.constantFrom(0, 300, 4_000, 20_000),
  fault: fc.constantFrom(...NO_FAULTS, 0 as const, 404 as const, 500 as const),
});
const event: fc.Arbitrary<LiveEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('mount' as const), place, hook, symbol, frequency }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('unmount' as const, 'hide' as const, 'show' as const, 'retry' as const),
      place,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('switch' as const),
      place,
      symbol: fc.constantFrom<Ticker | undefined>('a', 'b', 'c', undefined),
      isTransition: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pace' as const), place, frequency }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('watch' as const), symbol, frequency }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('change' as const, 'edit' as const, 'invalidate' as const),
      symbol,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('behave' as const), behavior }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), isAccepting: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'unwatch' as const,
        'rerender' as const,
        'offline' as const,
        'online' as const,
        'away' as const,
        'back' as const,
        'invalidateAll' as const,
        'reset' as const,
        'stop' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('expireAll' as const, 'logout' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('freeze' as const), ms: fc.constantFrom(900, 60_000) }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(10, 300, 1_000, 2_600, 9_000),
    }),
  },
);
const setting: fc.Arbitrary<LiveSetting> = fc.record({
  isStrict: fc.boolean(),
  pushed: fc.subarray([...SYMBOLS], { maxLength: 2 }),
  refetches: fc.boolean(),
  hidesStale: fc.boolean(),
  createsEndpoints: fc.boolean(),
  dataExpiryLength: fc.constantFrom(0, 3_000, 60_000),
});

const plain: LiveSetting = {
  isStrict: false,
  pushed: [],
  refetches: false,
  hidesStale: false,
  createsEndpoints: false,
  dataExpiryLength: 60_000,
};
const mounted: LiveEvent = { kind: 'mount', place: 0, hook: 'useLive', symbol: 'a', frequency: 0 };

/** Rare sequences that need a slow first request. */
const EXAMPLES: [LiveEvent[], LiveSetting][] = [
  // Its response is that of the former user.
  [
    [
      { kind: 'behave', behavior: { delay: 4_000 } },
      mounted,
      { kind: 'pass', ms: 1_000 },
      { kind: 'logout' },
      { kind: 'pass', ms: 3_500 },
    ],
    plain,
  ],
  // It fails, and is not repeated.
  [
    [
      { kind: 'behave', behavior: { delay: 4_000, fault: 0 } },
      mounted,
      { kind: 'expireAll' },
      { kind: 'pass', ms: 9_000 },
    ],
    plain,
  ],
];

it(
  'screens follow a server by polls in time or by a plugin, show nothing of a former user, and leave nothing behind',
  async () => {
    // React prints the errors that boundaries catch. Holdfast warns of endpoints that each render creates, and of
    // subscriptions that nothing serves.
    await silently(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(event, { minLength: 12, maxLength: 40, size: 'max' }),
          setting,
          async (events, chosen) => playModel(new LivePage(chosen), events),
        ),
        { numRuns: RUNS, examples: EXAMPLES },
      ),
    );
    expect.hasAssertions();
  },
  Math.max(120_000, RUNS * 5_000),
);
