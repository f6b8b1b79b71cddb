import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import type { SideRecords } from 'holdfast';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { turn } from '../../support/turns.ts';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../../support/outbox.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

const withoutStorage = (parts = {}): Promise<Page> =>
  openPage(server, device, { withStorage: false, parts: { locks: undefined, ...parts } });

it('a record that cannot be cloned fails its write, and leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const database = new OutboxDatabase('uncloneable');
  const writing = database.write([
    ['fine', {}],
    ['not', { run: () => undefined }],
  ]);
  await expect(writing).rejects.toMatchObject({ code: 'HF_STORAGE' });
  for (let turns = 0; turns < 3; turns++) await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await database.close();
});

it('what a full disk rejects during a reset is not written after it', async () => {
  const database = new OutboxDatabase('full');
  await database.read();
  let clearing: Promise<void> | undefined;
  const full = jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    clearing = database.clear({ at: 1, through: 1 });
    throw new DOMException('full', 'QuotaExceededError');
  });
  await expect(database.write([['before', 1]])).rejects.toMatchObject({ code: 'HF_STORAGE' });
  await clearing;
  full.mockRestore();
  await database.write([['after', 2]]);
  expect(await database.read()).toEqual([['after', 2]]);
  await database.close();
});

describe('a database that does not open', () => {
  const NAME = 'held';
  /** A connection that stays open while the database is deleted: opening it waits. */
  let holder: IDBDatabase;

  beforeEach(async () => {
    holder = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(NAME);
      opening.onsuccess = () => resolve(opening.result);
    });
    indexedDB.deleteDatabase(NAME);
  });

  afterEach(() => {
    holder.close();
  });

  it('a database that does not open delays sending by ten seconds at most', async () => {
    const page = await withoutStorage({ database: new OutboxDatabase(NAME, 10) });
    const made = page.controller.fetch(page.notes.create, { text: 'one' });
    device.pass(10_000);
    expect(await made).toMatchObject({ id: 1 });
    device.isOnline = false;
    await expect(page.controller.fetch(page.notes.create, { text: 'two' })).rejects.toMatchObject({
      status: 0,
    });
    await page.controller.stop();
  });

  it('a database that does not open is used when it opens after all', async () => {
    const database = new OutboxDatabase(NAME, 10);
    await expect(database.write([['key', 1]])).rejects.toMatchObject({ code: 'HF_STORAGE' });
    holder.close();
    let records: SideRecords = [];
    while (records.length === 0) {
      await new Promise((resolve) => setTimeout(resolve));
      await database.write([]).catch(() => undefined);
      records = await database.read().catch(() => []);
    }
    expect(records).toEqual([['key', 1]]);
    await database.close();
  });
});

describe('a clock that is set back', () => {
  it('a clock that is set back voids no mutation made after a reset', async () => {
    device.isOnline = false;
    const ahead = await withoutStorage();
    await ahead.controller.reset();
    await ahead.leave();
    device.now -= 3_600_000;
    const page = await withoutStorage();
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.leave();
    expect(pending(await withoutStorage())).toEqual(['Note.create']);
  });

  it('a lease ends although the clock is set back after its owner has gone', async () => {
    const [gone, next] = [new OutboxDatabase('lease'), new OutboxDatabase('lease')];
    expect(await gone.lease(1_000_000, 1_010_000)).toBe(true);
    expect(await next.lease(1_009_999, 1_019_999)).toBe(false);
    expect(await next.lease(5_000, 15_000)).toBe(true);
    await Promise.all([gone.close(), next.close()]);
  });
});

it('valid entries are read, whatever else the database contains', async () => {
  device.isOnline = false;
  const page = await withoutStorage();
  await page.controller.fetch(page.notes.create, { text: 'one' });
  await page.leave();
  const database = new OutboxDatabase('holdfast-outbox');
  const [[, good] = []] = await database.read();
  const form = { holdfast: 'FormData', entries: [5, null] };
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  await database.write([
    ['a', null],
    ['b', 'garbage'],
    ['c', { ...(good as object), order: NaN }],
    ['e', { ...(good as object), args: [cyclic] }],
    ['d', { ...(good as object), args: [form], temporaryPk: 'none' }],
  ]);
  await database.close();
  const next = await withoutStorage();
  await next.controller.catchUp();
  // Of each that is none, once.
  expect(next.errors.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'HF_STORAGE'));
  expect(next.box.status.get().pending.map(({ args }) => args)).toContainEqual([{ text: 'one' }]);
});

it('an entry of an unknown format is kept unchanged', async () => {
  device.isOnline = false;
  const page = await withoutStorage();
  await page.controller.fetch(page.notes.create, { text: 'one' });
  const [{ key } = { key: '' }] = page.box.status.get().pending;
  page.box.edit(key, [{ text: 'two' }]);
  await page.controller.flush();
  const database = new OutboxDatabase('holdfast-outbox');
  const later = { form: 2 };
  await database.write([[key, later]]);
  await page.controller.catchUp();
  await page.controller.flush();
  expect(pending(page)).toEqual(['Note.create']);
  expect(page.errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
  expect(await database.read()).toEqual([[key, later]]);
  await database.close();
});
