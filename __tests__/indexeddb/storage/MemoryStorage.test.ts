import { afterEach, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Controller, createResource } from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { decodeHeader } from '../../../plugins/indexeddb/records/header.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import type { Storage } from '../../../plugins/indexeddb/storage/Storage.ts';
import { DATABASE, freshIndexedDB } from '../../support/indexedDB.ts';
import { Note } from '../../support/entities.ts';

freshIndexedDB();
afterEach(() => void jest.useRealTimers());

/** Everything that a storage holds, as a transaction reads it. */
const contents = (storage: Storage) =>
  storage.read(async (view) =>
    Promise.all([
      view.header(),
      view.log(0, 100),
      view.log(2, 2),
      view.resultKeys().then((keys) => [...keys].sort()),
      ...['a', 'b', 'c', 'd'].map((key) => view.result(key)),
      view.shardKeys(),
      view.shards('t', 1, 2),
      view.shard('t', 0),
      view.directory(),
      view.side('p'),
    ]),
  );

const smallNumber = fc.nat({ max: 3 });
const text = fc.constantFrom('a', 'b', 'c', 'd');
const reset = fc.record({ at: smallNumber, keepsSide: fc.boolean() });
const operation = fc.oneof(
  fc.record({
    type: fc.constant('append' as const),
    records: fc.array(fc.record({ n: smallNumber }), { maxLength: 6 }),
    side: fc.array(fc.tuple(text, fc.option(smallNumber, { nil: undefined })), { maxLength: 2 }),
    stale: fc.record({ epoch: fc.nat({ max: 1 }), evictions: fc.constant(0), after: fc.nat({ max: 1 }) }),
    version: fc.nat({ max: 1 }),
  }),
  fc.record({
    type: fc.constant('rewrite' as const),
    shards: fc.array(fc.tuple(fc.constantFrom('t', 'u'), smallNumber, smallNumber), { maxLength: 3 }),
    results: fc.array(fc.tuple(text, fc.option(smallNumber, { nil: undefined })), { maxLength: 3 }),
    evictions: fc.nat({ max: 1 }),
    drop: fc.nat({ max: 4 }),
    isLogClosed: fc.boolean(),
    isStale: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('clear' as const),
    resets: fc.array(reset, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('mark' as const), reset }),
);

/** What an operation gives, by a writer who knows the storage as it is, or as it was a moment ago. */
async function run(storage: Storage, done: typeof operation extends fc.Arbitrary<infer T> ? T : never) {
  const [header, sequences] = await storage.read(async (view) => [
    decodeHeader(await view.header()),
    (await view.log(0, 100)).map(([place]) => place),
  ]);
  const last = Math.max(header.foldedThrough, ...sequences);
  if (done.type === 'clear') return storage.clear(done.resets);
  if (done.type === 'mark') {
    await storage.markReset(done.reset);
    const unfinished = await storage.readUnfinishedResets();
    return unfinished.toSorted((a, b) => a.at - b.at || Number(a.keepsSide) - Number(b.keepsSide));
  }
  if (done.type === 'append') {
    const guard = {
      identity: storage.identity,
      epoch: Math.max(0, header.epoch - done.stale.epoch),
      evictions: header.evictions,
      version: header.version,
      lastSeen: Math.max(0, last - done.stale.after),
    };
    const side = done.side.map(([key, record]) => ({ plugin: 'p', key, record }));
    const version = Math.max(header.version, done.version);
    return storage.append(done.records, side, { guard, version, durability: 'relaxed', isUnloading: false });
  }
  const plan = {
    identity: storage.identity,
    header: {
      ...header,
      revision: header.revision + 1,
      evictions: header.evictions + done.evictions,
      foldedThrough: Math.max(header.foldedThrough, Math.min(last, done.drop)),
    },
    shards: done.shards,
    results: done.results,
    dropLogThrough: done.drop,
    ...(done.isLogClosed && { logEndsAt: 2 }),
    ...(done.evictions > 0 && { directory: { at: done.drop } }),
  };
  return storage.rewrite(plan, done.isStale ? { ...header, revision: header.revision + 5 } : header);
}

it('MemoryStorage returns the same results as IndexedDB for every operation, and stores the same', async () => {
  let names = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
      const onDisk = new IdbStorage(`${DATABASE}${names++}`);
      const inMemory = memoryStorage()(DATABASE);
      for (const done of operations) {
        expect(await run(inMemory, done)).toEqual(await run(onDisk, done));
        expect(await contents(inMemory)).toEqual(await contents(onDisk));
      }
      onDisk.close();
      inMemory.close();
    }),
    { numRuns: 60 },
  );
});

/** A page: a controller with what another has stored. */
function openPage(storage: ReturnType<typeof memoryStorage>, scope = 'me') {
  const device = { isOnline: false, isVisible: true, subscribe: () => () => undefined };
  const sent: string[] = [];
  const notes = createResource({
    urlPrefix: 'https://example.com',
    path: '/notes/:id',
    schema: Note,
    optimistic: true,
    dataExpiryLength: Infinity,
  }).extend((base) => ({
    partialUpdate: base.partialUpdate.extend({
      fetchResponse: (url, init) => {
        sent.push(`${init.method ?? ''} ${url} ${init.body as string}`);
        return Promise.resolve(Response.json({ id: '1', text: 'sent' }));
      },
    }),
  }));
  const queue = outbox({ endpoints: [notes], scope });
  const controller = new Controller({
    plugins: [indexedDB({ name: 'app', scope, storage }), queue],
    environment: device,
  });
  return { controller, notes, queue, device, sent };
}

it('MemoryStorage keeps rows and queued mutations of each scope over a reload, without IndexedDB', async () => {
  Reflect.deleteProperty(globalThis, 'indexedDB');
  jest.useFakeTimers();
  const storage = memoryStorage();
  const before = openPage(storage);
  await before.controller.ready;
  await jest.advanceTimersByTimeAsync(100);
  before.controller.setResponse(before.notes.get, { id: '1' }, { id: '1', text: 'old' });
  await before.controller.fetch(before.notes.partialUpdate, { id: '1' }, { text: 'new' });
  await before.controller.stop();

  const other = openPage(storage, 'other');
  await other.controller.ready;
  await jest.advanceTimersByTimeAsync(100);
  expect(other.controller.getResponse(other.notes.get, { id: '1' }).data).toBeUndefined();
  expect(other.queue.status.get().pending).toEqual([]);
  await other.controller.stop();

  const after = openPage(storage);
  await after.controller.ready;
  await jest.advanceTimersByTimeAsync(100);
  await after.controller.restored;
  expect(after.controller.getResponse(after.notes.get, { id: '1' }).data?.text).toBe('new');
  expect(after.queue.status.get().pending).toHaveLength(1);
  after.device.isOnline = true;
  expect(await after.queue.drain()).toBe(true);
  expect(after.sent).toEqual(['PATCH https://example.com/notes/1 {"text":"new"}']);
  await after.controller.stop();
});

it('MemoryStorage refuses every operation once it is closed', async () => {
  const storage = memoryStorage()(DATABASE);
  storage.close();
  await expect(storage.open()).rejects.toMatchObject({ name: 'InvalidStateError' });
});
