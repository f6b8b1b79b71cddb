import { expect, it } from '@jest/globals';
import { Device, freshDatabases, openPage, Server, until } from './support.ts';

freshDatabases();

it('sends what it finds on disk when it catches up, since whoever left it there may be gone', async () => {
  const server = new Server();
  const page = await openPage(server, new Device());
  const away = new Device();
  away.isOnline = false;
  const other = await openPage(server, away);
  await other.controller.fetch(other.notes.create, { text: 'left' });
  await other.leave();
  await page.controller.catchUp();
  await until(() => page.box.status.get().entries.length === 0);
  expect(server.done).toEqual(['create left']);
});
