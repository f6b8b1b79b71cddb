import { afterEach, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import {
  Device,
  endpointsOf,
  freshDatabases,
  Note,
  openPage,
  pending,
  Server,
} from '../../support/outbox.ts';
import { silently } from '../../support/silently.ts';

freshDatabases();
afterEach(() => {
  jest.restoreAllMocks();
});

function fillDisk(): void {
  for (const method of ['add', 'put'] as const)
    jest.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
}

it.each([
  ['with the rows', true],
  ['in a database of its own', false],
])(
  'mutations that a full disk rejects are reported once, until one is stored (%s)',
  async (_, withStorage) => {
    const device = new Device();
    const page = await openPage(new Server(), device, { withStorage });
    const { controller, notes } = page;
    const reports = (): number =>
      page.errors.filter(({ message }) => message.includes('outbox cannot be written')).length;
    device.isOnline = false;
    for (const times of [1, 2]) {
      fillDisk();
      await silently(async () => {
        for (const text of ['one', 'two', 'three'])
          await expect(controller.fetch(notes.create, { text })).rejects.toThrow('nor queued');
      });
      expect(reports()).toBe(times);
      jest.restoreAllMocks();
      await controller.fetch(notes.create, { text: 'stored' });
      expect(pending(page)).toHaveLength(times);
    }
  },
);

it('a mutation is stored although cached data does not fit on the disk', async () => {
  const server = new Server();
  server.notes.set('1', { id: 1, text: 'large '.repeat(2_000) });
  const device = new Device();
  const page = await openPage(server, device);
  const { controller, notes, box } = page;
  const { put, add } = IDBObjectStore.prototype;
  for (const [method, write] of Object.entries({ put, add }))
    jest.spyOn(IDBObjectStore.prototype, method as 'put').mockImplementation(function limited(
      this: IDBObjectStore,
      value: unknown,
      key,
    ) {
      if (JSON.stringify(value).length > 5_000) throw new DOMException('full', 'QuotaExceededError');
      return write.call(this, value, key);
    });
  await silently(async () => {
    await controller.fetch(notes.getList);
    device.isOnline = false;
    await controller.fetch(notes.create, { text: 'one' });
    box.edit(box.status.get().pending[0]!.key, [{ text: 'two' }]);
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
  });
  expect(page.errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
  const other = await openPage(server, device);
  expect(other.box.status.get().pending.map(({ args }) => args)).toEqual([[{ text: 'two' }]]);
  jest.restoreAllMocks();
  await controller.flush();
  const last = await openPage(server, device);
  expect((await last.controller.fetchIfStale(notes.getList))[0]?.text).toMatch(/^large/);
});

it('a mutation is stored although the persist function of the app throws for a row', async () => {
  const device = new Device();
  device.isOnline = false;
  const notes = endpointsOf(new Server());
  const box = outbox({ endpoints: [notes] });
  const persist = (): never => {
    throw new TypeError('of the app');
  };
  const controller = new Controller({
    plugins: [indexedDB({ name: 'app', persist, onError: () => undefined }), box],
    environment: device,
    schedule: device.schedule,
    now: () => device.now,
  });
  await controller.ready;
  controller.set(Note, { id: 1 }, { id: 1, text: 'a row' });
  await controller.fetch(notes.create, { text: 'queued' });
  await expect(controller.stop()).rejects.toMatchObject({ code: 'HF_PLUGIN' });
  const page = await openPage(new Server(), device);
  expect(page.box.status.get().pending.map(({ args }) => args)).toEqual([[{ text: 'queued' }]]);
});
