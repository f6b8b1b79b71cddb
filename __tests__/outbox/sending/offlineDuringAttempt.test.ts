import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

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
])('an attempt that hangs while there is no network, %s', (_, withStorage) => {
  const open = () => openPage(server, device, { withStorage, more: [tabs()] });

  it.each([
    ['this tab', true],
    ['another tab', false],
  ])('of %s does not keep mutations from resolving, and these are sent later', async (_, isHere) => {
    const first = await open();
    const page = isHere ? first : await open();
    // They have met.
    for (let turns = 0; turns < 20; turns++) await turn();
    server.weather = () => 'never';
    void first.controller.fetch(first.notes.create, { text: 'hangs' });
    await until(() => {
      // The other tab may have the lease for a moment.
      device.pass(500);
      return first.box.status.get().sending.length === 1;
    });
    const before = page.controller.fetch(page.notes.create, { text: 'before' });
    await until(() => pending(page).length === 2);

    device.isOnline = false;
    expect(await before).toMatchObject({ text: 'before' });
    const during = await page.controller.fetch(page.notes.create, { text: 'during' });
    expect(during).toMatchObject({ text: 'during' });
    expect(server.done).toEqual([]);

    server.weather = () => 'fine';
    device.isOnline = true;
    await until(() => {
      device.pass(1_000);
      return pending(page).length === 0;
    });
    expect(server.done).toEqual(['create hangs', 'create before', 'create during']);
  });
});
