import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type LayerId, type Plugin } from 'holdfast';
import { devtoolsInProduction } from 'holdfast/devtools';
import { outbox } from 'holdfast/outbox';
import { Device, endpointsOf, freshDatabases, Note, openPage, pending, Server } from '../support/outbox.ts';
import { until } from '../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

describe.each([
  ['with the storage plugin', true],
  ['with a database of its own', false],
])('%s', (_, withStorage) => {
  const open = () => openPage(server, device, { withStorage });

  it('an online mutation resolves with the response, and leaves nothing in the outbox', async () => {
    const page = await open();
    const note = await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(note).toMatchObject({ id: 1, text: 'one' });
    expect(note).toBeInstanceOf(Note);
    expect(pending(page)).toEqual([]);
    expect(server.done).toEqual(['create one']);
    await page.leave();
    expect(pending(await open())).toEqual([]);
  });

  it('an offline mutation resolves with its optimistic value, and is sent when the network is back', async () => {
    const page = await open();
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    const note = await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(note).toMatchObject({ id: expect.stringContaining('optimistic-'), text: 'one' });
    expect(page.texts()).toEqual(['one']);
    expect(server.done).toEqual([]);
    device.isOnline = true;
    await until(() => server.done.length === 1 && pending(page).length === 0);
    expect(page.texts()).toEqual(['one']);
    expect(page.controller.get(Note, { id: 1 })).toMatchObject({ text: 'one' });
  });

  it('queued mutations survive a reload, are shown as before, and are sent once and in order', async () => {
    const page = await open();
    await page.controller.fetch(page.notes.create, { text: 'old' });
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    const made = await page.controller.fetch(page.notes.create, { text: 'new' });
    await page.controller.fetch(page.notes.partialUpdate, { id: made.id }, { text: 'new, edited' });
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'old, edited' });
    await page.controller.fetch(page.notes.create, { text: 'about', about: made.id });
    const shown = page.texts();
    expect(shown).toEqual(['old, edited', 'new, edited', 'about']);
    await page.controller.flush();
    await page.leave();

    const next = await open();
    await next.controller.fetchIfStale(next.notes.getList);
    if (withStorage) expect(next.texts()).toEqual(shown);
    expect(pending(next)).toHaveLength(4);
    device.isOnline = true;
    await until(() => pending(next).length === 0);
    expect(server.done).toEqual([
      'create old',
      'create new',
      'edit new, edited',
      'edit old, edited',
      'create about',
    ]);
    expect(
      server.seen.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
    ).toEqual(['POST /notes', 'POST /notes', 'PATCH /notes/2', 'PATCH /notes/1', 'POST /notes']);
    expect(server.notes.get('3')).toMatchObject({ text: 'about', about: 2 });
    if (withStorage) expect(next.texts()).toEqual(shown);
  });

  it('a temporary pk stays usable after the response, also after a reload', async () => {
    const page = await open();
    device.isOnline = false;
    const { id } = await page.controller.fetch(page.notes.create, { text: 'one' });
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    await page.leave();
    const next = await open();
    expect(await next.controller.fetch(next.notes.get, { id })).toMatchObject({ id: 1, text: 'one' });
    expect(next.controller.get(Note, { id })).toBe(next.controller.get(Note, { id: 1 }));
    await next.controller.fetch(next.notes.partialUpdate, { id }, { text: 'edited' });
    expect(server.done).toEqual(['create one', 'edit edited']);
  });
});

it('a listener of the status that subscribes before there is a controller is notified', async () => {
  const notes = endpointsOf(server);
  const box = outbox({ endpoints: [notes] });
  const lengths: number[] = [];
  box.status.subscribe(() => lengths.push(box.status.get().pending.length));
  expect(box.status.get()).toBe(box.status.initial);
  device.isOnline = false;
  const controller = new Controller({ plugins: [box], environment: device, schedule: device.schedule });
  await controller.fetch(notes.create, { text: 'one' });
  expect(lengths).toContain(1);
  await controller.stop();
});

it('each commit names the mutation that caused it', async () => {
  const tools = devtoolsInProduction();
  const page = await openPage(server, device, { more: [tools] });
  const told = (): readonly string[] =>
    tools.timeline
      .entries()
      .toReversed()
      .map(({ action: { type, name }, origin }) => [type, name, origin].join(' '));
  await page.controller.fetch(page.notes.create, { text: 'one' });
  expect(told()).toEqual(['optimistic Note.create app', 'fetch Note.create network']);
  tools.clearTimeline();
  device.isOnline = false;
  await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'two' });
  server.weather = ({ method }) => (method === 'PATCH' ? 403 : 'fine');
  device.isOnline = true;
  await until(() => page.box.status.get().failed.length === 1);
  page.box.retry(page.box.status.get().failed[0]!.key);
  expect(told()).toEqual([
    'optimistic Note.partialUpdate app',
    'optimistic  outbox',
    'optimistic Note.partialUpdate app',
  ]);
});

it('plugins are notified once of each layer that a response settles', async () => {
  const settled: LayerId[] = [];
  const watcher: Plugin = { name: 'watcher', commit: (commit) => void settled.push(...commit.settled) };
  const page = await openPage(server, device, { more: [watcher] });
  await page.controller.fetch(page.notes.create, { text: 'one' });
  expect(settled).toHaveLength(1);
});
