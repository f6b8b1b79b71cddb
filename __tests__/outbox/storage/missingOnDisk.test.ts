import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { clearSiteData, holdOpening } from '../../support/diskFaults.ts';
import { Device, freshDatabases, openPage, Server, type Page } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

const DATABASES = ['app', 'holdfast-outbox'];

/** Longer than an announced mutation may be missing on disk before it counts as removed, in ms. */
const OVERDUE = 6_000;

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

const hold = (): (() => void) => {
  const releases = DATABASES.map(holdOpening);
  return () => {
    for (const release of releases) release();
  };
};

const queued = ({ box }: Page): string[] =>
  box.status.get().entries.map(({ args }) => (args.at(-1) as { readonly text: string }).text);

describe.each([
  { where: 'where it lies with the rows', withStorage: true },
  { where: 'where the outbox has a database of its own', withStorage: false },
])('a page has heard of a mutation that it does not find on disk, $where', ({ withStorage }) => {
  /** @param openWithin - how long it waits for its databases to open, in ms */
  const open = async ({ isHeard = true, openWithin }: { isHeard?: boolean; openWithin?: number } = {}) => {
    const storage = new IdbStorage('app', openWithin);
    const database = new OutboxDatabase('holdfast-outbox', openWithin);
    const page = await openPage(server, device, {
      withStorage,
      more: isHeard ? [tabs({ name: 'app' })] : [],
      storage,
      parts: { database, readWithin: Infinity },
    });
    const identity = (): string | undefined => (withStorage ? storage : database.connection).identity;
    /** Waits until a page that was opened impatiently has read its database. */
    const hasRead = async (): Promise<void> => {
      await until(() => {
        device.pass(1);
        const { plugins } = page.controller;
        const states = plugins.map(({ status }) => status?.get() as { readonly state?: unknown } | undefined);
        return identity() !== undefined && states.every((status) => status?.state !== 'degraded');
      });
      await page.box.drain();
    };
    return { page, identity, hasRead };
  };

  it('the page writes the mutation to a database that it has created after site data was cleared', async () => {
    const { page: first } = await open();
    const release = hold();
    const { page: second, hasRead } = await open({ openWithin: 1 });
    device.isOnline = false;
    await first.controller.fetch(first.notes.create, { text: '1' });
    await until(() => queued(second).length === 1);
    for (const name of DATABASES) clearSiteData(name, { isWritten: false, isSilent: false });
    device.pass(OVERDUE);
    release();
    await hasRead();
    await second.controller.fetch(second.notes.create, { text: '2' });
    // The first page has yet to open its database again.
    const { page: third } = await open({ isHeard: false });
    expect(queued(third)).toEqual(['1', '2']);
  });

  it('the mutation is sent first, although a page that does not know it has created the database', async () => {
    const { page: first, identity } = await open();
    const former = identity();
    const releaseThird = hold();
    const opening = open({ isHeard: false });
    for (let turns = 0; turns < 5; turns++) await turn();
    const releaseSecond = hold();
    const { page: second, hasRead } = await open({ openWithin: 1 });
    device.isOnline = false;
    await first.controller.fetch(first.notes.create, { text: '1' });
    await until(() => queued(second).length === 1);
    for (const name of DATABASES) clearSiteData(name, { isWritten: false, isSilent: false });
    device.pass(OVERDUE);
    releaseThird();
    await opening;
    releaseSecond();
    await hasRead();
    await second.controller.fetch(second.notes.create, { text: '2' });
    device.isOnline = true;
    // The first page opens its database again after a moment.
    await until(() => identity() !== former);
    await until(() => {
      device.pass(50);
      return server.done.length === 2;
    });
    expect(server.done).toEqual(['create 1', 'create 2']);
  });

  it('the page waits again for a mutation that is announced again', async () => {
    server.weather = ({ method }) => (method === 'GET' ? 'fine' : 'never');
    const { page: second, hasRead } = await open({ openWithin: 20 });
    await hasRead();
    const release = hold();
    const { page: first } = await open({ openWithin: 1 });
    first.controller.fetch(first.notes.create, { text: '1' }).catch(() => undefined);
    await until(() => queued(second).length === 1);
    device.pass(OVERDUE - 2_000);
    const [entry] = first.box.status.get().entries;
    first.box.edit(entry!.key, [{ text: '1, edited' }]);
    await until(() => queued(second)[0] === '1, edited');
    device.pass(2_000);
    await second.box.drain();
    expect(queued(second)).toEqual(['1, edited']);
    device.pass(OVERDUE);
    await second.box.drain();
    expect(queued(second)).toEqual([]);
    release();
  });
});
