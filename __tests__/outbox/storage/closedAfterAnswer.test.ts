import { expect, it } from '@jest/globals';
import { DeviceLocks, MortalPage } from '../MortalPage.ts';
import { Device, freshDatabases, Server } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

it('a mutation is not sent again if its tab was closed between announcing the response and writing it', async () => {
  const server = new Server();
  const device = new Device();
  const locks = new DeviceLocks();
  const open = async (): Promise<MortalPage> => {
    const page = new MortalPage(server, device, locks, { withStorage: true, withLocks: true });
    await page.started;
    await page.page.controller.fetch(page.page.notes.getList);
    return page;
  };
  const [closed, editing] = [await open(), await open()];
  const { controller, box, notes, texts } = editing.page;
  // The first step receives the response; the page does not live to take the second one, which writes it.
  server.weather = ({ method }) => {
    if (method === 'POST') closed.dieAfter(2);
    return 'fine';
  };
  void closed.page.controller.fetch(closed.page.notes.create, { text: 'created' });
  await until(() => closed.isDead && texts()?.[0] === 'created' && box.status.get().entries.length === 0);
  server.weather = () => 'fine';
  await controller.fetch(notes.partialUpdate, { id: 1 }, { text: 'edited' });
  const next = await open();
  await next.page.box.drain();
  await Promise.all([controller.catchUp(), next.page.controller.catchUp()]);
  // The repeated response of the create would have been newer than that of the edit.
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect([texts(), next.page.texts()]).toEqual([['edited'], ['edited']]);
  await Promise.all([editing.leave(), next.leave()]);
});
