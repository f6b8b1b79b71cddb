/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';
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

it.each([
  { returned: 'comes from the back/forward cache', target: window, event: pageShow() },
  { returned: 'was prerendered', target: document, event: new Event('prerenderingchange') },
])(
  'a page without the tabs plugin that $returned shows and sends what a page that is gone has queued',
  async ({ target, event }) => {
    const server = new Server();
    const device = new Device();
    device.isOnline = false;
    const options = { withStorage: false };
    const page = await openPage(server, device, options);
    const other = await openPage(server, device, options);
    await other.controller.fetch(other.notes.create, { text: 'left' });
    await other.leave();
    target.dispatchEvent(event);
    await until(() => pending(page).length === 1);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(server.done).toEqual(['create left']);
  },
);

function pageShow(): Event {
  return Object.assign(new Event('pageshow'), { persisted: true });
}
