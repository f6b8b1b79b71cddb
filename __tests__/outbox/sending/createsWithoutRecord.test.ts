import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Collection, RestEndpoint, type Plugin } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { Device, freshDatabases, Note, openPage, Server, type Page } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

/** A server that assigns the pks of notes, and does not return them. */
function terseServer(): Server {
  const server = new Server();
  const { respond } = server;
  return Object.assign(server, {
    respond: async (url: string, init: RequestInit) => {
      const response = await respond(url, init);
      return init.method === 'POST' ? Response.json({ ok: true }) : response;
    },
  });
}

let server: Server;
let warned: jest.SpiedFunction<typeof console.warn>;

beforeEach(() => {
  server = terseServer();
  warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  warned.mockRestore();
});

const open = (device: Device, ...more: Plugin[]): Promise<Page> => openPage(server, device, { more });

const methods = (): readonly string[] => server.seen.map(({ method }) => method);

/** Shows the list of a page. */
const show = ({ controller, notes }: Page) => controller.watch(notes.getList, () => undefined);

describe('queued creates whose responses have no record', () => {
  it('a list on screen is read again once for all of them', async () => {
    const device = new Device();
    const page = await open(device);
    await page.controller.fetch(page.notes.getList);
    const stop = show(page);
    device.isOnline = false;
    for (const text of ['a', 'b', 'c']) await page.controller.fetch(page.notes.create, { text });
    device.isOnline = true;
    await until(() => methods().length === 5);
    await turn();
    expect(page.texts()).toEqual(['a', 'b', 'c']);
    expect(methods()).toEqual(['GET', 'POST', 'POST', 'POST', 'GET']);
    stop();
  });

  it('a list on screen in another tab than the sender is read again', async () => {
    const device = new Device();
    const sender = await open(device, tabs({ name: 'app' }));
    const other = await open(device, tabs({ name: 'app' }));
    await other.controller.fetch(other.notes.getList);
    const stop = show(other);
    await sender.controller.fetch(sender.notes.create, { text: 'made' });
    await until(() => other.texts()?.length === 1 && methods().at(-1) === 'GET');
    expect(other.texts()).toEqual(['made']);
    expect(methods()).toEqual(['GET', 'POST', 'GET']);
    stop();
  });

  it('each of three tabs that show a list reads it again once', async () => {
    const device = new Device();
    const pages: Page[] = [];
    for (let count = 0; count < 3; count += 1) pages.push(await open(device, tabs({ name: 'app' })));
    const [sender] = pages as [Page, Page, Page];
    await sender.controller.fetch(sender.notes.getList);
    await sender.controller.flush();
    for (const { controller, notes } of pages) await controller.fetchIfStale(notes.getList);
    const stops = pages.map(show);
    await sender.controller.fetch(sender.notes.create, { text: 'made' });
    await until(() => pages.every((page) => page.texts()?.[0] === 'made') && methods().length >= 5);
    await Promise.all(pages.map(({ controller }) => controller.flush()));
    expect(methods()).toEqual(['GET', 'POST', 'GET', 'GET', 'GET']);
    for (const stop of stops) stop();
  });

  it('a stored list that was not read since a reload is read again at its next use', async () => {
    const device = new Device();
    const before = await open(device);
    await before.controller.fetch(before.notes.getList);
    device.isOnline = false;
    await before.controller.fetch(before.notes.create, { text: 'made' });
    await before.leave();
    device.isOnline = true;
    const page = await open(device);
    await page.box.drain();
    // The list itself may be in memory by now, but not its result.
    await page.controller.fetchIfStale(page.notes.getList);
    await until(() => page.texts()?.length === 1);
    expect(page.texts()).toEqual(['made']);
  });

  it('a stored list at another path, to which a create appends, is read again at its next use', async () => {
    const device = new Device();
    const feed = new RestEndpoint({
      urlPrefix: 'https://example.com',
      path: '/feed',
      schema: new Collection([Note]),
      name: 'feed',
      dataExpiryLength: Infinity,
      fetchResponse: server.respond,
    });
    const before = await open(device);
    await before.controller.fetch(feed);
    await before.leave();
    const { controller, notes } = await open(device);
    await controller.fetch(notes.create.extend({ appendTo: feed }), { text: 'made' });
    const texts = () => controller.getResponse(feed).data?.map(({ text }) => text);
    await controller.fetchIfStale(feed);
    await until(() => texts()?.length === 1);
    expect(texts()).toEqual(['made']);
  });
});
