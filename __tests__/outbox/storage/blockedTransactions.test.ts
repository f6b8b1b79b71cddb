import 'fake-indexeddb/auto';
import { expect, it } from '@jest/globals';
import { holdTransaction } from '../../support/diskFaults.ts';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';

freshDatabases();

it.each([
  { kept: 'with the rows', withStorage: true, name: 'app' },
  { kept: 'by the outbox itself', withStorage: false, name: 'holdfast-outbox' },
])(
  'a mutation is sent although a transaction of another tab does not end, where mutations are kept $kept',
  async ({ withStorage, name }) => {
    const server = new Server();
    const device = new Device();
    const page = await openPage(server, device, { withStorage });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.box.drain();
    await page.controller.flush();
    const release = await holdTransaction(name);
    expect(await page.controller.fetch(page.notes.create, { text: 'two' })).toMatchObject({ text: 'two' });
    expect(page.errors.map(({ code }) => code)).toContain('HF_STORAGE');
    await release();
    await page.controller.flush();
    await page.leave();

    const next = await openPage(server, device, { withStorage });
    expect(pending(next)).toEqual([]);
    expect(server.done).toEqual(['create one', 'create two']);
  },
);
