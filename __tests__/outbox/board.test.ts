import { it } from '@jest/globals';
import fc from 'fast-check';
import { freshDatabases } from '../support/outbox.ts';
import { playModel } from '../support/playModel.ts';
import { runs } from '../support/runs.ts';
import { TaskBoard, type BoardEvent, type BoardSetting } from './TaskBoard.ts';

freshDatabases();

/** How many sequences of events are tried. */
const RUNS = runs(25);

const tab = fc.constantFrom<0 | 1>(0, 1);
const which = fc.nat(2);
const column = fc.nat(3);
const hasOwnPk = fc.boolean();
const nth = fc.nat(3);
const event: fc.Arbitrary<BoardEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('readList' as const),
      tab,
      column: fc.option(column, { nil: undefined }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('readTask' as const, 'edit' as const, 'remove' as const),
      tab,
      which,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), tab, which, column }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('createTask' as const), tab, column, hasOwnPk }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('createColumn' as const), tab, hasOwnPk }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('execute' as const), nth }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom(...Array<'respond'>(8).fill('respond'), 'lose' as const),
      nth,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('collect' as const, 'reload' as const), tab }),
  },
);
const setting: fc.Arbitrary<BoardSetting> = fc.record({
  respondsWithData: fc.boolean(),
  dataExpiryLength: fc.constantFrom(500, Infinity),
});

/** A task leaves its column, the server has done that, and a read shows it, but the page is reloaded before the response. */
const MOVED_BEFORE_RELOAD: BoardEvent[] = [
  { kind: 'move', tab: 1, which: 0, column: 1 },
  { kind: 'readList', tab: 1, column: undefined },
  { kind: 'execute', nth: 0 },
  { kind: 'execute', nth: 0 },
  { kind: 'respond', nth: 1 },
  { kind: 'reload', tab: 1 },
];

it(
  'both tabs show every change from the moment it is made, whatever responses arrive in which order, and after reloads',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 12, maxLength: 40, size: 'max' }),
        setting,
        (events, setting) => playModel(new TaskBoard(setting), events),
      ),
      {
        numRuns: RUNS,
        examples: [[MOVED_BEFORE_RELOAD, { respondsWithData: false, dataExpiryLength: Infinity }]],
      },
    );
  },
  Math.max(120_000, RUNS * 3_000),
);
