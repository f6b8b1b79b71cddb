import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { Network } from '../../tabs/network.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { holdOpening } from '../../support/diskFaults.ts';
import { Device, freshDatabases, Note, openPage, pending, Server, type Page } from '../../support/outbox.ts';
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

  it.each(['keep', 'discard'] as const)(
    'a tab that has queued entries since a reset (%s) of which it learns late shows and sends older ones of other tabs',
    async (unsent) => {
      const network = new Network();
      network.install();
      try {
        const open = () => openPage(server, device, { withStorage, more: [tabs()] });
        const [first, second] = [await open(), await open()];
        await network.deliver();
        device.pass(1_000);
        device.isOnline = false;
        await first.controller.reset({ unsent });
        device.pass(1_000);
        await first.controller.fetch(first.notes.create, { text: 'since' });
        await network.lose();
        device.pass(1_000);
        const late = second.controller.fetch(second.notes.create, { text: 'late' });
        late.catch(() => undefined);
        await network.deliver();
        await first.leave();
        for (let turns = 0; turns < 50; turns++) await turn();
        device.isOnline = true;
        await second.box.resume();
        await until(() => pending(second).length === 0);
        expect(server.done[0]).toBe('create since');
        if (unsent === 'discard') {
          expect(server.done).toEqual(['create since']);
          const third = await openPage(server, device, { withStorage });
          expect(await third.box.drain()).toBe(true);
          expect(server.done).toEqual(['create since']);
        }
      } finally {
        network.restore();
      }
    },
  );
});

describe('a tab without tabs() and a storage plugin, while another tab is reset', () => {
  const open = (database?: OutboxDatabase): Promise<Page> =>
    openPage(server, device, { withStorage: false, parts: database === undefined ? {} : { database } });

  it('what was queued before the reset is not sent if the database opens after it', async () => {
    const first = await open();
    const release = holdOpening('holdfast-outbox');
    const second = await open(new OutboxDatabase('holdfast-outbox', 10));
    device.pass(1_000);
    const before = second.controller.fetch(second.notes.create, { text: 'before' });
    const ended = expect(before).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(second.controller.get(Note, { id: 1 })).toBeUndefined();
    device.pass(1_000);
    await first.controller.reset();
    device.pass(1_000);
    release();
    await ended;
    expect(second.box.status.get().entries).toEqual([]);
    expect(await second.box.drain()).toBe(true);
    expect(server.seen).toEqual([]);
  });

  it('what is queued while the database opens is sent if the reset was before the page, by a clock that was set back', async () => {
    const first = await open();
    await first.controller.reset();
    await first.leave();
    device.now -= 3_600_000;
    const release = holdOpening('holdfast-outbox');
    const second = await open(new OutboxDatabase('holdfast-outbox', 10));
    const made = second.controller.fetch(second.notes.create, { text: 'one' });
    device.pass(1_000);
    release();
    expect(await made).toMatchObject({ id: 1 });
  });

  it('a tab that has the database open follows the reset with its next write, and then continues', async () => {
    const [first, second] = [await open(), await open()];
    device.pass(1_000);
    await first.controller.reset();
    device.now -= 3_600_000;
    device.isOnline = false;
    await expect(second.controller.fetch(second.notes.create, { text: 'one' })).rejects.toMatchObject({
      code: 'HF_RESET',
    });
    await second.controller.fetch(second.notes.create, { text: 'two' });
    await second.leave();
    expect(pending(await open())).toEqual(['Note.create']);
  });
});

it('with a storage plugin, what is queued while its database opens is sent if the reset was before the page, by a clock that was set back', async () => {
  const first = await openPage(server, device);
  await first.controller.reset();
  await first.leave();
  device.now -= 3_600_000;
  const release = holdOpening('app');
  const second = await openPage(server, device, { storage: new IdbStorage('app', 10) });
  const made = second.controller.fetch(second.notes.create, { text: 'one' });
  device.pass(1_000);
  release();
  expect(await made).toMatchObject({ id: 1 });
});
