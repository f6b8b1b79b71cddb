import { expect, it } from '@jest/globals';
import { Device, freshDatabases, openPage, Server } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

it('a tab sends mutations that it finds on disk during catch-up, since the tab that queued them may be gone', async () => {
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
