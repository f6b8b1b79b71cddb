import { beforeEach, describe, expect, it } from '@jest/globals';
import { NetworkError } from 'holdfast';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import {
  Device,
  endpointsOf,
  Note,
  freshDatabases,
  openPage,
  pending,
  Server,
  type Page,
  type PageOptions,
  type Weather,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

async function open(options: PageOptions = {}): Promise<Page> {
  const page = await openPage(server, device, options);
  await page.controller.fetch(page.notes.getList);
  return page;
}

/** Every later mutation gets this response; reads do not. */
function weather(...each: Weather[]): void {
  server.weather = ({ method }) => (method === 'GET' ? 'fine' : (each.shift() ?? 'fine'));
}

const failed = ({ box }: Page) => box.status.get().failed;
/** How long the first one waits, in ms. */
const wait = ({ box }: Page): number => (box.status.get().pending[0]?.retryAt ?? 0) - device.now;

/** Waits until something holds, while timers that are due run. */
const later = (holds: () => boolean) => until(() => (device.pass(0), holds()));

const writes = () => server.seen.filter(({ method }) => method !== 'GET');

describe('transient failures', () => {
  it.each([
    ['no connection', 'down'],
    ['408', 408],
    ['425', 425],
    ['429', 429],
    ['500', 500],
    ['503', 503],
  ] as const)('a mutation is retried after %s', async (_, trouble) => {
    const page = await open();
    weather(trouble);
    const note = await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(String(note.id)).toMatch(/^optimistic-/);
    expect(pending(page)).toEqual(['Note.create']);
    expect(wait(page)).toBe(750); // half of a second is certain, the other half by chance
    device.now += 750;
    await later(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it.each(['in the page that sent it', 'after a reload'])(
    'a repeated response to a create does not undo what was received since (%s)',
    async (when) => {
      let page = await open();
      const isReloaded = when === 'after a reload';
      weather('lost', 'lost', ...(isReloaded ? (['down'] as const) : []));
      await page.controller.fetch(page.notes.create, { text: 'kept' });
      device.now += 750;
      await later(() => page.box.status.get().pending[0]?.attempts === 2);
      await page.controller.flush();
      if (isReloaded) {
        await page.leave();
        device.now += 1;
        page = await openPage(server, device);
        await later(() => page.box.status.get().pending[0]?.attempts === 3);
      }
      server.notes.get('1')!.text = 'changed by someone else';
      await page.controller.fetch(page.notes.getList);
      device.now += 60_000;
      await later(() => pending(page).length === 0);
      expect(page.texts()).toEqual(['changed by someone else']);
    },
  );

  it('a repeated response to a create does not bring back a row that was deleted since', async () => {
    const page = await open();
    weather('lost');
    await page.controller.fetch(page.notes.create, { text: 'deleted' });
    device.isOnline = false;
    await page.controller.fetch(page.notes.getList);
    server.notes.delete('1');
    await page.controller.fetch(page.notes.getList);
    expect(pending(page)).toEqual(['Note.create']);
    device.isOnline = true;
    await later(() => pending(page).length === 0);
    expect(page.texts()).toEqual([]);
  });

  it('a transient failure is retried after doubling delays while the page is hidden, and at once when the network returns', async () => {
    device.isVisible = false;
    const page = await open();
    weather('down', 'down', 'down', 'down');
    await page.controller.fetch(page.notes.create, { text: 'one' });
    const waits: number[] = [];
    for (const attempts of [1, 2, 3]) {
      await later(() => page.box.status.get().pending[0]?.attempts === attempts);
      waits.push(wait(page));
      device.now += wait(page);
    }
    expect(waits).toEqual([750, 1_500, 3_000]);
    await later(() => page.box.status.get().pending[0]?.attempts === 4);
    device.isOnline = false;
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it('while the page is visible, a retry waits no longer than a second and a half, or than the last attempt took', async () => {
    const page = await open();
    let duration = 0;
    server.weather = () => {
      device.now += duration;
      return 503;
    };
    void page.controller.fetch(page.notes.create, { text: 'one' });
    const waits: number[] = [];
    for (const attempts of [1, 2, 3, 4, 5, 6]) {
      await later(() => page.box.status.get().pending[0]?.attempts === attempts);
      waits.push(wait(page));
      device.now += wait(page);
      if (attempts === 4) duration = 8_000;
    }
    expect(waits).toEqual([750, 1_125, 1_125, 1_125, 8_000, 8_000]);
  });

  it('a mutation is retried at the time of Retry-After', async () => {
    const page = await open();
    weather(new Response(null, { status: 503, headers: { 'Retry-After': '7' } }));
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(wait(page)).toBe(7_000);
    weather(
      new Response(null, {
        status: 429,
        headers: { 'Retry-After': new Date(device.now + 20_000).toUTCString() },
      }),
    );
    device.now += 7_000;
    await later(() => page.box.status.get().pending[0]?.attempts === 2);
    expect(wait(page)).toBe(13_000);
  });

  it.each([1 / 3, 2 / 7])(
    'a mutation is not retried before its delay, which is rarely a whole number of ms (random: %d)',
    async (random) => {
      const page = await open({ random: () => random });
      weather(503);
      await page.controller.fetch(page.notes.create, { text: 'one' });
      await page.controller.flush();
      expect(writes()).toHaveLength(1);
      expect(wait(page)).toBeGreaterThan(0);
    },
  );

  it('a clock that is set back does not delay a retry', async () => {
    const page = await open();
    weather(503);
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await later(() => wait(page) === 750);
    device.now -= 3 * 3_600_000;
    device.isOnline = true; // as it was: it looks again
    await until(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it('a mutation that timed out is retried', async () => {
    const page = await open();
    server.weather = () => Promise.reject(new DOMException('Too slow', 'TimeoutError'));
    const note = await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(note.text).toBe('one');
    expect(pending(page)).toEqual(['Note.create']);
  });

  it('a mutation that is retried delays only its own queue', async () => {
    const page = await open({ queue: ({ name }) => name });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    weather('down');
    await page.controller.fetch(page.notes.create, { text: 'two' });
    await page.controller.fetch(page.notes.create, { text: 'three' });
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'one, edited' });
    expect(server.done).toEqual(['create one', 'edit one, edited']);
    expect(pending(page)).toEqual(['Note.create', 'Note.create']);
    device.now += 750;
    await later(() => pending(page).length === 0);
    expect(server.done.slice(2)).toEqual(['create two', 'create three']);
  });

  it('later changes of a row wait with one that waits for a create in another queue, and drain() sends all', async () => {
    const page = await open({ queue: ({ name }) => name });
    const { create, partialUpdate } = page.notes;
    await page.controller.fetch(create, { text: 'one' });
    server.weather = ({ method }) => (method === 'POST' ? 'down' : 'fine');
    const two = await page.controller.fetch(create, { text: 'two' });
    for (const about of [two.id, 1]) await page.controller.fetch(partialUpdate, { id: 1 }, { about });
    expect(server.done).toEqual(['create one']);
    server.weather = () => 'fine';
    expect(await page.box.drain()).toBe(true);
    expect(server.done).toEqual(['create one', 'create two', 'edit one', 'edit one']);
    expect(server.notes.get('1')?.about).toBe(1);
  });
});

describe('a lost answer', () => {
  it('a lost answer is sent again with the same key, so that it is done once', async () => {
    const page = await open();
    weather('lost');
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.leave();
    const next = await open();
    device.isOnline = false;
    device.isOnline = true;
    await until(() => pending(next).length === 0);
    expect(server.done).toEqual(['create one']);
    expect(writes().map(({ key }) => key)).toEqual([expect.any(String), writes()[0]!.key]);
    expect(next.texts()).toEqual(['one']);
  });

  it('the key can be turned off, or sent in another header', async () => {
    const none = await open({ idempotencyHeader: false });
    await none.controller.fetch(none.notes.create, { text: 'one' });
    const other = await open({ idempotencyHeader: 'X-Once', name: 'other' });
    await other.controller.fetch(other.notes.create, { text: 'two' });
    expect(writes().map(({ key }) => key)).toEqual([null, null]);
    expect(writes().map(({ headers }) => headers.has('X-Once'))).toEqual([false, true]);
  });
});

describe('mutations that the server rejects', () => {
  it('a rejected mutation rejects for its caller, and is not kept', async () => {
    const page = await open();
    weather(422);
    await expect(page.controller.fetch(page.notes.create, { text: 'one' })).rejects.toMatchObject({
      status: 422,
    });
    expect(page.box.status.get().entries).toEqual([]);
    expect(page.texts()).toEqual([]);
  });

  it('a rejected mutation cancels dependent mutations, which reject for their callers', async () => {
    const page = await open();
    let answer = (): void => undefined;
    server.weather = () => new Promise((resolve) => (answer = () => resolve(422)));
    const made = page.controller.fetch(page.notes.create, { text: 'one' });
    const [note] = page.controller.getResponse(page.notes.getList).data ?? [];
    const edited = page.controller.fetch(page.notes.partialUpdate, { id: note!.id }, { text: 'edited' });
    const told = Promise.allSettled([made, edited]);
    await until(() => page.box.status.get().sending.length === 1);
    answer();
    expect(await told).toMatchObject([
      { reason: { status: 422 } },
      { reason: { code: 'HF_OUTBOX_CANCELLED' } },
    ]);
    expect(page.box.status.get().entries).toEqual([]);
    expect(page.texts()).toEqual([]);
    expect(writes()).toHaveLength(1);
  });

  it('a rejected mutation whose caller is gone is dead-lettered, is not shown, and does not block the queue', async () => {
    const page = await open();
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.fetch(page.notes.create, { text: 'two' });
    weather(422);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(failed(page)).toMatchObject([
      { name: 'Note.create', args: [{ text: 'one' }], status: 'failed', error: { status: 422 } },
    ]);
    expect(page.texts()).toEqual(['two']);
  });

  it('a dead letter survives a reload, and can be retried, edited or discarded', async () => {
    const page = await open();
    device.isOnline = false;
    for (const text of ['one', 'two', 'three']) await page.controller.fetch(page.notes.create, { text });
    weather(422, 422, 422);
    device.isOnline = true;
    await until(() => failed(page).length === 3);
    await page.leave();

    const next = await open();
    const [one, two, three] = failed(next);
    expect(next.texts()).toEqual([]);
    next.box.retry(one!.key);
    expect(next.texts()).toEqual(['one']);
    await until(() => failed(next).length === 2 && pending(next).length === 0);
    expect(next.box.edit(two!.key, [{ text: 'two, corrected' }])).toBe(true);
    await until(() => failed(next).length === 1 && pending(next).length === 0);
    expect(next.box.discard(three!.key)).toBe(true);
    expect(server.done).toEqual(['create one', 'create two, corrected']);
    await next.leave();
    expect((await open()).box.status.get().entries).toEqual([]);
    // Another request to the server, not the one that it has refused.
    const [first, , , ...later] = writes().map(({ key }) => key);
    expect(later).toHaveLength(2);
    expect(later).not.toContain(first);
  });

  it('a dead letter keeps the response body after a reload, so that a form can show errors of fields', async () => {
    const page = await open();
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: '' });
    const body = { errors: { text: ["can't be blank"] } };
    const error = { reason: 'rejected', status: 422, message: expect.any(String), body };
    weather(Response.json(body, { status: 422 }));
    device.isOnline = true;
    await until(() => failed(page).length === 1);
    expect(failed(page)[0]?.error).toEqual(error);
    await page.leave();
    expect(failed(await open())[0]?.error).toEqual(error);
  });

  it('mutations that depend on a dead letter are hidden and not sent until it is created', async () => {
    const page = await open();
    device.isOnline = false;
    const made = await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.fetch(page.notes.partialUpdate, { id: made.id }, { text: 'one, edited' });
    await page.controller.fetch(page.notes.create, { text: 'two' });
    weather(422);
    device.isOnline = true;
    await until(() => failed(page).length === 1 && server.done.length === 1);
    expect(server.done).toEqual(['create two']);
    expect(page.texts()).toEqual(['two']);
    expect(pending(page)).toEqual(['Note.partialUpdate']);
    page.box.retry(failed(page)[0]!.key);
    expect(page.texts()).toEqual(['two', 'one, edited']);
    await until(() => pending(page).length === 0);
    expect(server.done.slice(1)).toEqual(['create one', 'edit one, edited']);
  });
});

describe('a conflict', () => {
  it.each([409, 412])('a conflict (%s) can be merged and sent again', async (status) => {
    const page = await open({
      onConflict: async (entry, response) => ({
        args: [{ text: `${entry.name} ${response?.status} merged` }],
      }),
    });
    weather(status);
    const note = await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(note.text).toBe(`Note.create ${status} merged`);
    expect(new Set(writes().map(({ key }) => key)).size).toBe(2);
  });

  it("onConflict can read the server's version, although reads wait for the queue", async () => {
    const page = await open({
      onConflict: async () => {
        // What is shown has ours on it; what the endpoint itself gives is theirs.
        expect(await page.controller.fetch(page.notes.get, { id: 1 })).toMatchObject({ text: 'ours' });
        const theirs = (await page.notes.get({ id: 1 })) as { text: string };
        return { args: [{ id: 1 }, { text: `${theirs.text} and ours` }] };
      },
    });
    await page.controller.fetch(page.notes.create, { text: 'theirs' });
    device.isOnline = false;
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'ours' });
    weather(409);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(server.notes.get('1')?.text).toBe('theirs and ours');
  });

  it('a conflict can be discarded, or left to the app', async () => {
    const page = await open({
      onConflict: ({ args }) => (JSON.stringify(args).includes('one') ? 'discard' : undefined),
    });
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.fetch(page.notes.create, { text: 'two' });
    weather(409, 409);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(failed(page)).toMatchObject([{ args: [{ text: 'two' }], error: { status: 409 } }]);
    expect(page.texts()).toEqual([]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('Not today'))],
    ['gives something else', () => Promise.resolve('retry')],
    ['gives args that are none', () => Promise.resolve({ args: 'abc' })],
    ['gives args that cannot be stored', () => Promise.resolve({ args: [{ text: () => 'two' }] })],
  ])('a conflict is a rejection if the hook %s, and the app is notified', async (_, hook) => {
    const onConflict = hook as NonNullable<PageOptions['onConflict']>; // as an app in JavaScript may have it
    const page = await open({ onConflict });
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.fetch(page.notes.create, { text: 'two' });
    weather(409);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(failed(page)).toMatchObject([{ args: [{ text: 'one' }], error: { status: 409 } }]);
    expect(server.done).toEqual(['create two']);
    expect(page.errors).toMatchObject([{ code: 'HF_PLUGIN' }]);
  });

  it.each([
    ['nothing', undefined],
    ['args made from the former ones', { args: [{ text: 'one, merged' }] }],
    ['a discard', 'discard' as const],
  ])('an edit while onConflict decides is sent, although the hook returns %s', async (_, resolution) => {
    const page: Page = await open({
      onConflict: (entry) => {
        page.box.edit(entry.key, [{ text: 'edited' }]);
        return resolution;
      },
    });
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    weather(409);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(failed(page)).toEqual([]);
    expect(server.done).toEqual(['create edited']);
  });

  it('a conflict is a rejection if the hook returns null', async () => {
    const page = await open({ onConflict: () => null as unknown as undefined }); // as an app in JavaScript may have it
    weather(409);
    await expect(page.controller.fetch(page.notes.create, { text: 'one' })).rejects.toMatchObject({
      status: 409,
    });
    expect(page.errors).toEqual([]);
  });

  it('a conflict that never ends counts as rejected', async () => {
    const page = await open({ onConflict: (entry) => ({ args: entry.args }) });
    server.weather = ({ method }) => (method === 'GET' ? 'fine' : 409);
    await expect(page.controller.fetch(page.notes.create, { text: 'one' })).rejects.toMatchObject({
      status: 409,
    });
    expect(writes()).toHaveLength(11);
  });
});

describe('both versions of a conflict', () => {
  const theirs = { id: 1, text: 'theirs', version: 2 };

  /** One that was made offline and has met a newer version of the note. */
  async function conflict(options: PageOptions = {}): Promise<Page> {
    const page = await open(options);
    await page.controller.fetch(page.notes.create, { text: 'first' });
    device.isOnline = false;
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'ours' });
    weather(Response.json(theirs, { status: 409 }));
    device.isOnline = true;
    await until(() => failed(page).length === 1);
    return page;
  }

  const entryOf = (page: Page) => page.box.status.get().entries[0]!;

  it('both versions are kept over a reload until a person decides', async () => {
    const page = await conflict();
    expect(page.texts()).toEqual(['first']);
    await page.leave();
    const next = await open();
    expect(entryOf(next)).toMatchObject({
      status: 'conflict',
      args: [{ id: 1 }, { text: 'ours' }],
      theirs,
      error: { reason: 'conflict', status: 409 },
    });
    expect(next.box.status.get()).toMatchObject({ pending: [], failed: [{ status: 'conflict' }] });
  });

  it("'theirs' drops ours and shows the server's version without a request", async () => {
    const page = await conflict();
    const requests = server.seen.length;
    expect(page.box.resolve(entryOf(page).key, 'theirs')).toBe(true);
    expect(page.texts()).toEqual(['theirs']);
    expect(page.box.status.get().entries).toEqual([]);
    expect(server.seen).toHaveLength(requests);
    await page.leave();
    expect((await open()).box.status.get().entries).toEqual([]);
  });

  it.each([
    ['was received', 'newer'],
    ['was written here', 'newer'],
    ['was deleted', undefined],
  ])(
    "'theirs' shows no older version than the one that %s since, also after a reload",
    async (how, shown) => {
      let page = await conflict();
      const { controller, notes } = page;
      if (how === 'was deleted') await controller.fetch(notes.delete, { id: 1 });
      else if (how === 'was received') {
        server.notes.set('1', { id: 1, text: 'newer' });
        await controller.fetch(notes.get, { id: 1 });
      } else await controller.fetch(notes.partialUpdate, { id: 1 }, { text: 'newer' });
      await page.leave();
      page = await open();
      await page.controller.fetchIfStale(page.notes.getList);
      expect(page.box.resolve(entryOf(page).key, 'theirs')).toBe(true);
      expect(page.controller.get(Note, { id: 1 })?.text).toBe(shown);
      expect(page.box.status.get().entries).toEqual([]);
    },
  );

  it("'theirs' shows no older version than the one that only the disk has", async () => {
    const rename = endpointsOf(server).get.extend({ name: 'rename', method: 'PATCH' });
    const disk = () => new IndexedDBPluginImpl({ name: 'app', restore: 'lazy' });
    const openLazy = () =>
      openPage(server, device, { withStorage: false, more: [disk()], endpoints: [rename] });
    let page = await openLazy();
    await page.controller.fetch(page.notes.create, { text: 'first' });
    device.isOnline = false;
    await page.controller.fetch(rename, { id: 1 });
    weather(Response.json(theirs, { status: 409 }));
    device.isOnline = true;
    await until(() => failed(page).length === 1);
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'newer' });
    await page.leave();
    page = await openLazy();
    expect(page.controller.get(Note, { id: 1 })).toBeUndefined();
    expect(page.box.resolve(entryOf(page).key, 'theirs')).toBe(true);
    await page.controller.flush();
    expect(page.controller.get(Note, { id: 1 })?.text).toBe('newer');
    await page.leave();
    page = await openPage(server, device);
    await page.controller.fetchIfStale(page.notes.get, { id: 1 });
    expect(page.controller.get(Note, { id: 1 })?.text).toBe('newer');
  });

  it("'theirs' of another form than the row drops ours", async () => {
    const page = await conflict({ onConflict: () => ({ theirs: [theirs] }) });
    expect(entryOf(page).theirs).toEqual([theirs]);
    expect(page.box.resolve(entryOf(page).key, 'theirs')).toBe(true);
    expect(page.texts()).toEqual(['first']);
  });

  it("'mine' sends ours again, with a key of its own", async () => {
    const page = await conflict();
    expect(page.box.resolve(entryOf(page).key, 'mine')).toBe(true);
    expect(page.texts()).toEqual(['ours']);
    await until(() => page.box.status.get().entries.length === 0);
    expect(server.notes.get('1')?.text).toBe('ours');
    const [refused, sent] = writes().slice(-2);
    expect(sent!.body).toEqual(refused!.body);
    expect(sent!.key).not.toBe(refused!.key);
  });

  it("'mine' sends the args that onConflict has prepared, also after a reload", async () => {
    const page = await conflict({
      onConflict: async ({ args }, response) => {
        const current = (await response?.json()) as typeof theirs;
        const [params, ours] = args as [object, object];
        return { theirs: current, mine: [params, { ...ours, version: current.version }] };
      },
    });
    await page.leave();
    const next = await open();
    expect(entryOf(next)).toMatchObject({ args: [{ id: 1 }, { text: 'ours' }], theirs });
    expect(next.box.resolve(entryOf(next).key, 'mine')).toBe(true);
    await until(() => next.box.status.get().entries.length === 0);
    expect(writes().at(-1)?.body).toEqual({ text: 'ours', version: 2 });
  });

  it('other args are sent in place of both', async () => {
    const page = await conflict();
    expect(page.box.resolve(entryOf(page).key, [{ id: 1 }, { text: 'ours and theirs' }])).toBe(true);
    await until(() => page.box.status.get().entries.length === 0);
    expect(server.notes.get('1')?.text).toBe('ours and theirs');
  });

  it('a second conflict replaces the version of the first', async () => {
    const page = await conflict();
    weather(Response.json({ ...theirs, version: 3 }, { status: 412 }));
    page.box.resolve(entryOf(page).key, 'mine');
    await until(() => failed(page).length === 1);
    expect(entryOf(page)).toMatchObject({ status: 'conflict', theirs: { version: 3 } });
  });

  it('nothing but a conflict can be resolved', async () => {
    const page = await open();
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(page.box.resolve(entryOf(page).key, 'theirs')).toBe(false);
    expect(page.box.resolve('none', 'mine')).toBe(false);
    expect(pending(page)).toEqual(['Note.create']);
  });

  it('a version that cannot be stored is reported, and the body of the response is kept', async () => {
    const page = await conflict({ onConflict: () => ({ theirs: () => undefined }) });
    expect(entryOf(page).theirs).toEqual(theirs);
    expect(page.errors).toMatchObject([{ code: 'HF_PLUGIN' }]);
  });
});

it('a mutation that is too large for the server is a dead letter with that reason, and can be edited', async () => {
  const page = await open();
  device.isOnline = false;
  await page.controller.fetch(page.notes.create, { text: 'long' });
  weather(413);
  device.isOnline = true;
  await until(() => failed(page).length === 1);
  expect(failed(page)).toMatchObject([{ status: 'failed', error: { reason: 'too-large', status: 413 } }]);
  page.box.edit(failed(page)[0]!.key, [{ text: 'short' }]);
  await until(() => page.box.status.get().entries.length === 0);
  expect(server.done).toEqual(['create short']);
});

describe('discarding a mutation', () => {
  it('discarding a mutation removes its optimistic values, and the mutations that depend on it', async () => {
    const page = await open();
    device.isOnline = false;
    const made = await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.fetch(page.notes.partialUpdate, { id: made.id }, { text: 'edited' });
    await page.controller.fetch(page.notes.create, { text: 'two', about: made.id });
    await page.controller.fetch(page.notes.create, { text: 'three' });
    expect(page.texts()).toEqual(['edited', 'two', 'three']);
    const [first] = page.box.status.get().pending;
    expect(page.box.discard(first!.key)).toBe(true);
    expect(page.texts()).toEqual(['three']);
    expect(pending(page)).toEqual(['Note.create']);
    expect(page.box.discard(first!.key)).toBe(false);
  });

  it('removing a mutation rejects the promises of its dependent mutations', async () => {
    const page = await open();
    weather('down');
    const made = await page.controller.fetch(page.notes.create, { text: 'one' });
    // Both have a network, and so may wait for an answer; the first has got none.
    const edited = page.controller.fetch(page.notes.partialUpdate, { id: made.id }, { text: 'edited' });
    const about = page.controller.fetch(page.notes.create, { text: 'two', about: made.id });
    const told = Promise.allSettled([edited, about]);
    expect(page.box.discard(page.box.status.get().pending[0]!.key)).toBe(true);
    expect(await told).toMatchObject([
      { status: 'rejected', reason: { code: 'HF_OUTBOX_CANCELLED' } },
      { status: 'rejected', reason: { code: 'HF_OUTBOX_CANCELLED' } },
    ]);
    expect(page.texts()).toEqual([]);
    expect(page.box.status.get().entries).toEqual([]);
    await page.leave();
    expect((await open()).box.status.get().entries).toEqual([]);
  });

  it('a mutation that is being sent cannot be discarded', async () => {
    const page = await open();
    let letGo = (): void => undefined;
    server.weather = () => new Promise((resolve) => (letGo = () => resolve('fine')));
    const fetched = page.controller.fetch(page.notes.create, { text: 'one' });
    await until(() => page.box.status.get().sending.length === 1);
    const { key } = page.box.status.get().sending[0]!;
    expect(page.box.discard(key)).toBe(false);
    expect(page.box.edit(key, [{ text: 'other' }])).toBe(false);
    letGo();
    expect(await fetched).toMatchObject({ id: 1, text: 'one' });
  });
});

describe('a mutation that cannot be stored', () => {
  it.each(['waits', 'is a dead letter'])(
    'an edit that cannot be stored leaves a mutation that %s as it is',
    async (state) => {
      const page = await open();
      device.isOnline = false;
      await page.controller.fetch(page.notes.create, { text: 'one' });
      if (state !== 'waits') {
        weather(422);
        device.isOnline = true;
        await until(() => failed(page).length === 1);
      }
      const [entry] = page.box.status.get().entries;
      const edit = () => page.box.edit(entry!.key, [{ text: () => 'two' }]);
      expect(edit).toThrow(expect.objectContaining({ code: 'HF_OUTBOX_ARGS' }));
      expect(page.box.status.get().entries).toEqual([entry]);
    },
  );

  it('a mutation with args that cannot be stored rejects before anything is sent or shown', async () => {
    const page = await open();
    const text = (() => 'one') as unknown as string;
    await expect(page.controller.fetch(page.notes.create, { text })).rejects.toMatchObject({
      code: 'HF_OUTBOX_ARGS',
    });
    expect(writes()).toEqual([]);
    expect(page.texts()).toEqual([]);
  });

  it('a mutation that cannot be stored is sent all the same where only the disk fails, but never said to be queued', async () => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    const page = await open();
    expect(await page.controller.fetch(page.notes.create, { text: 'one' })).toMatchObject({ id: 1 });
    device.isOnline = false;
    await expect(page.controller.fetch(page.notes.create, { text: 'two' })).rejects.toMatchObject({
      status: 0,
    });
    expect(page.texts()).toEqual(['one']);
    expect(page.errors.map(({ code }) => code)).toContain('HF_STORAGE');
  });
});

it('an outbox that cannot store anything can be stopped', async () => {
  Reflect.deleteProperty(globalThis, 'indexedDB');
  const page = await open();
  device.isOnline = false;
  await page.controller.fetch(page.notes.create, { text: 'one' }).catch(() => undefined);
  await expect(page.controller.stop()).resolves.toBeUndefined();
});

describe('a reset', () => {
  it('a reset succeeds without IndexedDB', async () => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    const page = await open({ withStorage: false });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await expect(page.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    await page.controller.reset();
    await page.controller.flush();
    expect(page.texts()).toBeUndefined();
  });

  it('a reset drops pending mutations, also on disk, and rejects their promises', async () => {
    const page = await open();
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    device.isOnline = true;
    server.weather = () => new Promise(() => undefined);
    const fetched = page.controller.fetch(page.notes.create, { text: 'two' });
    const rejected = expect(fetched).rejects.toMatchObject({ code: 'HF_RESET' });
    await page.controller.reset();
    await rejected;
    expect(page.box.status.get().entries).toEqual([]);
    await page.leave();
    server.weather = () => 'fine';
    expect((await open()).box.status.get().entries).toEqual([]);
    expect(server.done).toEqual([]);
  });
});

describe('a deletion of what the server no longer has', () => {
  async function withNote(): Promise<Page> {
    // So that the server cannot repeat a lost response.
    const page = await open({ idempotencyHeader: false });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(page.texts()).toEqual(['one']);
    return page;
  }

  it('a deletion with a 404 is done if the response to an earlier attempt was lost', async () => {
    const page = await withNote();
    weather('lost');
    await page.controller.fetch(page.notes.delete, { id: 1 });
    expect(server.done).toEqual(['create one', 'delete one']);
    device.now += 750;
    await later(() => pending(page).length === 0);
    expect(writes().map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
    expect(failed(page)).toEqual([]);
    expect(page.texts()).toEqual([]);
    expect(page.controller.get(page.notes.get.schema, { id: 1 })).toBeUndefined();
  });

  it.each([429, 401])(
    'a deletion with a 404 is done if a response was lost, and a later attempt got a %i',
    async (status) => {
      const page = await withNote();
      weather('lost', status);
      await page.controller.fetch(page.notes.delete, { id: 1 });
      device.now += 750;
      await later(() => page.box.status.get().pending[0]?.attempts === 2);
      device.now += 60_000;
      await page.box.resume();
      await later(() => pending(page).length === 0);
      expect(writes().map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE', 'DELETE']);
      expect(failed(page)).toEqual([]);
      expect(page.texts()).toEqual([]);
    },
  );

  it('a deletion with a 404 is done if an earlier page ended before the response', async () => {
    const page = await withNote();
    weather('never');
    void page.controller.fetch(page.notes.delete, { id: 1 });
    await later(() => page.box.status.get().pending[0]?.status === 'sending');
    await page.controller.flush();
    await page.leave();
    server.notes.delete('1');
    const next = await openPage(server, device, { idempotencyHeader: false });
    await later(() => pending(next).length === 0);
    expect(failed(next)).toEqual([]);
    expect(writes().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(next.controller.get(Note, { id: 1 })).toBeUndefined();
  });

  it('a deletion with a 410 is done', async () => {
    const page = await withNote();
    weather(410);
    await page.controller.fetch(page.notes.delete, { id: 1 });
    expect(failed(page)).toEqual([]);
    expect(page.texts()).toEqual([]);
  });

  it('a deletion with a 404 fails if no response was lost', async () => {
    const page = await withNote();
    weather(404);
    await expect(page.controller.fetch(page.notes.delete, { id: 1 })).rejects.toMatchObject({ status: 404 });
    expect(page.texts()).toEqual(['one']);
  });

  it('other mutations with a 404 fail, even if a response was lost', async () => {
    const page = await withNote();
    weather('lost', 404);
    await page.controller.fetch(page.notes.update, { id: 1 }, { id: 1, text: 'two' });
    device.now += 750;
    await later(() => failed(page).length === 1);
    expect(failed(page)).toMatchObject([{ name: 'Note.update' }]);
  });
});

describe('an error of the app after the response', () => {
  it.each([
    ['V8', "Cannot read properties of undefined (reading 'id')"],
    ['SpiderMonkey', 'value.data is undefined'],
    ['JavaScriptCore', "undefined is not an object (evaluating 'value.data.id')"],
  ])(
    'a mutation whose response the app cannot process, as %s says it, is not sent again',
    async (_, message) => {
      const page = await open();
      const create = page.notes.create.extend({
        process: () => {
          throw new TypeError(message);
        },
      });
      await expect(page.controller.fetch(create, { text: 'one' })).rejects.toThrow(message);
      expect(pending(page)).toEqual([]);
      expect(server.done).toEqual(['create one']);
    },
  );

  it('a connection that breaks while the app reads the response is a connection problem', async () => {
    const page = await open();
    let attempts = 0;
    const create = page.notes.create.extend({
      process: (value: unknown) => {
        attempts += 1;
        if (attempts === 1) throw new TypeError('Failed to fetch');
        return value;
      },
    });
    await page.controller.fetch(create, { text: 'one' });
    expect(pending(page)).toEqual(['Note.create']);
    device.now += 750;
    await later(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it('an error of the app before the request does not make the mutation fail', async () => {
    const page = await open();
    const session: { token?: { readonly text: string } } = {};
    const create = page.notes.create.extend({
      getHeaders: (headers: Record<string, string>) => ({ ...headers, Authorization: session.token!.text }),
    });
    await page.controller.fetch(create, { text: 'one' });
    expect(pending(page)).toEqual(['Note.create']);
    session.token = { text: 'secret' };
    device.now += 750;
    await later(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it('an error of the app before the request is reported if the API answers other requests in between', async () => {
    const page = await open();
    const { controller, box, errors } = page;
    const create = page.notes.create.extend({
      getHeaders() {
        throw new TypeError("Cannot read properties of undefined (reading 'token')");
      },
    });
    await controller.fetch(create, { text: 'one' });
    for (const count of [2, 3]) {
      expect(errors).toEqual([]);
      await controller.fetch(page.notes.getList);
      device.now += 30_000;
      await later(() => box.status.get().entries[0]?.attempts === count);
    }
    expect(box.status.get()).toMatchObject({ state: 'blocked', pending: [{ status: 'blocked' }] });
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_BLOCKED' }]);
    for (const part of ['Note.create', "reading 'token'", 'edit()', 'discard()'])
      expect(errors[0]?.message).toContain(part);
  });

  it('a body that JSON cannot encode rejects, and does not block the queue', async () => {
    const page = await open();
    const body = { text: 'one', size: 10n };
    await expect(page.controller.fetch(page.notes.create, body)).rejects.toThrow('BigInt');
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, body);
    await page.controller.fetch(page.notes.create, { text: 'two' });
    device.isOnline = true;
    await later(() => pending(page).length === 0);
    expect(server.done).toEqual(['create two']);
    expect(failed(page)).toMatchObject([{ args: [body], error: { reason: 'error' } }]);
  });
});

describe('an API that responds 200 to failures', () => {
  /** A `process` that throws what the body says, as the guide suggests. */
  const statuses: Readonly<Record<string, number>> = { invalid_auth: 401, ratelimited: 429, too_long: 422 };

  const failing = ({ notes }: Page, ...problems: (string | undefined)[]) =>
    notes.create.extend({
      process(value: unknown) {
        const error = problems.shift();
        if (error === undefined) return value;
        throw new NetworkError(error, {
          status: statuses[error]!,
          url: 'https://example.com/notes',
          method: 'POST',
        });
      },
    });

  it('a failure that process throws as a 401 waits for a sign-in', async () => {
    const page = await open();
    await page.controller.fetch(failing(page, 'invalid_auth'), { text: 'one' });
    expect(page.box.status.get()).toMatchObject({ state: 'needs-auth', pending: [{ status: 'needs-auth' }] });
    void page.box.resume();
    await later(() => pending(page).length === 0);
    expect(failed(page)).toEqual([]);
  });

  it('a failure that process throws as a 429 is retried', async () => {
    const page = await open();
    await page.controller.fetch(failing(page, 'ratelimited'), { text: 'one' });
    expect(page.box.status.get().pending).toMatchObject([{ error: { reason: 'rate-limited' } }]);
    device.now += 1_000;
    await later(() => pending(page).length === 0);
    expect(failed(page)).toEqual([]);
  });

  it('a failure that process throws as a 422 rejects for its caller', async () => {
    const page = await open();
    const saving = page.controller.fetch(failing(page, 'too_long'), { text: 'one' });
    await expect(saving).rejects.toMatchObject({ status: 422 });
    expect(pending(page)).toEqual([]);
    expect(page.texts()).toEqual([]);
  });
});
