import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Select } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import {
  Device,
  endpointsOf,
  freshDatabases,
  Note,
  openPage,
  Server,
  type Page,
  type PageOptions,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

/** The server executes each create, and responds with this. */
function answerCreates(answer: () => Response): void {
  const { respond } = server;
  const answering: Pick<Server, 'respond'> = {
    respond: async (url, init) => {
      const response = await respond(url, init);
      return init.method === 'POST' ? answer() : response;
    },
  };
  Object.assign(server, answering);
}

/** A page that has created a note offline, and then made an edit of it and a note about it. */
async function createOffline(options: PageOptions = {}): Promise<Page> {
  const page = await openPage(server, device, options);
  await page.controller.fetch(page.notes.getList);
  device.isOnline = false;
  const { id } = await page.controller.fetch(page.notes.create, { text: 'one' });
  await page.controller.fetch(page.notes.partialUpdate, { id }, { text: 'edited' });
  await page.controller.fetch(page.notes.create, { text: 'about it', about: id });
  return page;
}

async function goOnline({ box }: Page): Promise<void> {
  device.isOnline = true;
  await box.drain();
}

const writes = () =>
  server.seen.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);

const CREATE = ['POST', '/notes', { text: 'one' }];

describe('what the app sets on an entity whose create is discarded', () => {
  it.each(['at once', 'after a reload'])(
    'it is deleted with the create, also from the disk (%s)',
    async (when) => {
      const open = (): Promise<Page> => {
        const disk = indexedDB({ name: 'app', persist: 'all' });
        return openPage(server, device, { withStorage: false, more: [disk] });
      };
      let page = await open();
      const reload = async (): Promise<void> => {
        await page.leave();
        page = await open();
      };
      server.weather = ({ method }) => (method === 'POST' ? 422 : 'fine');
      device.isOnline = false;
      const { id } = await page.controller.fetch(page.notes.create, { text: 'one' });
      page.controller.set(
        [Note],
        [
          { id, text: 'set' },
          { id: 1, text: 'kept' },
        ],
      );
      await goOnline(page);
      if (when === 'after a reload') await reload();
      const [entry] = page.box.status.get().entries;
      expect(entry).toMatchObject({ name: 'Note.create', status: 'failed' });
      expect(page.box.discard(entry?.key ?? '')).toBe(true);
      expect(page.controller.get(Note, { id })).toBeUndefined();
      await reload();
      const all = new Select(Note);
      page.controller.watch(all, () => undefined);
      await until(() => {
        device.pass(10);
        return page.controller.get(all) !== undefined;
      });
      expect(page.controller.get(all)).toMatchObject([{ text: 'kept' }]);
    },
  );
});

describe('a create whose response has no pk', () => {
  it.each([
    ['204', () => new Response(null, { status: 204 })],
    ['an empty 201', () => new Response(null, { status: 201 })],
    ['{ ok: true }', () => Response.json({ ok: true })],
  ])(
    'mutations that depend on it are dead letters, and not sent with the temporary pk (%s)',
    async (_, answer) => {
      jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      answerCreates(answer);
      const page = await createOffline();
      await goOnline(page);
      expect(writes()).toEqual([CREATE]);
      expect(page.box.status.get().entries).toMatchObject([
        { name: 'Note.partialUpdate', status: 'failed', error: { reason: 'error' } },
        { name: 'Note.create', status: 'failed', error: { reason: 'error' } },
      ]);
      expect(page.errors).toMatchObject([{ code: 'HF_OUTBOX_PK' }, { code: 'HF_OUTBOX_PK' }]);
      expect(page.errors[0]?.message).toMatch(/Note\.partialUpdate .*optimistic-/);
    },
  );

  it('a mutation that depends on it is a dead letter again after a retry, and sent once it is edited', async () => {
    answerCreates(() => new Response(null, { status: 204 }));
    const page = await createOffline();
    await goOnline(page);
    const { key } = page.box.status.get().failed[0]!;
    page.box.retry(key);
    await until(() => page.errors.length === 3);
    expect(writes()).toEqual([CREATE]);
    page.box.edit(key, [{ id: 1 }, { text: 'edited' }]);
    await until(() => server.done.includes('edit edited'));
    expect(page.box.status.get().entries).toHaveLength(1);
  });

  it('a mutation with words that resemble a temporary pk is sent', async () => {
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.create, { text: 'my optimistic-2024-plan' });
    expect(server.done).toEqual(['create my optimistic-2024-plan']);
  });
});

describe('a create that has no prediction after a reload', () => {
  type Create = ReturnType<typeof endpointsOf>['create'];
  const unpredicted: object = { getOptimisticResponse: undefined };

  it.each([
    ['the endpoint has none any more', (create: Create) => create.extend(unpredicted)],
    [
      'it aborts',
      (create: Create) =>
        create.extend({
          getOptimisticResponse: (snapshot) => {
            throw snapshot.abort;
          },
        }),
    ],
  ])("mutations that depend on it are sent with the server's pk (%s)", async (_, change) => {
    await (await createOffline()).leave();
    const { create, partialUpdate } = endpointsOf(server);
    const next = await openPage(server, device, { endpoints: [change(create), partialUpdate] });
    await next.controller.fetchIfStale(next.notes.getList);
    await goOnline(next);
    expect(writes()).toEqual([
      CREATE,
      ['PATCH', '/notes/1', { text: 'edited' }],
      ['POST', '/notes', { text: 'about it', about: 1 }],
    ]);
    expect(next.box.status.get().entries).toEqual([]);
    expect(next.texts()).toEqual(['edited', 'about it']);
    expect(next.errors).toEqual([]);
  });
});

describe('a create that conflicts', () => {
  /** The server has the note already, and says so in this body. */
  async function conflict(body: object, options: PageOptions = {}): Promise<Page> {
    server.notes.set('5', { id: 5, text: 'theirs' });
    const page = await createOffline(options);
    server.weather = ({ body: sent }) =>
      JSON.stringify(sent) === '{"text":"one"}' ? Response.json(body, { status: 409 }) : 'fine';
    await goOnline(page);
    return page;
  }

  it.each([
    ['at once', false],
    ['after a reload', true],
  ])(
    "'theirs' sends the mutations that depend on it with the pk of the server's row (%s)",
    async (_, isReloaded) => {
      let page = await conflict({ id: 5, text: 'theirs' });
      if (isReloaded) {
        await page.leave();
        page = await openPage(server, device);
        await page.controller.fetchIfStale(page.notes.getList);
      }
      const [entry] = page.box.status.get().failed;
      expect(page.box.resolve(entry!.key, 'theirs')).toBe(true);
      expect(page.texts()).toEqual(['edited', 'about it']);
      expect(page.controller.get(Note, { id: entry!.temporaryPk })).toMatchObject({ id: 5, text: 'edited' });
      await until(() => page.box.status.get().entries.length === 0);
      expect(writes()).toEqual([
        CREATE,
        ['PATCH', '/notes/5', { text: 'edited' }],
        ['POST', '/notes', { text: 'about it', about: 5 }],
      ]);
      expect(page.errors).toEqual([]);
    },
  );

  it("'theirs' shows no older version than the one that was received since", async () => {
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    server.weather = ({ method }) =>
      method === 'POST' ? Response.json({ id: 5, text: 'theirs' }, { status: 409 }) : 'fine';
    await goOnline(page);
    server.notes.set('5', { id: 5, text: 'newer' });
    await page.controller.fetch(page.notes.getList);
    expect(page.box.resolve(page.box.status.get().failed[0]!.key, 'theirs')).toBe(true);
    expect(page.texts()).toEqual(['newer']);
  });

  it("'theirs' replaces a version that was received before the conflict", async () => {
    server.notes.set('5', { id: 5, text: 'former' });
    const page = await createOffline();
    server.weather = ({ body }) =>
      JSON.stringify(body) === '{"text":"one"}'
        ? Response.json({ id: 5, text: 'theirs' }, { status: 409 })
        : 'fine';
    await page.controller.fetch(page.notes.getList);
    await goOnline(page);
    expect(page.texts()).toEqual(['former']);
    page.box.resolve(page.box.status.get().failed[0]!.key, 'theirs');
    const confirmed = page.controller.snapshot({ optimistic: false });
    expect(confirmed.get(Note, { id: 5 })?.text).toBe('theirs');
  });

  it("'theirs' without a pk leaves the mutations that depend on it as dead letters", async () => {
    const page = await conflict({ message: 'It exists' });
    expect(page.box.resolve(page.box.status.get().failed[0]!.key, 'theirs')).toBe(true);
    await until(() => page.errors.length === 2);
    expect(writes()).toEqual([CREATE]);
    expect(page.box.status.get().failed.map(({ name }) => name)).toEqual([
      'Note.partialUpdate',
      'Note.create',
    ]);
    expect(page.errors).toMatchObject([{ code: 'HF_OUTBOX_PK' }, { code: 'HF_OUTBOX_PK' }]);
  });

  it('onConflict that discards it leaves the mutations that depend on it as dead letters', async () => {
    const page = await conflict({ id: 5, text: 'theirs' }, { onConflict: () => 'discard' });
    expect(writes()).toEqual([CREATE]);
    expect(page.box.status.get().failed.map(({ name }) => name)).toEqual([
      'Note.partialUpdate',
      'Note.create',
    ]);
    expect(page.errors).toMatchObject([{ code: 'HF_OUTBOX_PK' }, { code: 'HF_OUTBOX_PK' }]);
  });
});

describe('a create with a pk of the app', () => {
  /** A page that has created and edited a note with such a pk, offline. */
  async function createChosen(): Promise<Page> {
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { id: 'c1', text: 'one' });
    await page.controller.fetch(page.notes.partialUpdate, { id: 'c1' }, { text: 'edited' });
    return page;
  }

  it.each([
    ['at once', false],
    ['after a reload', true],
  ])('the row and later mutations follow when the server assigns another pk (%s)', async (_, isReloaded) => {
    let page = await createChosen();
    if (isReloaded) {
      await page.leave();
      page = await openPage(server, device);
      await page.controller.fetchIfStale(page.notes.getList);
    }
    expect(page.texts()).toEqual(['edited']);
    await goOnline(page);
    expect(writes()).toEqual([
      ['POST', '/notes', { id: 'c1', text: 'one' }],
      ['PATCH', '/notes/1', { text: 'edited' }],
    ]);
    expect(page.texts()).toEqual(['edited']);
    expect(page.controller.get(Note, { id: 'c1' })).toMatchObject({ id: 1, text: 'edited' });
    expect(page.box.status.get().entries).toEqual([]);
  });

  it('a row that has the chosen pk already stays as it is', async () => {
    server.notes.set('7', { id: 7, text: 'seven' });
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { id: 7, text: 'one' });
    await goOnline(page);
    expect(page.controller.get(Note, { id: 7 })?.text).toBe('seven');
    expect(page.texts()).toEqual(['seven', 'one']);
  });
});

it('two creates that an edit makes refer to each other wait until one of them is edited again', async () => {
  const page = await createOffline();
  const [create, , other] = page.box.status.get().pending;
  page.box.edit(create!.key, [{ text: 'one', about: other!.temporaryPk }]);
  await goOnline(page);
  expect(server.done).toEqual([]);
  page.box.edit(create!.key, [{ text: 'one' }]);
  await page.box.drain();
  expect(server.done).toEqual(['create one', 'edit edited', 'create about it']);
});
