import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import {
  Device,
  endpointsOf,
  freshDatabases,
  makePage,
  Note,
  openPage,
  pending,
  Server,
  type Page,
  type PageOptions,
  type Weather,
} from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

describe('a mutation that is shown again after a reload', () => {
  it('a replayed mutation has the time of the original call', async () => {
    const { create } = endpointsOf(server);
    const stamped = create.extend({
      getOptimisticResponse: ({ fetchedAt }, body) => ({ ...body, text: String(fetchedAt) }),
    });
    const open = async (): Promise<Page> => {
      const page = await openPage(server, device, { endpoints: [stamped] });
      await page.controller.fetchIfStale(page.notes.getList);
      return page;
    };
    const page = await open();
    device.isOnline = false;
    const asked = device.now;
    await page.controller.fetch(stamped, { text: 'one' });
    expect(page.texts()).toEqual([String(asked)]);
    await page.leave();
    device.pass(86_400_000);
    expect((await open()).texts()).toEqual([String(asked)]);
  });

  it('a mutation that is shown again after a reload is in the lists of its own path, and in those that `appendTo` names', async () => {
    const { create, getList } = endpointsOf(server);
    const fetch = () => Promise.resolve([]);
    const archive = getList.extend({ path: '/archive', fetch });
    const feed = getList.extend({ path: '/feed', fetch });
    const publish = create.extend({ appendTo: feed.unshift });
    const open = async () => {
      const page = await openPage(server, device, { endpoints: [publish] });
      const read = async (): Promise<unknown> => {
        const all: string[][] = [];
        for (const list of [getList, archive, feed])
          all.push((await page.controller.fetchIfStale(list)).map(({ text }) => text));
        return all;
      };
      await read();
      return { ...page, read };
    };
    const page = await open();
    device.isOnline = false;
    await page.controller.fetch(publish, { text: 'one' });
    await page.leave();
    const next = await open();
    expect(await next.read()).toEqual([['one'], [], ['one']]);
    device.isOnline = true;
    await next.box.drain();
    expect(server.done).toEqual(['create one']);
    expect(await next.read()).toEqual([['one'], [], ['one']]);
  });

  it('a replayed mutation restores nothing that was deleted after it was made', async () => {
    const open = async (): Promise<Page> => {
      const page = await openPage(server, device);
      await page.controller.fetchIfStale(page.notes.getList);
      return page;
    };
    const page = await open();
    await page.controller.fetch(page.notes.create, { text: 'one' });
    device.isOnline = false;
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' });
    expect(page.texts()).toEqual(['edited']);
    device.pass(1_000);
    page.controller.setResponse(page.notes.delete, { id: 1 }, { id: 1 });
    expect(page.texts()).toEqual([]);
    await page.controller.flush();
    await page.leave();
    device.pass(1_000);
    const next = await open();
    expect(next.texts()).toEqual([]);
    expect(next.controller.get(Note, { id: 1 })).toBeUndefined();
    expect(next.box.status.get().pending).toHaveLength(1);
  });
});

describe('a mutation that is called before the queue has been read', () => {
  it.each([
    ['with a storage', true],
    ['with a database of its own', false],
  ])(
    'a mutation called before the queue is read comes after the queued ones, even if the clock was set back (%s)',
    async (_, withStorage) => {
      const options = (): PageOptions => ({ withStorage, more: [tabs({ name: 'app' })] });
      const texts = ({ box }: Page): unknown[] =>
        box.status.get().pending.map(({ args: [body] }) => (body as { readonly text: string }).text); // of a creation
      device.isOnline = false;
      const page = await openPage(server, device, options());
      for (const text of ['one', 'two']) await page.controller.fetch(page.notes.create, { text });
      await page.leave();
      const other = await openPage(server, device, options());
      device.now -= 3_600_000;
      const next = makePage(server, device, options());
      const early = ['three', 'four'].map((text) => next.controller.fetch(next.notes.create, { text }));
      await next.controller.ready;
      await Promise.all(early);
      await next.controller.fetch(next.notes.create, { text: 'five' });
      const all = ['one', 'two', 'three', 'four', 'five'];
      expect(texts(next)).toEqual(all);
      await until(() => texts(other).length === 5);
      expect(texts(other)).toEqual(all);
      device.isOnline = true;
      await until(() => pending(next).length === 0);
      expect(server.done).toEqual(all.map((text) => `create ${text}`));
      await next.leave();
    },
  );

  it('a list that is requested while earlier mutations are sent has whatever else the server has by then', async () => {
    server.notes.set('100', { id: 100, text: 'known' });
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'mine' });
    await page.leave();
    server.notes.set('101', { id: 101, text: 'of another person' });
    device.isOnline = true;
    let isSending = false;
    let arrive = (): void => undefined;
    const onItsWay = new Promise<void>((resolve) => (arrive = resolve));
    server.weather = async ({ method }): Promise<Weather> => {
      if (method === 'GET') return 'fine';
      isSending = true;
      await onItsWay;
      return 'fine';
    };
    const next = await openPage(server, device);
    await until(() => isSending);
    const finding = next.controller.fetch(next.notes.getList);
    // It has an order of its own by then.
    await turn();
    arrive();
    const found = await finding;
    expect(found.map(({ text }) => text).sort()).toEqual(['known', 'mine', 'of another person']);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });
});
