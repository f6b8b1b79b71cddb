import fc from 'fast-check';
import { Delete, Endpoint, Entity } from 'holdfast';
import { LISTS } from './crashHistory.ts';

export class Note extends Entity {
  id = '';
  version = 0;
  title = 0;
  body = 0;
  static override key = 'Note';
}
export const getNotes = new Endpoint(async ({ list }: { list: string }): Promise<unknown> => list, {
  name: 'getNotes',
  schema: [Note],
  dataExpiryLength: Infinity,
});
export const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'remove',
  schema: new Delete(Note),
  sideEffect: true,
});

const PKS = ['a', 'b', 'c', 'd', '__proto__'];

const pk = fc.constantFrom(...PKS);
const list = fc.constantFrom(...LISTS);
export const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), pk, field: fc.constantFrom('title', 'body') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('respond' as const), list, pks: fc.uniqueArray(pk) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), pk }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('invalidate' as const), list }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('side' as const), pk, entry: fc.constantFrom('e1', 'e2'), deletes: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('flush' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('beginFlush' as const) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('idle' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hide' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fault' as const), kind: fc.constantFrom('close', 'close', 'clearSiteData', 'loseRecord'), after: fc.nat(30), isWritten: fc.boolean(), isSilent: fc.boolean(), store: fc.constantFrom('log', 'log', 'shards', 'results', 'outbox'), nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('find' as const) }) },
); // oxfmt-ignore
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

export const life = fc.record({
  /** How many steps of its storage the process lives; if more than it takes, it is left in peace. */
  steps: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(Infinity)),
  /** Whether the app was updated before it, and its rows have another shape since. */
  isUpdate: fc.boolean(),
  /** How many rows are too many for it: what is too much goes. */
  maxRows: fc.constantFrom(Infinity, 2),
  /** Its clock, in ms: it may have been put back since the last one. */
  now: fc.integer({ min: 1_000_000, max: 2_000_000 }),
  /** How many tasks after its start its database opens; 0: before. */
  opensAfter: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
  ),
  /** Whether it does anything before all is restored. */
  isPatient: fc.boolean(),
  /** Whether its lists are on screen. */
  isShown: fc.boolean(),
  commands: fc.array(command, { maxLength: 8 }),
});
export type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

/** A life of a process with all the rest at its simplest. */
const simple = {
  isUpdate: false,
  maxRows: Infinity,
  now: 1_000_000,
  opensAfter: 0,
  isPatient: false,
  isShown: false,
};

/** Dies as it empties the disk, which makes a flush that has begun needless. */
export const resetWhileFlushing: Life[] = [
  { ...simple, steps: 16, commands: [{ type: 'respond', list: 'x', pks: ['a'] }] },
  {
    ...simple,
    steps: 38,
    commands: [{ type: 'invalidate', list: 'x' }, { type: 'beginFlush' }, { type: 'reset' }],
  },
];

/** Is reset, and deletes a row, while its database opens late. Only some runs come upon the moment. */
export const resetWhileOpening: Life[] = [
  {
    ...simple,
    steps: Infinity,
    opensAfter: 1,
    commands: [{ type: 'reset' }, { type: 'remove', pk: 'a' }, { type: 'hide' }, { type: 'idle' }],
  },
];

/** Changes a row that is not restored yet in the moment in which a flush has met the disk, and is about to write. */
export const setWhileFlushing: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'set', pk: 'c', field: 'body' }] },
  {
    ...simple,
    steps: 9,
    commands: [
      { type: 'beginFlush' },
      { type: 'respond', list: 'x', pks: [] },
      { type: 'beginFlush' },
      { type: 'side', pk: 'c', entry: 'e1', deletes: false },
    ],
  },
];

/** Changes a row and a record together in the moment in which a flush has met the disk, which may write neither. */
export const sideWhileFlushing: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'invalidate', list: 'x' }] },
  {
    ...simple,
    steps: 31,
    commands: [
      { type: 'idle' },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { type: 'respond', list: 'x', pks: [] },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
    ],
  },
];

/** Deletes a row and creates it again just after a flush has read the disk: no deleted field may return. */
export const recreatedDuringFlush: Life[] = [
  {
    ...simple,
    steps: 15,
    commands: [
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { type: 'respond', list: 'x', pks: ['b'] },
      { type: 'remove', pk: 'b' },
      { type: 'set', pk: 'b', field: 'body' },
    ],
  },
  { ...simple, steps: Infinity, commands: [] },
];

/** Another process opens the database, with a codec, while the first writes for the first time. */
export const openedWhileFirstWritten: Life[] = [
  { ...simple, steps: 26, commands: [{ type: 'set', pk: 'a', field: 'title' }, { type: 'find' }] },
];

const fault = { type: 'fault', isWritten: false, isSilent: false, store: 'log', nth: 0 } as const;

/** Site data is cleared while a compaction is being planned, which is not to be written to the next database. */
export const clearedWhileCompacting: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'respond', list: 'x', pks: ['d', 'a', 'c'] }] },
  {
    ...simple,
    steps: 31,
    maxRows: 2,
    isPatient: true,
    commands: [{ ...fault, kind: 'clearSiteData', after: 5 }, { type: 'remove', pk: 'a' }, { type: 'find' }],
  },
];

/** The browser deletes the database, and memory is written before that is noticed: with all records of other plugins. */
export const clearedBeforeWritten: Life[] = [
  {
    ...simple,
    steps: Infinity,
    commands: [
      { ...fault, kind: 'clearSiteData', after: 1 },
      { type: 'idle' },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
    ],
  },
];

/** The browser deletes the database between the read that an append is based on and the append, and a process follows. */
export const clearedBeforeAppended: Life[] = [
  {
    ...simple,
    steps: Infinity,
    commands: [
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { ...fault, kind: 'clearSiteData', after: 6 },
      { type: 'flush' },
      { type: 'respond', list: 'x', pks: ['a'] },
    ],
  },
  { ...simple, steps: 1, commands: [] },
];

/** A list whose database is deleted is invalidated by a process that has not restored it: that is all that is left of it. */
export const invalidatedWhenCleared: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'respond', list: 'x', pks: [] }] },
  {
    ...simple,
    steps: Infinity,
    commands: [
      { ...fault, kind: 'clearSiteData', after: 0 },
      { type: 'invalidate', list: 'x' },
    ],
  },
  { ...simple, steps: Infinity, commands: [] },
];

/** The browser loses a record: a process that holds what it held writes that again when it hears of it. */
export const lostAndFound: Life[] = [
  {
    ...simple,
    steps: Infinity,
    commands: [
      { type: 'respond', list: 'x', pks: ['a', 'b'] },
      { type: 'flush' },
      { ...fault, kind: 'loseRecord', after: 0 },
      { type: 'find' },
    ],
  },
];

/** The browser loses the record of a list that the last screen contains, too. */
export const lostOnLastScreen: Life[] = [
  { ...simple, steps: Infinity, commands: [{ type: 'respond', list: 'x', pks: [] }] },
  {
    ...simple,
    steps: Infinity,
    commands: [{ type: 'remove', pk: 'a' }, { type: 'idle' }, { type: 'respond', list: 'x', pks: [] }],
  },
  {
    ...simple,
    steps: Infinity,
    isPatient: true,
    isShown: true,
    commands: [{ ...fault, kind: 'loseRecord', after: 0, store: 'results' }],
  },
];

/** A database that opens late is compacted, and a row evicted that memory does not hold, before a field of it is set. */
export const evictedUnread: Life[] = [
  {
    ...simple,
    steps: Infinity,
    commands: [
      { type: 'set', pk: 'd', field: 'title' },
      { type: 'remove', pk: 'a' },
    ],
  },
  {
    ...simple,
    steps: Infinity,
    maxRows: 2,
    opensAfter: 1,
    now: 1_002_000,
    commands: [
      { type: 'set', pk: '__proto__', field: 'title' },
      { type: 'idle' },
      { type: 'set', pk: 'd', field: 'body' },
    ],
  },
];

/** The browser loses a record of another plugin, which that plugin does not read again. */
export const lostRecordOfPlugin: Life[] = [
  {
    ...simple,
    steps: Infinity,
    commands: [
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { ...fault, kind: 'loseRecord', after: 3, store: 'outbox' },
      { type: 'find' },
    ],
  },
];

/** A list that only the disk holds is invalidated before the disk is read: that is all that is left of it. */
export const invalidatedUnread: Life[] = [
  { ...simple, steps: 13, commands: [{ type: 'respond', list: 'x', pks: [] }] },
  {
    ...simple,
    steps: Infinity,
    opensAfter: 1,
    commands: [{ type: 'idle' }, { type: 'invalidate', list: 'x' }],
  },
];

/** The database is deleted and does not open again in time, so the app stops with everything in memory only. */
export const stoppedUnwritten: Life[] = [
  {
    ...simple,
    steps: 20,
    opensAfter: 1,
    commands: [
      { type: 'idle' },
      { type: 'side', pk: 'a', entry: 'e1', deletes: false },
      { ...fault, kind: 'clearSiteData', after: 7, nth: 1 },
      { type: 'idle' },
    ],
  },
];

/** The browser closes the connections of a process that has not opened the database yet, as its first fault. */
export const closedWhileOpening: Life[] = [
  { ...simple, steps: Infinity, commands: [] },
  { ...simple, steps: Infinity, opensAfter: 60, commands: [{ ...fault, kind: 'close', after: 0 }] },
];
