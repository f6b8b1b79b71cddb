import { expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { closeAtCommit, holdOpening } from '../../support/diskFaults.ts';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

it('a mutation is not stored again after another tab has sent it, if the connection was lost while it was stored', async () => {
  const server = new Server();
  const [offline, online] = [new Device(), new Device()];
  offline.isOnline = false;
  const open = (device: Device) => openPage(server, device, { more: [tabs({ name: 'app' })] });
  const [queueing, sending] = [await open(offline), await open(online)];
  await Promise.all([queueing.controller.flush(), sending.controller.flush()]);
  const closed = closeAtCommit('app');
  const fetched = queueing.controller.fetch(queueing.notes.create, { text: 'one' });
  const release = holdOpening('app');
  await closed;
  await until(() => (online.pass(100), server.done.length === 1));
  await until(() => pending(queueing).length === 0 && pending(sending).length === 0);
  await sending.controller.flush();
  release();
  await fetched;
  await queueing.controller.flush();
  await Promise.all([queueing.leave(), sending.leave()]);
  const next = await openPage(server, offline);
  expect(pending(next)).toEqual([]);
});
