import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { RestEndpoint } from 'holdfast';
import { inBrowser, WEBKIT } from '../../support/userAgent.ts';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';

freshDatabases();
inBrowser(WEBKIT);

let server: Server;
let device: Device;
let bodies: string[];
beforeEach(() => {
  server = new Server();
  device = new Device();
  bodies = [];
});
afterEach(() => {
  jest.restoreAllMocks();
});

const setText = new RestEndpoint({
  urlPrefix: 'https://example.com',
  path: '/texts/:id',
  method: 'PUT',
  name: 'setText',
  body: new Blob(),
  async fetchResponse(_url: string, { body }: RequestInit) {
    bodies.push(await (body as Blob).text()); // what the test passes
    return new Response(null, { status: 204 });
  },
});

describe.each([
  ['with rows', true],
  ['in a database of its own', false],
])('in WebKit, where entries lie %s', (_, withStorage) => {
  const open = () => openPage(server, device, { withStorage, endpoints: [setText] });

  it('a mutation with a file is kept where the browser stores files, and sent after a reload', async () => {
    device.isOnline = false;
    const before = await open();
    await before.controller.fetch(setText, { id: '1' }, new Blob(['one']));
    await before.leave();

    const after = await open();
    expect(pending(after)).toEqual(['setText']);
    device.isOnline = true;
    expect(await after.box.drain()).toBe(true);
    expect(bodies).toEqual(['one']);
    expect([...before.errors, ...after.errors]).toEqual([]);
  });

  it('mutations with files never reach the database where the browser refuses files, and the app is notified once', async () => {
    const stored: unknown[] = [];
    const { put } = IDBObjectStore.prototype;
    jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value,
      key,
    ) {
      if (value instanceof Blob) throw new DOMException('Error preparing Blob/File data', 'UnknownError');
      stored.push(value);
      return put.call(this, value, key);
    });
    device.isOnline = false;
    const page = await open();
    const both = await Promise.allSettled(
      ['one', 'two'].map((text) => page.controller.fetch(setText, { id: '1' }, new Blob([text]))),
    );
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(page.errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
    expect(JSON.stringify(stored)).not.toContain('setText');

    device.isOnline = true;
    await page.controller.fetch(setText, { id: '1' }, new Blob(['three']));
    expect(bodies).toEqual(['three']);
    expect(page.errors).toHaveLength(1);
  });
});
