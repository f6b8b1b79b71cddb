import { expect, it } from '@jest/globals';
import { Controller } from 'holdfast';
import { aesGcm, indexedDB } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { Device, endpointsOf, freshDatabases, Server } from '../../support/outbox.ts';

freshDatabases();

const createKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

it.each([
  ['once it has started', true],
  ['while it starts', false],
])('mutations stay on disk when a page with a wrong key queues others: %s', async (_, isStarted) => {
  const device = new Device();
  device.isOnline = false;
  const codes = new Set<string>();
  const onError = ({ code }: { readonly code: string }): void => void codes.add(code);
  const open = (key: CryptoKey) => {
    const notes = endpointsOf(new Server());
    const box: OutboxPlugin = outbox({ endpoints: [notes], onError });
    const controller = new Controller({
      plugins: [indexedDB({ name: 'app', codec: aesGcm(key), onError }), box],
      environment: device,
      schedule: device.schedule,
      now: () => device.now,
    });
    return { notes, box, controller };
  };
  const [right, wrong] = [await createKey(), await createKey()];
  const first = open(right);
  await first.controller.fetch(first.notes.create, { text: 'of the right key' });
  await first.controller.stop();
  expect([...codes]).toEqual([]);

  const second = open(wrong);
  if (isStarted) await second.controller.ready;
  const queued = second.controller.fetch(second.notes.create, { text: 'of the wrong key' });
  await expect(queued).rejects.toThrow('could neither be sent nor queued');
  expect(await second.box.drain()).toBe(false);
  expect([...codes]).toEqual(['HF_STORAGE']);
  await second.controller.stop();

  const third = open(right);
  await third.controller.ready;
  expect(third.box.status.get().pending.map(({ args }) => args)).toEqual([[{ text: 'of the right key' }]]);
  await third.controller.stop();
});
