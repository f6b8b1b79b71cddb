import { describe, expect, it, jest } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Device, freshDatabases, Note, openPage, pending, Server } from '../../support/outbox.ts';
import { stepsOf } from '../../support/steps.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

/** Counts how often the app's own code runs where so many are created offline, the page is reloaded, and all are sent. */
async function workOf(creates: number): Promise<Readonly<Record<'queued' | 'restored' | 'sent', number>>> {
  const server = new Server();
  const device = new Device();
  const page = await openPage(server, device);
  await page.controller.fetch(page.notes.getList);
  const processed = jest.spyOn(Note, 'process');
  const counted = (): number => {
    const { length } = processed.mock.calls;
    processed.mockClear();
    return length;
  };
  device.isOnline = false;
  await Promise.all(
    Array.from({ length: creates }, (_, place) =>
      page.controller.fetch(page.notes.create, { text: String(place) }),
    ),
  );
  expect(page.texts()).toHaveLength(creates);
  const queued = counted();
  await page.leave();

  const next = await openPage(server, device);
  await next.controller.fetchIfStale(next.notes.getList);
  expect(next.texts()).toHaveLength(creates);
  const restored = counted();
  device.isOnline = true;
  await until(() => pending(next).length === 0);
  expect(server.done).toEqual(Array.from({ length: creates }, (_, place) => `create ${place}`));
  expect(next.texts()).toEqual(Array.from({ length: creates }, (_, place) => String(place)));
  const sent = counted();
  processed.mockRestore();
  await next.leave();
  return { queued, restored, sent };
}

/** Counts how often the table of the notes is looked up by an app that asks, after each change, whether one is pending. */
async function looksOf(creates: number): Promise<Readonly<Record<'queued' | 'sent', number>>> {
  const server = new Server();
  const device = new Device();
  const page = await openPage(server, device);
  await page.controller.fetch(page.notes.getList);
  const first = (): Note | undefined => page.controller.getResponse(page.notes.getList).data?.[0];
  let looks = 0;
  Object.defineProperty(Note, 'key', { configurable: true, get: () => ((looks += 1), 'Note') });
  page.box.status.subscribe(() => {
    const note = first();
    if (note !== undefined) page.box.isPending(note);
  });
  device.isOnline = false;
  await Promise.all(
    Array.from({ length: creates }, (_, place) =>
      page.controller.fetch(page.notes.create, { text: String(place) }),
    ),
  );
  expect(page.box.isPending(first()!)).toBe(true);
  const queued = looks;
  looks = 0;
  device.isOnline = true;
  await until(() => pending(page).length === 0);
  expect(page.box.isPending(first()!)).toBe(false);
  Object.defineProperty(Note, 'key', { configurable: true, value: 'Note' });
  await page.leave();
  return { queued, sent: looks };
}

/** What it costs to queue so many creates offline, in one turn. */
async function stepsToQueue(creates: number): Promise<number> {
  const server = new Server();
  const device = new Device();
  const page = await openPage(server, device);
  await page.controller.fetch(page.notes.getList);
  device.isOnline = false;
  return stepsOf(async () => {
    await Promise.all(
      Array.from({ length: creates }, (_, place) =>
        page.controller.fetch(page.notes.create, { text: String(place) }),
      ),
    );
    await page.leave();
  });
}

describe('a long queue of creates into one list', () => {
  it('a create costs the same in a long queue as in a short one', async () => {
    globalThis.indexedDB = new IDBFactory();
    const few = await workOf(50);
    globalThis.indexedDB = new IDBFactory();
    const many = await workOf(500);
    expect(many.queued).toBeLessThanOrEqual(10 * few.queued);
    expect(many.restored).toBeLessThanOrEqual(10 * few.restored);
    expect(many.sent).toBeLessThanOrEqual(12 * few.sent);
    // Once to show it, once when it is answered.
    expect([few.queued, few.restored, few.sent].map((count) => count / 50)).toEqual([1, 1, 1]);
  });

  it('a create costs the same if it is queued with many others as with few', async () => {
    const few = await stepsToQueue(50);
    globalThis.indexedDB = new IDBFactory();
    const many = await stepsToQueue(500);
    expect(many).toBeLessThanOrEqual(12 * few);
  });

  it('the cost of listing pending mutations does not grow with the queue', async () => {
    const few = await looksOf(50);
    globalThis.indexedDB = new IDBFactory();
    const many = await looksOf(500);
    expect(many.queued).toBeLessThanOrEqual(11 * few.queued);
    expect(many.sent).toBeLessThanOrEqual(11 * few.sent);
  });
});
