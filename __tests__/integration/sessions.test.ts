import { it } from '@jest/globals';
import fc from 'fast-check';
import { freshDatabases } from '../support/outbox.ts';
import { playModel } from '../support/playModel.ts';
import { runs } from '../support/runs.ts';
import type { SessionSetting } from './SessionPage.ts';
import { SharedDevice, type SessionEvent } from './SharedDevice.ts';

freshDatabases();

/** How many sequences of events are tried. */
const RUNS = runs(25);

const tab = fc.constantFrom<0 | 1>(0, 1);
const nth = fc.nat(3);
const user = fc.constantFrom<'ada' | 'grace'>('ada', 'grace');
const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('create' as const, 'read' as const), tab }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('toggle' as const, 'reload' as const, 'notice' as const),
      tab,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'edit' as const, 'remove' as const),
      tab,
      which: fc.nat(2),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('execute' as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('respond' as const, 'respond' as const, 'respond' as const, 'lose' as const),
      nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('expire' as const, 'settle' as const, 'settle' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(2_000, 70_000) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('signIn' as const), tab, user }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('logOut' as const),
      tab,
      unsent: fc.constantFrom('keep' as const, 'discard' as const),
      isHasty: fc.boolean(),
    }),
  },
);
const setting: fc.Arbitrary<SessionSetting> = fc.record({
  users: fc.constantFrom('scoped' as const, 'shared' as const, 'single' as const),
  hasLogout: fc.boolean(),
  hasInit: fc.boolean(),
  honorsAbort: fc.boolean(),
});

it(
  'people who use one device after another neither see nor change what is not theirs, and nothing of them is lost',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 10, maxLength: 35, size: 'max' }),
        setting,
        (events, setting) => playModel(new SharedDevice(setting), events),
      ),
      { numRuns: RUNS },
    );
  },
  Math.max(120_000, RUNS * 3_000),
);
