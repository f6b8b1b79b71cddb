import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SideRecords } from 'holdfast';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { DeviceLocks, MortalPage, type Life } from '../MortalPage.ts';
import { Device, freshDatabases, Server, type Weather } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
let locks: DeviceLocks;

beforeEach(() => {
  server = new Server();
  device = new Device();
  locks = new DeviceLocks();
});

/** A database of the outbox that writes nothing more from some moment on. */
class ClosingDatabase extends OutboxDatabase {
  isClosing = false;

  override write(records: SideRecords): Promise<void> {
    return this.isClosing ? new Promise(() => undefined) : super.write(records);
  }
}

const sent = (method: string): string[] =>
  server.seen.filter((seen) => seen.method === method).map(({ path }) => path);

describe.each([
  { where: 'beside the rows', withStorage: true },
  { where: 'in a database of the outbox', withStorage: false },
])('a tab is closed after it has announced a response, before it writes it $where', ({ withStorage }) => {
  const open = async (life: Life = {}): Promise<MortalPage> => {
    const page = new MortalPage(server, device, locks, { withStorage, withLocks: true }, life);
    await page.started;
    await page.page.controller.fetch(page.page.notes.getList);
    return page;
  };

  /** Opens a tab that will be closed, and another one. */
  const openTwo = async () => {
    const database = new ClosingDatabase('holdfast-outbox');
    const closed = await open({ database });
    const other = await open();
    const { box } = other.page;
    /** The tab that sends a create writes nothing more; other mutations get `weather`. */
    const loseWrites = (weather: Weather = 'fine'): void => {
      server.weather = ({ method }) => {
        if (method === 'GET') return 'fine';
        if (method !== 'POST') return weather;
        database.isClosing = true;
        // The first step receives the response; the page does not live to take the second one, which writes it.
        if (withStorage) closed.dieAfter(2);
        return 'fine';
      };
    };
    /** Closes the tab once the other one knows that the create was sent. */
    const close = async (): Promise<void> => {
      await until(
        () =>
          sent('POST').length === 1 && !box.status.get().entries.some(({ name }) => name === 'Note.create'),
      );
      closed.kill();
      server.weather = () => 'fine';
    };
    return { closed, other, loseWrites, close };
  };

  it.each([
    { title: 'the next page does not send the mutation again', isLoggedOut: false },
    { title: 'the next page does not send the mutation again after a log-out', isLoggedOut: true },
  ])('$title', async ({ isLoggedOut }) => {
    const { closed, other, loseWrites, close } = await openTwo();
    const { controller, notes, texts } = other.page;
    loseWrites();
    void closed.page.controller.fetch(closed.page.notes.create, { text: 'created' });
    await until(() => texts()?.[0] === 'created');
    await close();
    if (isLoggedOut) {
      await controller.reset({ unsent: 'keep' });
      await controller.fetch(notes.getList);
    }
    await controller.fetch(notes.partialUpdate, { id: 1 }, { text: 'edited' });
    const next = await open();
    await next.page.box.drain();
    await Promise.all([controller.catchUp(), next.page.controller.catchUp()]);
    // The repeated response of the create would have been newer than that of the edit.
    expect(sent('POST')).toHaveLength(1);
    expect([texts(), next.page.texts()]).toEqual([['edited'], ['edited']]);
    await Promise.all([other.leave(), next.leave()]);
  });

  it('an edit of what the mutation has created is sent with the new pk after a log-out', async () => {
    const { closed, other, loseWrites, close } = await openTwo();
    device.isOnline = false;
    const { controller, notes } = closed.page;
    const { id } = await controller.fetch(notes.create, { text: 'created' });
    await controller.fetch(notes.partialUpdate, { id }, { text: 'edited' });
    const { box } = other.page;
    await until(() => box.status.get().pending.length === 2);
    loseWrites('never');
    device.isOnline = true;
    await close();
    await other.page.controller.reset({ unsent: 'keep' });
    expect(await box.resume()).toBe(true);
    expect([sent('POST'), sent('PATCH')]).toEqual([['/notes'], ['/notes/1']]);
    expect(server.done).toEqual(['create created', 'edit edited']);
    await other.leave();
  });
});
