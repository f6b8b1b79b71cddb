import { beforeEach, describe, expect, it } from '@jest/globals';
import { DeviceLocks } from './MortalPage.ts';
import { Device, freshDatabases, openPage, Server } from '../support/outbox.ts';

freshDatabases();

let server: Server;
let device: Device;
beforeEach(() => {
  server = new Server();
  device = new Device();
});

describe.each([
  ['Web Locks', () => new DeviceLocks()],
  ['a lease', () => undefined],
])('with %s', (_, makeLocks) => {
  it.each([
    ['with the rows', true],
    ['in a database of its own', false],
  ])(
    'stop() at any moment lets the next page send at once, with mutations kept %s',
    async (__, withStorage) => {
      for (let turns = 0; turns < 12; turns += 1) {
        const options = { withStorage, parts: { locks: makeLocks() }, name: `box ${turns}` };
        server.weather = () => 'never';
        const first = await openPage(server, device, options);
        first.controller.fetch(first.notes.create, { text: `note ${turns}` }).catch(() => undefined);
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        await first.controller.stop();

        server.weather = () => 'fine';
        const second = await openPage(server, device, options);
        // The time of this device stands still, so a lease that was left would never end.
        expect({ turns, isSent: await second.box.drain() }).toEqual({ turns, isSent: true });
        await second.controller.stop();
      }
    },
  );

  it.each([
    ['with the rows', true],
    ['in a database of its own', false],
  ])(
    'stop() while the stored mutations are read reports no error, with mutations kept %s',
    async (__, withStorage) => {
      const errors: unknown[] = [];
      const options = {
        withStorage,
        parts: { locks: makeLocks() },
        onError: (error: unknown) => errors.push(error),
      };
      device.isOnline = false;
      const first = await openPage(server, device, options);
      await first.controller.fetch(first.notes.create, { text: 'note' });
      await first.controller.stop();
      for (let turns = 0; turns < 12; turns += 1) {
        const page = await openPage(server, device, options);
        void page.controller.catchUp().catch(() => undefined);
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        await page.controller.stop();
        await turnsPass();
      }
      expect(errors).toEqual([]);
    },
  );
});

/** Lets what a stopped page had begun end. */
async function turnsPass(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
