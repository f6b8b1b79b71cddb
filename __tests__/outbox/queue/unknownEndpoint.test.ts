import { expect, it } from '@jest/globals';
import { Device, endpointsOf, freshDatabases, openPage, Server } from '../../support/outbox.ts';

freshDatabases();

it('an entry whose endpoint is no longer registered keeps its status and the error of its last attempt', async () => {
  const server = new Server();
  const device = new Device();
  const { create, getList } = endpointsOf(server);
  const page = await openPage(server, device, { endpoints: [create] });
  server.weather = () => 503;
  await page.controller.fetch(create, { text: 'one' });
  const [before] = page.box.status.get().entries;
  expect(before).toMatchObject({ name: create.name, status: 'retrying', error: { reason: 'server-down' } });
  await page.leave();
  const next = await openPage(server, device, { endpoints: [getList] });
  const [after] = next.box.status.get().entries;
  expect(after).toMatchObject({ key: before?.key, status: 'retrying', error: { reason: 'server-down' } });
});

it('a queue option that throws for an endpoint which is no longer registered keeps nothing from being sent', async () => {
  const server = new Server();
  const device = new Device();
  const notes = endpointsOf(server);
  const page = await openPage(server, device, { endpoints: [notes] });
  device.isOnline = false;
  await page.controller.fetch(notes.create, { text: 'one' });
  await page.controller.fetch(notes.delete, { id: 5 });
  await page.leave();
  const queues: Readonly<Record<string, { readonly id: string } | undefined>> = {
    [notes.create.name]: { id: 'notes' },
  };
  const next = await openPage(server, device, {
    endpoints: [notes.create],
    queue: ({ name }) => queues[name]!.id,
  });
  device.isOnline = true;
  await next.box.drain();
  expect(server.done).toEqual(['create one']);
  expect(next.errors).toEqual([]);
});
