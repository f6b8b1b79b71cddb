import { beforeEach, describe, expect, it } from '@jest/globals';
import { clearSiteData, loseRecord } from '../../support/diskFaults.ts';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
  device.isOnline = false;
});

const texts = (): unknown[] => server.seen.map(({ body }) => (body as { readonly text: string }).text);

describe.each([
  { kept: 'with the rows', name: 'app', store: 'outbox', withStorage: true },
  { kept: 'by the outbox itself', name: 'holdfast-outbox', store: 'entries', withStorage: false },
])('mutations kept $kept', ({ name, store, withStorage }) => {
  async function queue(page: Page, ...all: string[]): Promise<void> {
    for (const text of all) await page.controller.fetch(page.notes.create, { text });
  }

  it('mutations are sent from memory if the browser has lost a record', async () => {
    const page = await openPage(server, device, { withStorage });
    await queue(page, 'one', 'two');
    loseRecord(name, store, 0);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(texts().sort()).toEqual(['one', 'two']);
    expect(await page.box.drain()).toBe(true);
  });

  it('a mutation is sent if the browser has lost the only record', async () => {
    const page = await openPage(server, device, { withStorage });
    await queue(page, 'one');
    loseRecord(name, store, 0);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(texts()).toEqual(['one']);
  });

  it('a tab does not count a mutation as sent because another tab has found its record lost', async () => {
    const first = await openPage(server, device, { withStorage });
    await queue(first, 'one');
    loseRecord(name, store, 0);
    const second = await openPage(server, device, { withStorage });
    expect(second.errors).toMatchObject([{ code: 'HF_STORAGE' }]);
    await first.controller.catchUp();
    expect(pending(first)).toEqual(['Note.create']);
    device.isOnline = true;
    await until(() => pending(first).length === 0);
    expect(texts()).toEqual(['one']);
  });

  it('a page that is left right after the browser deleted the database writes its mutations again', async () => {
    const page = await openPage(server, device, { withStorage });
    await queue(page, 'one', 'two');
    clearSiteData(name, { isWritten: true, isSilent: true });
    await page.leave();
    const next = await openPage(server, device, { withStorage });
    expect(pending(next)).toEqual(['Note.create', 'Note.create']);
  });
});
