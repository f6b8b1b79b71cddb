import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { Network } from '../../tabs/network.ts';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

describe.each(['keep', 'discard'] as const)('a tab that learns late of a reset (%s)', (unsent) => {
  it('sends what another tab has queued since', async () => {
    const first = await openPage(server, device);
    const second = await openPage(server, device);
    await second.controller.fetch(second.notes.create, { text: 'before' });
    device.pass(1_000);
    await first.controller.reset({ unsent });
    device.pass(1_000);
    device.isOnline = false;
    await first.controller.fetch(first.notes.create, { text: 'since' });
    await first.leave();
    device.pass(1_000);

    await second.controller.catchUp();
    await until(() => second.errors.length > 0);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(second.errors).toMatchObject([{ code: 'HF_STORAGE' }]);
    device.isOnline = true;
    expect(await second.box.drain()).toBe(true);
    expect(server.done).toEqual(['create before', 'create since']);
    expect(pending(second)).toEqual([]);
  });
});

it('a tab that learns late of a reset discards what it had queued before', async () => {
  const first = await openPage(server, device);
  const second = await openPage(server, device);
  device.isOnline = false;
  await second.controller.fetch(second.notes.create, { text: 'before' });
  device.pass(1_000);
  await first.controller.reset();
  device.pass(1_000);
  await second.controller.catchUp();
  await until(() => second.errors.length > 0);
  for (let turns = 0; turns < 20; turns++) await turn();
  device.isOnline = true;
  expect(await second.box.drain()).toBe(true);
  expect(server.done).toEqual([]);
});

describe.each([
  ['with the storage plugin', true],
  ['with a database of its own', false],
])('%s', (_, withStorage) => {
  it.each(['keep', 'discard'] as const)(
    'a tab that the message of a reset (%s) does not reach sends what another tab has queued since',
    async (unsent) => {
      const network = new Network();
      network.install();
      try {
        const open = () => openPage(server, device, { withStorage, more: [tabs()] });
        const [first, second] = [await open(), await open()];
        await network.deliver();
        device.pass(1_000);
        await first.controller.reset({ unsent });
        await network.lose();
        device.pass(1_000);
        device.isOnline = false;
        await first.controller.fetch(first.notes.create, { text: 'since' });
        device.pass(1_000);
        await network.deliver();
        await first.leave();
        device.isOnline = true;
        expect(await second.box.drain()).toBe(true);
        expect(server.done).toEqual(['create since']);
      } finally {
        network.restore();
      }
    },
  );
});
