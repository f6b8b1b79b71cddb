import { it } from '@jest/globals';
import fc from 'fast-check';
import { freshDatabases } from '../support/outbox.ts';
import { playModel } from '../support/playModel.ts';
import { runs } from '../support/runs.ts';
import { RefusalBoard } from './RefusalBoard.ts';
import type { RefusalEvent, RefusalSetting } from './RefusalEvent.ts';
import type { Outcome } from './RefusalServer.ts';

freshDatabases();

/** How many sequences of events are tried. */
const RUNS = runs(25);

const tab = fc.constantFrom<0 | 1>(0, 1);
const table = fc.constantFrom<'tasks' | 'comments'>('tasks', 'comments');
const which = fc.constantFrom(0, 0, 0, 1, 2, 3);
const nth = fc.nat(3);
const field = fc.constantFrom<'text' | 'title'>('text', 'title');
const outcome = fc.constantFrom<Outcome>('ok', 'ok', 'ok', 'lost', 'down', 500, 409, 422, 403, 404, 412);
const isSo = fc.boolean();
const isDead = fc.constantFrom(true, true, false);
const event: fc.Arbitrary<RefusalEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      tab,
      table,
      which,
      hasOwnPk: isSo,
      hasMore: isSo,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), tab, table, which, field }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'readOne' as const),
      tab,
      table,
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('readList' as const), tab, table, which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['retry', 'discard', 'change', 'mine', 'theirs'] as const)),
      tab,
      nth,
      isDead,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('otherEdit' as const), table, which, field }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('otherRemove' as const, 'otherCreate' as const),
      table,
      which,
    }),
  },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('answer' as const), outcome }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('execute' as const), outcome }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver' as const), nth }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom(...Array<'pass'>(4).fill('pass'), 'settle' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab }) },
);
const setting: fc.Arbitrary<RefusalSetting> = fc.record({
  isOffline: fc.boolean(),
  respondsWithData: fc.boolean(),
  hasQueues: fc.boolean(),
  onConflict: fc.constantFrom(undefined, 'again', 'discard', 'both'),
});

/** The deletion of a comment that is being created is discarded: the comment is in the list again. */
const UNDELETED: RefusalEvent[] = [
  { kind: 'create', tab: 0, table: 'comments', which: 0, hasOwnPk: false, hasMore: false },
  { kind: 'remove', tab: 0, table: 'comments', which: 0 },
  { kind: 'discard', tab: 0, nth: 1, isDead: false },
];

/** A newer version was read before the person has chosen the server's version of the conflict. */
const READ_SINCE_CONFLICT: RefusalEvent[] = [
  { kind: 'edit', tab: 0, table: 'tasks', which: 0, field: 'text' },
  { kind: 'answer', outcome: 409 },
  { kind: 'otherEdit', table: 'tasks', which: 0, field: 'title' },
  { kind: 'readList', tab: 1, table: 'tasks', which: 0 },
  { kind: 'answer', outcome: 'ok' },
  { kind: 'theirs', tab: 1, nth: 0, isDead: true },
];

/** What depends on a refused creation stays hidden after a reload, until that is sent again. */
const REFUSED_CREATION: RefusalEvent[] = [
  { kind: 'create', tab: 0, table: 'tasks', which: 0, hasOwnPk: false, hasMore: true },
  { kind: 'answer', outcome: 422 },
  { kind: 'reload', tab: 1 },
  { kind: 'edit', tab: 1, table: 'tasks', which: 0, field: 'title' },
  { kind: 'retry', tab: 1, nth: 0, isDead: true },
];

/** `onConflict` drops a creation while callers wait for what depends on it. */
const GIVEN_UP: RefusalEvent[] = [
  { kind: 'create', tab: 0, table: 'tasks', which: 0, hasOwnPk: false, hasMore: true },
  { kind: 'answer', outcome: 412 },
];

/** A conflict of a creation, whose response has no record, is resolved with it while another request is in flight. */
const THEIRS_WITHOUT_RECORD: RefusalEvent[] = [
  { kind: 'create', tab: 0, table: 'tasks', which: 0, hasOwnPk: false, hasMore: true },
  { kind: 'answer', outcome: 500 },
  { kind: 'pass' },
  { kind: 'answer', outcome: 409 },
  { kind: 'edit', tab: 0, table: 'tasks', which: 1, field: 'text' },
  { kind: 'theirs', tab: 0, nth: 0, isDead: true },
];

/** A tab that only queues mutations does not put its clock ahead of the other's, which reads something newer. */
const QUEUED_AT_ONCE: RefusalEvent[] = [
  { kind: 'create', tab: 0, table: 'tasks', which: 0, hasOwnPk: false, hasMore: false },
  { kind: 'readList', tab: 1, table: 'comments', which: 0 },
  { kind: 'readList', tab: 0, table: 'comments', which: 0 },
  { kind: 'answer', outcome: 'ok' },
  { kind: 'execute', outcome: 'ok' },
  { kind: 'otherEdit', table: 'comments', which: 0, field: 'text' },
  { kind: 'deliver', nth: 0 },
  { kind: 'execute', outcome: 'ok' },
  { kind: 'answer', outcome: 'ok' },
  { kind: 'deliver', nth: 0 },
  { kind: 'pass' },
  { kind: 'deliver', nth: 0 },
  { kind: 'reload', tab: 0 },
  { kind: 'create', tab: 0, table: 'tasks', which: 0, hasOwnPk: false, hasMore: false },
  { kind: 'remove', tab: 0, table: 'tasks', which: 0 },
  { kind: 'create', tab: 0, table: 'tasks', which: 0, hasOwnPk: false, hasMore: false },
  { kind: 'retry', tab: 0, nth: 0, isDead: true },
];

const OFFLINE: RefusalSetting = {
  isOffline: true,
  respondsWithData: false,
  hasQueues: false,
  onConflict: undefined,
};

it(
  'both tabs show what is confirmed and pending, whatever others change and the server refuses, and lose nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 12, maxLength: 40, size: 'max' }),
        setting,
        (events, setting) => playModel(new RefusalBoard(setting), events),
      ),
      {
        numRuns: RUNS,
        examples: [
          [UNDELETED, OFFLINE],
          [READ_SINCE_CONFLICT, OFFLINE],
          [REFUSED_CREATION, { ...OFFLINE, hasQueues: true }],
          [GIVEN_UP, { ...OFFLINE, isOffline: false, onConflict: 'discard' }],
          [THEIRS_WITHOUT_RECORD, { ...OFFLINE, isOffline: false }],
          [QUEUED_AT_ONCE, OFFLINE],
        ],
      },
    );
  },
  Math.max(120_000, RUNS * 3_000),
);
