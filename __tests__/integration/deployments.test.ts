import { it } from '@jest/globals';
import fc from 'fast-check';
import { freshDatabases } from '../support/outbox.ts';
import { playModel } from '../support/playModel.ts';
import { runs } from '../support/runs.ts';
import { silently } from '../support/silently.ts';
import { DeployedDevice, type DeploymentEvent } from './DeployedDevice.ts';
import { ALL_CHANGES, type Change } from './Release.ts';

freshDatabases();

/** How many sequences of events are tried. */
const RUNS = runs(25);

const tab = fc.constantFrom<0 | 1>(0, 1);
const nth = fc.nat(3);
const event: fc.Arbitrary<DeploymentEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('create' as const, 'create' as const, 'read' as const),
      tab,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'edit' as const, 'edit' as const, 'remove' as const),
      tab,
      nth,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('reload' as const, 'toggle' as const), tab }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deploy' as const), nth }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('unload' as const), tab, steps: fc.nat(12) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('work' as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'offline' as const,
        'offline' as const,
        'online' as const,
        'settle' as const,
        'idle' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('execute' as const, 'respond' as const, 'lose' as const),
      nth,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refuse' as const),
      status: fc.constantFrom<409 | 422>(409, 422),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('discard' as const, 'retry' as const, 'mine' as const, 'theirs' as const),
      tab,
      nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(2_000, 70_000) }),
  },
);
const events = fc.array(event, { minLength: 10, maxLength: 35, size: 'max' });

/** How the first release differs from others. */
const first = fc.subarray<Change>([
  'optimistic, or no longer',
  'list of another schema',
  'rows limited',
  'tabs without version',
]);
const later = fc.uniqueArray(fc.constantFrom(...ALL_CHANGES), { minLength: 1, maxLength: 2 });
const deployments = fc
  .tuple(first, fc.array(later, { minLength: 1, maxLength: 2 }))
  .map(([changes, others]): readonly (readonly Change[])[] => [changes, ...others]);

/** A tab of the earlier release comes first, once it is online, and finds what the later one has queued. */
const earlierTabFirst: DeploymentEvent[] = [
  { kind: 'offline' },
  { kind: 'create', tab: 0 },
  { kind: 'deploy', nth: 1 },
  { kind: 'reload', tab: 1 },
  { kind: 'create', tab: 1 },
  { kind: 'online' },
];

/** A service worker is stopped while it reads. */
const stoppedInRead: DeploymentEvent[] = [
  { kind: 'deploy', nth: 0 },
  { kind: 'edit', tab: 0, nth: 0 },
  { kind: 'reload', tab: 0 },
  { kind: 'reload', tab: 0 },
  { kind: 'offline' },
  { kind: 'unload', tab: 0, steps: 0 },
  { kind: 'refuse', status: 409 },
  { kind: 'reload', tab: 0 },
  { kind: 'work', nth: 0 },
];

it(
  'an app that is updated while it is used loses no mutation, sends none wrongly, and shows no data of another shape',
  async () => {
    await silently(() =>
      fc.assert(
        fc.asyncProperty(deployments, events, fc.boolean(), (changes, all, isUpdated) =>
          playModel(new DeployedDevice(changes, isUpdated), all),
        ),
        {
          numRuns: RUNS,
          examples: [
            [[['optimistic, or no longer'], ['field renamed by migrate']], earlierTabFirst, false],
            [[[], ['list of another schema', 'field renamed']], stoppedInRead, true],
          ],
        },
      ),
    );
  },
  Math.max(120_000, RUNS * 3_000),
);
