/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { OutboxDatabase } from '../../plugins/outbox/storage/OutboxDatabase.ts';
import { Network } from '../tabs/network.ts';
import { holdOpening } from '../support/diskFaults.ts';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../support/outbox.ts';
import { turn, until } from '../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
let network: Network;

beforeEach(() => {
  localStorage.clear();
  server = new Server();
  device = new Device();
  network = new Network();
  network.install();
});
afterEach(() => network.restore());

const DAY = 24 * 3_600_000;

describe.each([
  ['with the storage plugin', true],
  ['with a database of its own', false],
])('%s', (_, withStorage) => {
  const open = (): Promise<Page> => openPage(server, device, { withStorage, more: [tabs()] });

  it('what is queued after a reset of another tab is kept, although the clock was set back before that reset', async () => {
    const first = await open();
    await first.controller.fetch(first.notes.create, { text: 'sent' });
    await network.deliver();
    device.now -= DAY;
    const second = await open();
    await network.deliver();
    device.pass(1_000);
    device.isOnline = false;
    await first.controller.reset();
    await network.deliver();
    device.pass(1_000);
    await second.controller.fetch(second.notes.create, { text: 'since' });
    await second.leave();
    await network.lose();
    expect(pending(await open())).toEqual(['Note.create']);
  });
  it('what is queued in a tab that opened after a reset is kept, although the clock was set back after that reset', async () => {
    const first = await open();
    await first.controller.reset();
    device.now -= DAY;
    const second = await open();
    device.isOnline = false;
    await second.controller.fetch(second.notes.create, { text: 'since' });
    await network.deliver();
    expect([first, second].map(pending)).toEqual([['Note.create'], ['Note.create']]);
    await Promise.all([first.leave(), second.leave()]);
    expect(pending(await open())).toEqual(['Note.create']);
  });
});

it('what another tab announced and never stored does not block the queue after the clock was set back', async () => {
  const open = (parts = {}): Promise<Page> =>
    openPage(server, device, { withStorage: false, more: [tabs()], parts });
  const second = await open();
  const release = holdOpening('holdfast-outbox');
  const database = new OutboxDatabase('holdfast-outbox', 10);
  const first = await open({ database });
  await network.deliver();
  first.controller.fetch(first.notes.create, { text: 'announced' }).catch(() => undefined);
  await network.deliver();
  expect(pending(second)).toEqual(['Note.create']);
  const left = first.leave();
  await network.lose();
  device.now -= DAY;
  const made = second.controller.fetch(second.notes.create, { text: 'two' });
  for (let turns = 0; turns < 60 && server.done.length === 0; turns++) {
    device.pass(500);
    for (let each = 0; each < 10; each++) await turn();
  }
  expect(server.done).toEqual(['create two']);
  release();
  await Promise.all([left, made]);
  await until(() => pending(second).length === 0);
});
