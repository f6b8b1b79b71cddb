import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { holdOpening } from '../../support/diskFaults.ts';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

/** Keeps everybody from opening a database until the returned function is called. */
async function hold(name: string): Promise<() => void> {
  const holder = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
  });
  const upgrade = indexedDB.open(name, 99);
  upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
  await new Promise<void>((resolve) => (upgrade.onblocked = () => resolve()));
  return () => holder.close();
}

/** Has a page send what it can until nothing is left. */
async function drained({ box }: Page): Promise<void> {
  while (!(await box.drain())) await new Promise((resolve) => setTimeout(resolve));
}

describe.each([
  { kept: 'with the rows', name: 'app', options: () => ({ storage: new IdbStorage('app', 10) }) },
  {
    kept: 'by the outbox itself',
    name: 'holdfast-outbox',
    options: () => ({ withStorage: false, parts: { database: new OutboxDatabase('holdfast-outbox', 10) } }),
  },
])('a database that opens late, where mutations are kept $kept', ({ name, options }) => {
  const { withStorage = true } = options() as { readonly withStorage?: boolean };
  const texts = (): unknown[] => server.seen.map(({ body }) => (body as { readonly text: string }).text);

  async function queued(): Promise<void> {
    device.isOnline = false;
    const page = await openPage(server, device, { withStorage });
    for (const text of ['one', 'two']) await page.controller.fetch(page.notes.create, { text });
    await page.leave();
    device.isOnline = true;
  }

  async function openLate(): Promise<{ page: Page; release: () => void }> {
    await queued();
    const release = await hold(name);
    return { page: await openPage(server, device, options()), release };
  }

  it('a database that opens late does not count as empty', async () => {
    const { page, release } = await openLate();
    expect(await page.box.drain()).toBe(false);
    release();
    await until(() => pending(page).length === 0 && server.seen.length === 2);
    expect(await page.box.drain()).toBe(true);
    expect(texts()).toEqual(['one', 'two']);
  });

  it('the stored mutations are sent before those that were made while the database opened', async () => {
    const { page, release } = await openLate();
    const third = page.controller.fetch(page.notes.create, { text: 'three' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(texts()).toEqual([]);
    release();
    expect(await third).toMatchObject({ text: 'three' });
    expect(texts()).toEqual(['one', 'two', 'three']);
    expect(await page.box.drain()).toBe(true);
  });

  it('mutations of a database that opens after a log-out which keeps them are sent', async () => {
    let token = 'first';
    const init = (): RequestInit => ({ headers: { Authorization: token } });
    await queued();
    const release = await hold(name);
    const page = await openPage(server, device, { ...options(), init });
    await page.controller.reset({ unsent: 'keep' }).catch(() => undefined);
    expect(await page.box.drain()).toBe(false);
    release();
    token = 'second';
    await drained(page);
    expect(texts()).toEqual(['one', 'two']);
  });

  it('a database that never opens does not block its callers', async () => {
    const { page, release } = await openLate();
    const third = page.controller.fetch(page.notes.create, { text: 'three' });
    let isSent = false;
    void third.then(() => (isSent = true));
    await until(() => (device.pass(500), isSent));
    expect(await third).toMatchObject({ text: 'three' });
    expect(await page.box.drain()).toBe(false);
    release();
    await until(() => server.seen.length === 3);
    expect(texts()).toEqual(['three', 'one', 'two']);
  });
});

it('a tab sends what a log-out of another tab keeps, if the database of that tab never opened', async () => {
  let token = 'first';
  const init = (): RequestInit => ({ headers: { Authorization: token } });
  const first = await openPage(server, device, { init, more: [tabs({ name: 'app' })] });
  device.isOnline = false;
  await first.controller.fetch(first.notes.create, { text: 'one' });
  const release = holdOpening('app');
  const storage = new IdbStorage('app', 10);
  const second = await openPage(server, device, { init, more: [tabs({ name: 'app' })], storage });
  await second.controller.reset({ unsent: 'keep' }).catch(() => undefined);
  await until(() => first.box.status.get().state === 'needs-auth');
  token = 'second';
  device.isOnline = true;
  await drained(first);
  expect(server.done).toEqual(['create one']);
  release();
});
