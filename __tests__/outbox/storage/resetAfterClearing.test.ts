import { describe, expect, it } from '@jest/globals';
import type { Unsent } from 'holdfast';
import { clearSiteData } from '../../support/diskFaults.ts';
import { until } from '../../support/turns.ts';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../../support/outbox.ts';

freshDatabases();

/**
 * Two pages of which one has called a reset and the other one has followed it, when the browser deletes the database.
 *
 * @returns the page that has followed it, and what carries the reset out on disk, where the database is a new one now
 */
async function resetAndCleared(
  unsent: Unsent,
): Promise<{ page: Page; server: Server; device: Device; carryOut: () => Promise<void> }> {
  const server = new Server();
  const device = new Device();
  server.weather = () => 'down';
  device.isOnline = false;
  const first = await openPage(server, device);
  const page = await openPage(server, device);
  const at = device.now;
  await page.controller.reset({ origin: 'tabs', unsent, at });
  clearSiteData('app', { isWritten: false, isSilent: false });
  await page.controller.flush();
  const disk = first.controller.plugins.find(({ name }) => name === 'indexeddb');
  return { page, server, device, carryOut: async () => disk?.reset?.('app', unsent, at) };
}

describe.each<Unsent>(['keep', 'discard'])(
  'the browser deletes the database during a reset (%s)',
  (unsent) => {
    it('a mutation is queued although the other tab has just emptied the new database', async () => {
      const { page, carryOut } = await resetAndCleared(unsent);
      await page.controller.flush();
      await carryOut();
      await page.controller.fetch(page.notes.create, { text: 'one' });
      expect(pending(page)).toEqual(['Note.create']);
      expect(page.errors.filter(({ message }) => message.includes('cannot be written'))).toEqual([]);
    });

    it('a mutation that was queued before the other tab emptied the new database is still queued', async () => {
      const { page, server, device, carryOut } = await resetAndCleared(unsent);
      await page.controller.fetch(page.notes.create, { text: 'one' });
      await carryOut();
      await page.controller.catchUp();
      expect(pending(page)).toEqual(['Note.create']);
      await page.controller.flush();
      const next = await openPage(server, device);
      expect(pending(next)).toEqual(['Note.create']);
    });

    it('a mutation that was queued before the other tab emptied the new database is sent', async () => {
      const { page, server, device, carryOut } = await resetAndCleared(unsent);
      await page.controller.fetch(page.notes.create, { text: 'one' });
      await carryOut();
      server.weather = () => 'fine';
      device.isOnline = true;
      await until(() => pending(page).length === 0);
      expect(server.done).toEqual(['create one']);
    });
  },
);
