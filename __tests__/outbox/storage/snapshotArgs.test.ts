import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Device, freshDatabases, openPage, Server, type Page } from '../../support/outbox.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

/** A calendar day, as date libraries make them: fields of its own, and the JSON that a server gets. */
class Day {
  readonly $epoch: number;

  constructor(epoch: number) {
    this.$epoch = epoch;
  }

  toJSON(): string {
    return new Date(this.$epoch).toISOString().slice(0, 10);
  }
}

const NEW_YEAR = Date.UTC(2026, 0, 1);

/** Creates a note from any body. */
function create({ controller, notes }: Page, body: unknown): Promise<unknown> {
  return controller.fetch(notes.create, body as { text: string }); // as apps pass it in JavaScript
}

const sentBodies = (): unknown[] =>
  server.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('args that the app changes after the call', () => {
  it.each([
    ['offline', false],
    ['online', true],
  ])('a body that the app changes right after the call is sent as it was: %s', async (_, isOnline) => {
    const page = await openPage(server, device);
    device.isOnline = isOnline;
    const draft = { text: 'typed', tags: ['moss'] };
    const creating = create(page, draft);
    draft.text = '';
    draft.tags.length = 0;
    await creating;
    device.isOnline = true;
    await page.box.drain();
    expect(sentBodies()).toEqual([{ text: 'typed', tags: ['moss'] }]);
  });

  it('a form that the app changes after the call is sent as it was', async () => {
    const page = await openPage(server, device);
    device.isOnline = false;
    const form = new FormData();
    form.append('text', 'typed');
    form.append('photo', new File(['pixels'], 'moss.png', { type: 'image/png' }));
    await create(page, form);
    form.set('text', '');
    form.delete('photo');
    device.isOnline = true;
    await page.box.drain();
    const [sent] = sentBodies() as FormData[];
    expect(sent?.get('text')).toBe('typed');
    expect(sent?.get('photo')).toMatchObject({ name: 'moss.png', type: 'image/png', size: 6 });
  });

  it.each([
    ['filled again', (bytes: Uint8Array) => bytes.fill(9)],
    ['transferred to a worker', ({ buffer }: Uint8Array) => structuredClone(buffer, { transfer: [buffer] })],
  ])('a buffer that is %s after the call is sent as it was', async (_, change) => {
    const page = await openPage(server, device);
    device.isOnline = false;
    const recorded = [new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 3])] as const;
    await create(page, recorded[0]);
    await create(page, recorded[1].buffer);
    recorded.forEach(change);
    device.isOnline = true;
    await page.box.drain();
    const bodies = sentBodies() as [Uint8Array, ArrayBuffer];
    expect([[...bodies[0]], [...new Uint8Array(bodies[1])]]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });
});

describe('values with toJSON()', () => {
  it.each([
    ['an object of a date library', new Day(NEW_YEAR), '2026-01-01'],
    ['in a list', [new Day(NEW_YEAR)], ['2026-01-01']],
    ['a URL, which cannot be cloned', new URL('https://example.com/a?b'), 'https://example.com/a?b'],
    ['an object that holds others', { toJSON: () => ({ day: new Day(NEW_YEAR) }) }, { day: '2026-01-01' }],
    ['a Date', new Date(NEW_YEAR), '2026-01-01T00:00:00.000Z'],
  ])('a value with toJSON() is sent as its JSON after a reload: %s', async (_, due, expected) => {
    const page = await openPage(server, device);
    device.isOnline = false;
    await create(page, { text: 'one', due });
    await page.leave();
    const next = await openPage(server, device);
    device.isOnline = true;
    await next.box.drain();
    expect(sentBodies()).toEqual([{ text: 'one', due: expected }]);
  });

  it('a body with toJSON() is sent as its JSON, also when it replaces another by edit', async () => {
    const page = await openPage(server, device);
    device.isOnline = false;
    await create(page, { text: 'one' });
    const [entry] = page.box.status.get().pending;
    page.box.edit(entry?.key ?? '', [{ toJSON: () => ({ text: 'two', due: new Day(NEW_YEAR) }) }]);
    await page.leave();
    const next = await openPage(server, device);
    device.isOnline = true;
    await next.box.drain();
    expect(sentBodies()).toEqual([{ text: 'two', due: '2026-01-01' }]);
  });

  it('a created item joins the list whose param is an equal value with toJSON()', async () => {
    const page = await openPage(server, device);
    const { getList } = page.notes;
    const params = { due: new Day(NEW_YEAR) as never }; // as apps pass it in JavaScript
    page.controller.setResponse(getList, params, []);
    device.isOnline = false;
    await create(page, { text: 'one', due: new Day(NEW_YEAR) });
    expect(page.controller.getResponse(getList, params).data).toMatchObject([{ text: 'one' }]);
  });

  it('dates, buffers and maps stay what they are', async () => {
    const page = await openPage(server, device);
    device.isOnline = false;
    const body = { text: 'one', at: new Date(3), bytes: new Uint8Array([4]), votes: new Map([['a', 1]]) };
    await create(page, body);
    await page.leave();
    const next = await openPage(server, device);
    expect(next.box.status.get().pending[0]?.args).toEqual([body]);
  });
});

it('a buffer is queued and read without going through its bytes, of which there may be millions', async () => {
  const page = await openPage(server, device);
  await create(page, { text: 'one' });
  const walks = (['assign', 'entries', 'keys', 'values'] as const).map((name) => jest.spyOn(Object, name));
  device.isOnline = false;
  const bytes = new Uint8Array([1, 2, 3]);
  await page.controller.fetch(page.notes.update, { id: 1 }, bytes as unknown as { text: string }); // an upload
  await page.leave();
  const next = await openPage(server, device);
  const walked = walks
    .flatMap(({ mock }) => mock.calls.flat() as unknown[])
    .filter((value) => ArrayBuffer.isView(value));
  jest.restoreAllMocks();
  expect(walked).toEqual([]);
  device.isOnline = true;
  await next.box.drain();
  expect(server.seen.at(-1)).toMatchObject({ method: 'PUT', body: bytes });
});

it('a body that contains itself, or whose toJSON() throws, is rejected and blocks nothing', async () => {
  const page = await openPage(server, device);
  const cyclic: Record<string, unknown> = { text: 'cyclic' };
  cyclic['self'] = cyclic;
  const throwing = { text: { toJSON: () => JSON.parse('{') as unknown } };
  for (const body of [cyclic, throwing])
    await expect(create(page, body)).rejects.toMatchObject({ code: 'HF_OUTBOX_ARGS' });
  await create(page, { text: 'good' });
  expect(sentBodies()).toEqual([{ text: 'good' }]);
});
