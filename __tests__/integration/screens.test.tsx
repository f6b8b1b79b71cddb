/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { holdIdle } from '../support/idle.ts';
import { runs } from '../support/runs.ts';
import type { Hook } from './ScreenApp.tsx';
import type { Fault, ScreenRead } from './ScreenServer.ts';
import { Screens, type ScreenEvent, type ScreenSetting } from './Screens.tsx';

/** How many sequences of events are tried. */
const RUNS = runs(40);

const place = fc.nat(2);
const id = fc.constantFrom('a', 'b');
const isTransition = fc.boolean();
const read: fc.Arbitrary<ScreenRead> = fc.oneof(
  fc.record({ kind: fc.constant('list' as const), group: fc.constantFrom(undefined, 'x') }),
  fc.record({ kind: fc.constant('detail' as const), id }),
);
const hook = fc.constantFrom<Hook>(
  'useSuspense',
  'useSuspense',
  'useDLE',
  'useFetch',
  'useCache',
  'useQuery',
);
const nth = fc.nat(3);
const event: fc.Arbitrary<ScreenEvent> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('mount' as const), place, hook, read }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('unmount' as const, 'hide' as const, 'show' as const, 'retry' as const),
      place,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('switch' as const), place, read, isTransition }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'otherEdit' as const, 'remove' as const),
      id,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('create' as const), group: fc.constantFrom('x', 'y') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('invalidate' as const), read, isTransition }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'expireAll' as const,
        'reset' as const,
        'offline' as const,
        'online' as const,
        'away' as const,
        'back' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(100, 1_500, 100_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('otherEdit' as const), id }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('execute' as const), nth }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('respond' as const), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      nth,
      fault: fc.constantFrom<Fault>(404, 500, 'down'),
    }),
  },
);
const setting: fc.Arbitrary<ScreenSetting> = fc.record({
  isAlone: fc.boolean(),
  isStrict: fc.boolean(),
  isKeyed: fc.boolean(),
  isOptimistic: fc.boolean(),
  hidesStale: fc.boolean(),
  isStored: fc.boolean(),
  createsEndpoints: fc.boolean(),
});

it(
  'screens show one version of each task at any time, and what the server has in the end',
  async () => {
    // React prints the errors that boundaries catch.
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    // Holdfast warns of endpoints that each render creates.
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(event, { minLength: 12, maxLength: 40, size: 'max' }),
          setting,
          async (events, chosen) => {
            globalThis.indexedDB = new IDBFactory();
            // What is written in idle time would differ from run to run.
            const release = holdIdle();
            const screens = new Screens(chosen);
            await screens.open();
            try {
              for (const each of events) await screens.happens(each);
              await screens.ends(40 + events.length * 8);
            } finally {
              await screens.close();
              release();
            }
          },
        ),
        { numRuns: RUNS },
      );
    } finally {
      printed.mockRestore();
      warned.mockRestore();
    }
    expect.hasAssertions();
  },
  Math.max(120_000, RUNS * 5_000),
);
