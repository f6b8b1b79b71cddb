import { expect, it, jest } from '@jest/globals';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

it('an onError that throws does not keep mutations from being sent', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const server = new Server();
  server.weather = () => 401;
  const thrown = new Error('The toast is not mounted');
  const page = await openPage(server, new Device(), {
    onError() {
      throw thrown;
    },
  });
  await page.controller.fetch(page.notes.create, { text: 'one' });
  expect(pending(page)).toEqual(['Note.create']);
  server.weather = () => 'fine';
  expect(await page.box.resume()).toBe(true);
  await until(() => server.done.length > 0);
  expect(server.done).toEqual(['create one']);
  expect(logged).toHaveBeenCalledWith(thrown);
  logged.mockRestore();
});
