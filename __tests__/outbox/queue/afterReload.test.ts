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
import { silently } from '../../support/silently.ts';
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

it('a mutation that a failed create has hidden since a reload is shown when another tab retries the create', async () => {
  const refused: Weather[] = [422];
  server.weather = ({ method }) => (method === 'POST' ? (refused.shift() ?? 'fine') : 'fine');
  const open = (): Promise<Page> => openPage(server, device, { more: [tabs({ name: 'app' })] });
  const page = await open();
  device.isOnline = false;
  const { id } = await page.controller.fetch(page.notes.create, { text: 'one' });
  await page.controller.fetch(page.notes.partialUpdate, { id }, { text: 'edited' });
  device.isOnline = true;
  await until(() => page.box.status.get().failed.length === 1);
  device.isOnline = false;
  await page.controller.flush();

  const other = await open();
  const shown = ({ controller }: Page): string | undefined => controller.get(Note, { id })?.text;
  expect(shown(other)).toBeUndefined();
  page.box.retry(page.box.status.get().failed[0]!.key);
  expect(shown(page)).toBe('edited');
  await until(() => other.box.status.get().failed.length === 0);
  await until(() => shown(other) !== undefined);
  expect(shown(other)).toBe('edited');
});

/** Finds its row by another member of the args. */
class SluggedNote extends Note {
  static override queryKey([params]: readonly unknown[]): string {
    if (!('slug' in (params as object))) throw new TypeError('no slug');
    return String((params as { readonly slug: unknown }).slug);
  }
}

describe('a mutation whose endpoint an update of the app has changed', () => {
  type Notes = ReturnType<typeof endpointsOf>;
  const changes: [string, RegExp, (notes: Notes) => readonly object[]][] = [
    [
      'its path has another parameter',
      /listId/,
      ({ create, partialUpdate }) => [create, partialUpdate.extend({ path: '/lists/:listId/notes/:id' })],
    ],
    [
      'its key() throws',
      /no slug/,
      ({ create, partialUpdate }) => [
        create,
        partialUpdate.extend({
          key(params: object) {
            if (!('slug' in params)) throw new TypeError('no slug');
            return `NOTE ${String(params.slug)}`;
          },
        }),
      ],
    ],
    [
      'the queryKey() of its entity throws',
      /no slug/,
      ({ create, partialUpdate }) => [create, partialUpdate.extend({ schema: SluggedNote })],
    ],
  ];

  /** A page of the new version, with an edit from the old one and creates before and after it. */
  async function update(change: (notes: Notes) => readonly object[]): Promise<Page> {
    server.notes.set('7', { id: 7, text: 'seven' });
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'before' });
    await page.controller.fetch(page.notes.partialUpdate, { id: 7 }, { text: 'edited' });
    await page.controller.fetch(page.notes.create, { text: 'after' });
    await page.controller.flush();
    await page.leave();
    // A prediction that throws is reported.
    return silently(async () => {
      const next = await openPage(server, device, { endpoints: change(endpointsOf(server)) });
      await next.controller.fetchIfStale(next.notes.getList);
      return next;
    });
  }

  it.each(changes)(
    'an entry that no longer fits its endpoint is a dead letter, and the others are sent (%s)',
    async (_, message, change) => {
      const page = await update(change);
      expect(page.errors).toEqual([]);
      device.isOnline = true;
      expect(await page.box.drain()).toBe(true);
      expect(server.done).toEqual(['create before', 'create after']);
      expect(page.box.status.get().entries).toMatchObject([
        { name: 'Note.partialUpdate', status: 'failed', error: { reason: 'error' }, attempts: 0 },
      ]);
      expect(page.box.status.get().entries[0]?.error?.message).toMatch(message);
      expect(page.errors).toMatchObject([{ code: 'HF_OUTBOX_ARGS' }]);
      expect(page.texts()).toEqual(['seven', 'before', 'after']);
    },
  );

  it.each(changes)(
    'an entry that no longer fits its endpoint is a dead letter again after a retry, and sent once it is edited (%s)',
    async (_, message, change) => {
      const page = await update(change);
      const { key } = page.box.status.get().entries[1]!;
      device.isOnline = true;
      await page.box.drain();
      page.box.retry(key);
      await until(() => page.errors.length === 2);
      expect(page.errors[1]?.message).toMatch(message);
      expect(page.box.status.get().failed).toMatchObject([{ key }]);
      expect(page.box.edit(key, [{ listId: 1, id: 7, slug: 'seven' }, { text: 'edited' }])).toBe(true);
      await until(() => server.seen.at(-1)?.method === 'PATCH');
      expect(page.errors).toHaveLength(2);
    },
  );

  it.each(changes)(
    'an entry that no longer fits its endpoint can be discarded (%s)',
    async (_, _m, change) => {
      const page = await update(change);
      const { key } = page.box.status.get().entries[1]!;
      expect(page.box.discard(key)).toBe(true);
      expect(pending(page)).toEqual(['Note.create', 'Note.create']);
      expect(page.texts()).toEqual(['seven', 'before', 'after']);
    },
  );
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
