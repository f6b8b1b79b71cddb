import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Device, endpointsOf, freshDatabases, openPage, Server, type Page } from '../../support/outbox.ts';
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
async function createOffline(): Promise<Page> {
  const page = await openPage(server, device);
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
