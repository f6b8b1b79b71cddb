import { beforeEach, describe, expect, it } from '@jest/globals';
import { createResource, Entity, isTemporaryPk, RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { Device, freshDatabases, openPage, Server, type Page } from '../../support/outbox.ts';

class Line extends Entity {
  id = '';
  text = '';
  replaces = '';
  static override key = 'Line';
}
class Order extends Entity {
  id = '';
  lines: Line[] = [];
  static override key = 'Order';
  static override schema = { lines: [Line] };
}

freshDatabases();

let device: Device;
/** The mutations that the server has got, and the lines that it creates for an order. */
let seen: (readonly [method: string, path: string, body: unknown])[];
let created: readonly { readonly id: string; readonly text: string }[];
/** The orders that it has. */
let stored: readonly object[];

beforeEach(() => {
  device = new Device();
  seen = [];
  stored = [];
  created = [
    { id: 'l1', text: 'a' },
    { id: 'l2', text: 'b' },
  ];
});

class OrderEndpoint<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const { method = 'GET' } = init;
    if (method === 'GET') return Promise.resolve(Response.json(stored));
    seen.push([method, url, body]);
    if (url === '/orders' || method === 'PUT')
      return Promise.resolve(Response.json({ id: 'o1', lines: created }));
    return Promise.resolve(Response.json({ id: url.split('/')[2] ?? 'l3', ...(body as object) })); // an object was sent
  }
}

/** The endpoints are made anew for each page. */
async function open() {
  const options = { optimistic: true, dataExpiryLength: Infinity, Endpoint: OrderEndpoint } as const;
  const orders = createResource({ path: '/orders/:id', schema: Order, ...options });
  const lines = createResource({ path: '/lines/:id', schema: Line, ...options });
  const endpoints = [orders, lines];
  return { ...(await openPage(new Server(), device, { endpoints })), orders, lines };
}

/** An order that was created offline, with an edit of its second line, and a line that replaces its first. */
async function createOffline(): Promise<Page & { readonly shown: readonly Line[] }> {
  const { orders, lines, ...page } = await open();
  const { controller } = page;
  await controller.fetch(orders.getList);
  device.isOnline = false;
  await controller.fetch(orders.create, { lines: [{ text: 'a' }, { text: 'b' }] });
  const shown = controller.getResponse(orders.getList).data![0]!.lines;
  await controller.fetch(lines.partialUpdate, { id: shown[1]!.id }, { text: 'B' });
  await controller.fetch(lines.create, { text: 'c', replaces: shown[0]!.id });
  await controller.flush();
  return { ...page, shown };
}

const SENT = [
  ['POST', '/orders', { lines: [{ text: 'a' }, { text: 'b' }] }],
  ['PATCH', '/lines/l2', { text: 'B' }],
  ['POST', '/lines', { text: 'c', replaces: 'l1' }],
];

describe('mutations of what a queued create contains', () => {
  it('a nested entity is matched with that of the server although another one is removed before the create is sent', async () => {
    const { orders, lines, controller, box } = await open();
    await controller.fetch(orders.getList);
    device.isOnline = false;
    const { id } = await controller.fetch(orders.create, { lines: [{ text: 'a' }, { text: 'b' }] });
    const [, second] = controller.getResponse(orders.getList).data![0]!.lines;
    await controller.fetch(orders.partialUpdate, { id }, { lines: [second!.id] });
    await controller.fetch(lines.partialUpdate, { id: second!.id }, { text: 'B' });
    device.isOnline = true;
    await box.drain();
    expect(seen.slice(1)).toEqual([
      ['PATCH', '/orders/o1', { lines: ['l2'] }],
      ['PATCH', '/lines/l2', { text: 'B' }],
    ]);
    expect(controller.getResponse(orders.getList).data![0]!.lines).toMatchObject([{ id: 'l2', text: 'B' }]);
  });

  it('mutations of nested entities that it creates are shown, and sent with the pks of the server', async () => {
    const { controller, box, shown } = await createOffline();
    expect(shown.map(({ text }) => text)).toEqual(['a', 'b']);
    expect(controller.get(Line, { id: shown[1]!.id })).toMatchObject({ text: 'B' });
    device.isOnline = true;
    await box.drain();
    expect(seen).toEqual(SENT);
    expect(controller.get(Line, { id: shown[1]!.id })).toMatchObject({ id: 'l2', text: 'B' });
  });

  it('after a reload, they are shown and sent in the same way', async () => {
    const before = await createOffline();
    await before.leave();
    const { controller, box, orders } = await open();
    await controller.fetchIfStale(orders.getList);
    const [order] = controller.getResponse(orders.getList).data!;
    expect(order!.lines).toMatchObject([{ text: 'a' }, { text: 'B' }]);
    expect(order!.lines.map(({ id }) => id)).toEqual(before.shown.map(({ id }) => id));
    device.isOnline = true;
    await box.drain();
    expect(seen).toEqual(SENT);
  });

  it('a page that opens after the create was sent still knows their temporary pks', async () => {
    const { box, shown, leave } = await createOffline();
    device.isOnline = true;
    await box.drain();
    await leave();
    const { controller, lines } = await open();
    await controller.fetch(lines.partialUpdate, { id: shown[0]!.id }, { text: 'A' });
    expect(seen.at(-1)).toEqual(['PATCH', '/lines/l1', { text: 'A' }]);
  });

  it.each([false, true])(
    'the response to an update that adds a nested entity replaces what was read while it waited (after a reload: %s)',
    async (isReloaded) => {
      stored = [{ id: 'o1', lines: [{ id: 'l1', text: 'a' }] }];
      let page = await open();
      await page.controller.fetch(page.orders.getList);
      device.isOnline = false;
      await page.controller.fetch(page.orders.update, { id: 'o1' }, { lines: [created[0]!, { text: 'b' }] });
      await page.controller.flush();
      if (isReloaded) {
        await page.leave();
        page = await open();
      }
      device.now += 1;
      await page.controller.fetch(page.orders.getList);
      device.isOnline = true;
      await page.box.drain();
      expect(page.controller.getResponse(page.orders.getList).data![0]!.lines).toMatchObject(created);
    },
  );

  it('they are dead letters if the server has not created as many', async () => {
    created = created.slice(1);
    const { box, errors, shown } = await createOffline();
    device.isOnline = true;
    await box.drain();
    expect(seen).toEqual(SENT.slice(0, 1));
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_PK' }, { code: 'HF_OUTBOX_PK' }]);
    expect(shown.every(({ id }) => isTemporaryPk(id))).toBe(true);
  });
});

describe('mutations of what a queued bulk create contains', () => {
  it('a mutation of an entity that the server has not created is not sent for another one that it has created', async () => {
    const lines = createResource({
      path: '/lines/:id',
      schema: Line,
      optimistic: true,
      Endpoint: OrderEndpoint,
    }).extend((base) => ({
      createMany: base.create.extend({
        schema: [Line],
        body: [] as readonly { text: string }[],
        getOptimisticResponse: (_snapshot, sent) => sent,
        // The server rejects the first of them.
        fetchResponse: () => Promise.resolve(Response.json([{ id: 'l1', text: 'b' }])),
      }),
    }));
    const { controller, box, errors } = await openPage(new Server(), device, { endpoints: [lines] });
    await controller.fetch(lines.getList);
    device.isOnline = false;
    const [rejected] = await controller.fetch(lines.createMany, [{ text: 'a' }, { text: 'b' }]);
    await controller.fetch(lines.partialUpdate, { id: rejected!.id }, { text: 'A' });
    device.isOnline = true;
    await box.drain();
    expect(seen).toEqual([]);
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_PK' }]);
    expect(controller.getResponse(lines.getList).data).toMatchObject([{ id: 'l1', text: 'b' }]);
  });
});
