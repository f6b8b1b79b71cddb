import { afterEach, expect, it } from '@jest/globals';
import { Device, freshDatabases, openPage, pending, Server, type Page } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();
const { any } = AbortSignal;
afterEach(() => void Object.assign(AbortSignal, { any }));

/** A server whose requests follow their signal, as those of `fetch` do. */
function abortableServer(): Server {
  const server = new Server();
  const { respond } = server;
  return Object.assign(server, {
    respond: (url: string, init: RequestInit): Promise<Response> =>
      new Promise((resolve, reject) => {
        const { signal } = init;
        const abort = (): void => reject(signal?.reason as Error); // as given to abort()
        if (signal?.aborted === true) abort();
        else {
          signal?.addEventListener('abort', abort);
          respond(url, init).then(resolve, reject);
        }
      }),
  });
}

const lateReason = new DOMException('signal timed out', 'TimeoutError');

function create({ controller, notes }: Page, text: string, { signal }: AbortController) {
  return controller.fetch(notes.create.extend({ signal }), { text });
}

it('a mutation whose own signal has timed out is sent again, and does not block the queue', async () => {
  const [server, device, caller] = [abortableServer(), new Device(), new AbortController()];
  const page = await openPage(server, device);
  server.weather = () => 'never';
  const created = create(page, 'one', caller);
  await until(() => page.box.status.get().sending.length === 1);
  await turn();
  caller.abort(lateReason);
  expect((await created).text).toBe('one');
  expect(page.box.status.get().pending[0]?.error?.reason).toBe('timeout');
  server.weather = () => 'fine';
  await page.box.drain();
  await page.controller.fetch(page.notes.create, { text: 'two' });
  expect(server.done).toEqual(['create one', 'create two']);
});

it('an abort after fetch has resolved offline, as of an unmounted component, does not reject the mutation', async () => {
  const [server, device, caller] = [abortableServer(), new Device(), new AbortController()];
  const page = await openPage(server, device);
  device.isOnline = false;
  await create(page, 'one', caller);
  caller.abort();
  device.isOnline = true;
  await page.box.drain();
  expect(page.box.status.get().failed).toEqual([]);
  expect(server.done).toEqual(['create one']);
});

it('an abort while fetch is pending rejects it, and the mutation is not kept', async () => {
  const [server, device, caller] = [abortableServer(), new Device(), new AbortController()];
  const page = await openPage(server, device);
  server.weather = () => 'never';
  const created = create(page, 'one', caller);
  await until(() => page.box.status.get().sending.length === 1);
  await turn();
  caller.abort(new Error('Changed my mind'));
  await expect(created).rejects.toThrow('Changed my mind');
  expect(pending(page)).toEqual([]);
});

it('an abort while fetch waits for an earlier mutation rejects it, and the mutation is not sent', async () => {
  const [server, device, caller] = [abortableServer(), new Device(), new AbortController()];
  const page = await openPage(server, device);
  server.weather = () => 'never';
  void page.controller.fetch(page.notes.create, { text: 'one' });
  await until(() => page.box.status.get().sending.length === 1);
  const created = create(page, 'two', caller);
  await turn();
  caller.abort(new Error('Changed my mind'));
  server.weather = () => 'fine';
  device.pass(60_000);
  await expect(created).rejects.toThrow('Changed my mind');
  device.pass(60_000);
  await page.box.drain();
  expect(server.done).toEqual(['create one']);
});

it('the timeout of the outbox also aborts a request that has a signal of its own', async () => {
  const [server, device, caller] = [abortableServer(), new Device(), new AbortController()];
  let signal: AbortSignal | null | undefined;
  const page = await openPage(server, device, { timeout: 5_000 });
  server.weather = () => 'never';
  const endpoint = page.notes.create.extend({
    signal: caller.signal,
    fetchResponse: (url: string, init: RequestInit) => ((signal = init.signal), server.respond(url, init)),
  });
  const created = page.controller.fetch(endpoint, { text: 'one' });
  await until(() => signal !== undefined);
  device.pass(5_000);
  await created;
  expect(signal?.aborted).toBe(true);
});

it('a mutation with a signal is sent, and aborted, where there is no AbortSignal.any', async () => {
  Object.assign(AbortSignal, { any: undefined }); // as in Safari before 17.4, Chromium before 116
  const [server, device, caller] = [abortableServer(), new Device(), new AbortController()];
  const page = await openPage(server, device);
  expect((await create(page, 'one', caller)).text).toBe('one');
  expect(server.done).toEqual(['create one']);
  server.weather = () => 'never';
  const created = create(page, 'two', caller);
  await until(() => page.box.status.get().sending.length === 1);
  await turn();
  caller.abort(new Error('Changed my mind'));
  await expect(created).rejects.toThrow('Changed my mind');
  await expect(create(page, 'three', caller)).rejects.toThrow('Changed my mind');
  expect(pending(page)).toEqual([]);
});
