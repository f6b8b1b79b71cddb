import { expect, it } from '@jest/globals';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { clearSiteData, holdTransaction } from '../../support/diskFaults.ts';
import { Device, freshDatabases, openPage, pending, Server, type Weather } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

const DATABASE = 'holdfast-outbox';

it('mutations that are being written again after site data was cleared stay queued when a request fails', async () => {
  const server = new Server();
  const device = new Device();
  let fail: (weather: Weather) => void = () => undefined;
  let attempts = 0;
  server.weather = () => {
    attempts += 1;
    return attempts > 1 ? 'down' : new Promise((resolve) => (fail = resolve));
  };
  const page = await openPage(server, device, { withStorage: false });
  const outcomes: string[] = [];
  for (const text of ['one', 'two', 'three'])
    page.controller.fetch(page.notes.create, { text }).then(
      () => outcomes.push(`${text} is queued`),
      (error: unknown) => outcomes.push(`${text}: ${String(error)}`),
    );
  await until(() => attempts === 1);
  await page.controller.flush();

  clearSiteData(DATABASE, { isWritten: false, isSilent: false });
  // Another tab has created the new database, and keeps this one waiting.
  const other = new OutboxDatabase(DATABASE);
  await other.connection.open();
  const release = await holdTransaction(DATABASE);
  await until(() => page.errors.some(({ message }) => message.includes('written again')));
  fail('down');
  await until(
    () => page.box.status.get().entries.some(({ attempts: made }) => made > 0) || outcomes.length > 0,
  );
  await release();
  await until(() => outcomes.length === 3);
  expect(outcomes).toEqual(['one is queued', 'two is queued', 'three is queued']);
  expect(pending(page)).toEqual(['Note.create', 'Note.create', 'Note.create']);
  await other.close();

  await page.leave();
  const next = await openPage(server, device, { withStorage: false });
  expect(pending(next)).toHaveLength(3);
});
