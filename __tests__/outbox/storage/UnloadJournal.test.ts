/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../../support/outbox.ts';
import { silently } from '../../support/silently.ts';
import { turn, until } from '../../support/turns.ts';
import { DeviceLocks, MortalPage } from '../MortalPage.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  localStorage.clear();
  server = new Server();
  device = new Device();
  device.isOnline = false;
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Opens a page. The returned function sends `pagehide` to it, and to no other page of this window. */
async function unloadable<T>(open: () => Promise<T>): Promise<[T, unload: () => void]> {
  const { addEventListener } = globalThis;
  const listeners: ((event: Event) => void)[] = [];
  globalThis.addEventListener = (type: string, listener: unknown) => {
    if (type === 'pagehide') listeners.push(listener as (event: Event) => void); // as the library passes them
  };
  try {
    return [await open(), () => listeners.forEach((listener) => listener(new Event('pagehide')))];
  } finally {
    globalThis.addEventListener = addEventListener;
  }
}

const texts = ({ box }: Page): unknown[] =>
  box.status.get().entries.map(({ args }) => (args.at(-1) as { readonly text: string }).text);

describe.each([
  { kept: 'with the rows', withStorage: true },
  { kept: 'by the outbox itself', withStorage: false },
])('mutations kept $kept, of which the browser loses the last write of a page', ({ withStorage }) => {
  async function openMortal(): Promise<MortalPage> {
    const setting = { withStorage, withLocks: true };
    const page = new MortalPage(server, device, new DeviceLocks(), setting, { isHeard: false });
    await page.started;
    return page;
  }
  /** A page that calls mutations in its last task, of whose write only so many steps are done; by default none. */
  async function unloadDuring(
    last: (page: Page) => unknown,
    before: readonly string[] = [],
    steps = 1,
  ): Promise<void> {
    const [first, unload] = await unloadable(openMortal);
    const { page } = first;
    for (const text of before) await page.controller.fetch(page.notes.create, { text });
    first.dieAfter(steps);
    void last(page);
    unload();
    for (let nth = 0; nth < 50 && !first.isDead; nth++) await turn();
    first.kill();
  }
  const create =
    (...all: readonly string[]) =>
    ({ controller, notes }: Page): void => {
      // These promises never settle.
      for (const text of all) void controller.fetch(notes.create, { text });
    };
  const open = (): Promise<Page> => openPage(server, device, { withStorage });

  it('the next page shows a mutation that the page called as it unloaded, and sends it once and in order', async () => {
    await unloadDuring(create('two', 'three'), ['one']);
    const next = await open();
    expect(texts(next)).toEqual(['one', 'two', 'three']);
    device.isOnline = true;
    await until(() => pending(next).length === 0);
    expect(server.done).toEqual(['create one', 'create two', 'create three']);
    expect(localStorage).toHaveLength(0);
  });

  // Without a storage plugin, a reset that keeps the entries leaves nothing from which another tab could learn of it.
  const learnable = withStorage ? (['keep', 'discard'] as const) : (['discard'] as const);
  it.each(learnable)(
    'a tab that learns late of a reset (%s) sends what another page has called since',
    async (unsent) => {
      const second = await open();
      const [first, unload] = await unloadable(openMortal);
      const { page } = first;
      await page.controller.reset({ unsent });
      device.pass(1_000);
      first.dieAfter(1);
      create('one')(page);
      unload();
      for (let nth = 0; nth < 50 && !first.isDead; nth++) await turn();
      first.kill();
      device.pass(1_000);
      await second.controller.catchUp();
      if (withStorage) await until(() => second.errors.length > 0);
      device.isOnline = true;
      expect(await second.box.drain()).toBe(true);
      expect(server.done).toEqual(['create one']);
      expect(Object.values(localStorage).join()).not.toContain('one');
    },
  );

  it('the next page stores the mutation, and then removes it from localStorage', async () => {
    await unloadDuring(create('one'));
    const next = await open();
    await until(() => localStorage.length === 0);
    await next.leave();
    expect(texts(await open())).toEqual(['one']);
  });

  it('the next page has the last version of a mutation that was edited as the page unloaded', async () => {
    await unloadDuring(
      ({ box }) => box.edit(box.status.get().entries[0]!.key, [{ text: 'edited' }]),
      ['one'],
    );
    expect(texts(await open())).toEqual(['edited']);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'a mutation is sent once, however far its write had got when the page unloaded: %d steps',
    async (steps) => {
      await unloadDuring(create('one'), [], steps);
      device.isOnline = true;
      const next = await open();
      await until(() => pending(next).length === 0 && server.done.length > 0);
      await next.leave();
      const last = await open();
      expect(await last.box.drain()).toBe(true);
      expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
      expect(localStorage).toHaveLength(0);
    },
  );

  it('a reset deletes the mutations of pages that have unloaded', async () => {
    await unloadDuring(create('one'));
    const next = openPage(server, device, { withStorage });
    await (await next).controller.reset();
    expect(texts(await open())).toEqual([]);
  });

  it('the next page has a mutation that a page called as it unloaded, although the clock was set back since a reset', async () => {
    const first = await open();
    await first.controller.reset();
    await first.leave();
    device.now -= 3_600_000;
    await unloadDuring(create('one'));
    expect(texts(await open())).toEqual(['one']);
  });

  it('a page that unloads before it learns of a reset does not bring its mutations back', async () => {
    const other = await open();
    const [first, unload] = await unloadable(openMortal);
    first.dieAfter(1);
    create('before the reset')(first.page);
    device.now += 1_000;
    await other.controller.reset();
    unload();
    device.now += 1_000;
    expect(texts(await open())).toEqual([]);
  });

  it('a log-out that keeps mutations keeps those of pages that have unloaded', async () => {
    await unloadDuring(create('one'));
    const next = await open();
    await next.controller.reset({ unsent: 'keep' });
    await next.leave();
    expect(texts(await open())).toEqual(['one']);
  });

  it('an outbox of another name does not read the mutation', async () => {
    await unloadDuring(create('one'));
    expect(texts(await openPage(server, device, { withStorage, name: 'other' }))).toEqual([]);
    expect(texts(await openPage(server, device, { withStorage, scope: 'other' }))).toEqual([]);
    expect(texts(await open())).toEqual(['one']);
  });

  const fillDisk = (): void => {
    for (const method of ['add', 'put'] as const)
      jest.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
        throw new DOMException('full', 'QuotaExceededError');
      });
  };

  it('the next page sends a mutation that a full disk has rejected, and that was not answered before its page unloaded', async () => {
    device.isOnline = true;
    server.weather = () => 'never';
    const [mortal, unload] = await unloadable(openMortal);
    fillDisk();
    await silently(async () => {
      create('one')(mortal.page);
      await until(() => mortal.page.errors.some(({ message }) => message.includes('cannot be written')));
    });
    unload();
    mortal.kill();
    jest.restoreAllMocks();
    server.weather = () => 'fine';
    const next = await open();
    expect(await next.box.drain()).toBe(true);
    expect(server.done).toEqual(['create one']);
    expect(localStorage).toHaveLength(0);
  });

  it('a log-out deletes a mutation that a full disk has rejected, so that it is not in localStorage after it', async () => {
    device.isOnline = true;
    server.weather = () => 'never';
    const [mortal, unload] = await unloadable(openMortal);
    const { controller, notes, errors } = mortal.page;
    fillDisk();
    await silently(async () => {
      const created = controller.fetch(notes.create, { text: 'one' });
      await until(() => errors.some(({ message }) => message.includes('cannot be written')));
      unload();
      expect(Object.values(localStorage).join()).toContain('one');
      await Promise.all([
        expect(created).rejects.toThrow('reset'),
        controller.reset().catch(() => undefined), // which cannot be stored
      ]);
    });
    unload();
    expect(Object.values(localStorage).join()).not.toContain('one');
    mortal.kill();
  });

  it('a mutation that a full disk has rejected while offline, so that its caller was told, is not sent by the next page', async () => {
    const [mortal, unload] = await unloadable(openMortal);
    fillDisk();
    await silently(async () => {
      const created = mortal.page.controller.fetch(mortal.page.notes.create, { text: 'one' });
      unload();
      await expect(created).rejects.toThrow('nor queued');
    });
    unload();
    mortal.kill();
    jest.restoreAllMocks();
    expect(texts(await open())).toEqual([]);
    expect(localStorage).toHaveLength(0);
  });

  it('a large mutation, and a localStorage with damaged data, do no harm', async () => {
    await unloadDuring(create('x'.repeat(200_000)));
    expect(localStorage).toHaveLength(0);
    await unloadDuring(create('one'));
    localStorage.setItem(localStorage.key(0)!, '{');
    expect(texts(await open())).toEqual([]);
    expect(localStorage).toHaveLength(0);
  });
});

it('localStorage contains no mutation where the storage plugin encodes its records', async () => {
  const encode = (text: string): Promise<Uint8Array> => Promise.resolve(new TextEncoder().encode(text));
  const decode = (bytes: Uint8Array): Promise<string> => Promise.resolve(new TextDecoder().decode(bytes));
  const storage = new IndexedDBPluginImpl({ name: 'app', codec: { encode, decode } });
  const [page, unload] = await unloadable(() =>
    openPage(server, device, { withStorage: false, more: [storage] }),
  );
  const created = page.controller.fetch(page.notes.create, { text: 'secret' });
  unload();
  expect(localStorage).toHaveLength(0);
  await created;
});
