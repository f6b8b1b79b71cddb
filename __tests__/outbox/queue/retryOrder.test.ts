import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { Device, freshDatabases, openPage, Server, type Page } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
/** Whether the server refuses mutations, and how. */
let refusal: 422 | 409 | undefined;
let page: Page;

beforeEach(async () => {
  server = new Server();
  device = new Device();
  refusal = undefined;
  server.weather = ({ method }) => (method === 'GET' ? 'fine' : (refusal ?? 'fine'));
  for (const [id, text] of [[11, 'a'] as const, [12, 'b'] as const])
    server.notes.set(String(id), { id, text });
  page = await openPage(server, device);
  await page.controller.fetch(page.notes.getList);
});

/** Queues a mutation that the server refuses with a status, and goes offline. */
async function refuse(status: 422 | 409, mutate: () => Promise<unknown>): Promise<void> {
  device.isOnline = false;
  await mutate();
  refusal = status;
  device.isOnline = true;
  await until(() => page.box.status.get().failed.length > 0);
  refusal = undefined;
  device.isOnline = false;
}

const edit = (text: string, { controller, notes } = page) =>
  controller.fetch(notes.partialUpdate, { id: 11 }, { text });

const failedKey = () => page.box.status.get().failed[0]!.key;

async function goOnline(): Promise<void> {
  device.isOnline = true;
  await until(() => page.box.status.get().entries.length === 0);
}

describe('a refused edit that the user has sent again, while a later one waits', () => {
  it.each([
    ['retry', () => page.box.retry(failedKey())],
    ['edit', () => page.box.edit(failedKey(), [{ id: 11 }, { text: 'corrected' }])],
  ])('is shown below the later one, which is sent after it: %s', async (_, sendAgain) => {
    await refuse(422, () => edit('first'));
    await edit('second');
    sendAgain();
    expect(page.texts()).toEqual(['second', 'b']);
    await goOnline();
    expect(page.texts()).toEqual(['second', 'b']);
    expect(server.notes.get('11')?.text).toBe('second');
  });

  it('is shown below the later one if the user keeps it in a conflict', async () => {
    await refuse(409, () => edit('first'));
    await edit('second');
    page.box.resolve(failedKey(), 'mine');
    expect(page.texts()).toEqual(['second', 'b']);
    await goOnline();
    expect(page.texts()).toEqual(['second', 'b']);
  });

  it('does not show a row again that a later mutation deletes', async () => {
    await refuse(422, () => edit('first'));
    await page.controller.fetch(page.notes.delete, { id: 11 });
    page.box.retry(failedKey());
    expect(page.texts()).toEqual(['b']);
    await goOnline();
    expect(page.texts()).toEqual(['b']);
  });

  it('is shown in the same way in another tab and after a reload', async () => {
    page = await openPage(server, device, { more: [tabs({ name: 'app' })] });
    await page.controller.fetch(page.notes.getList);
    const other = await openPage(server, device, { more: [tabs({ name: 'app' })] });
    await other.controller.fetch(other.notes.getList);
    await refuse(422, () => edit('first'));
    await edit('second');
    await until(() => other.box.status.get().entries.length === 2);
    page.box.retry(failedKey());
    await until(() => other.box.status.get().failed.length === 0);
    await turn();
    expect([page.texts(), other.texts()]).toEqual([
      ['second', 'b'],
      ['second', 'b'],
    ]);
    await page.leave();
    page = await openPage(server, device);
    await page.controller.fetchIfStale(page.notes.getList);
    expect(page.texts()).toEqual(['second', 'b']);
  });
});

it('a refused create that is retried is shown before what was created later, with its dependents', async () => {
  const { controller, notes, box } = page;
  await refuse(422, () => controller.fetch(notes.create, { text: 'x' }));
  await controller.fetch(notes.create, { text: 'y' });
  expect(page.texts()).toEqual(['a', 'b', 'y']);
  box.retry(failedKey());
  expect(page.texts()).toEqual(['a', 'b', 'x', 'y']);
  await goOnline();
  expect(page.texts()).toEqual(['a', 'b', 'x', 'y']);
});
