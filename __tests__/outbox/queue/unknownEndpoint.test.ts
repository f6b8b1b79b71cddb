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
