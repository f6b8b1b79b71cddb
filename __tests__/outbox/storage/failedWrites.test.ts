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
