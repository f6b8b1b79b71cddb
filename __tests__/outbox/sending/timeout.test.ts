import { beforeEach, describe, expect, it } from '@jest/globals';
import { DeviceLocks } from '../MortalPage.ts';
import {
  Device,
  freshDatabases,
  openPage,
  pending,
  Server,
  type Page,
  type PageOptions,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
let locks: DeviceLocks;

beforeEach(() => {
  server = new Server();
  device = new Device();
  locks = new DeviceLocks();
});

async function open(options: PageOptions = {}): Promise<Page> {
  const page = await openPage(server, device, { parts: { locks }, ...options });
  await page.controller.fetch(page.notes.getList);
  return page;
}

const never = () => new Promise<never>(() => undefined);
const sending = (page: Page) => until(() => page.box.status.get().sending.length === 1);

/** How often mutations reach the network, and the first of them is never answered. */
function unanswered(): { count: number; keys: (string | null)[] } {
  const seen = { count: 0, keys: [] as (string | null)[] };
  server.weather = ({ method, key }) => {
    if (method === 'GET') return 'fine';
    seen.count += 1;
    seen.keys.push(key);
    return seen.count === 1 ? never() : 'fine';
  };
  return seen;
}

describe('a request that never gets an answer', () => {
  it('a request without a response is repeated where there is no DOMException, as in React Native', async () => {
    const seen = unanswered();
    const page = await open();
    const fetched = page.controller.fetch(page.notes.create, { text: 'one' });
    await sending(page);
    const { DOMException } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, 'DOMException');
      device.pass(60_000);
    } finally {
      Object.assign(globalThis, { DOMException });
    }
    expect((await fetched).text).toBe('one');
    await page.box.drain();
    expect(seen.count).toBe(2);
  });

  it('a mutation is sent, and repeated after a timeout, where signals have no `throwIfAborted` and no reason', async () => {
    const { prototype } = AbortSignal;
    const former = Object.getOwnPropertyDescriptors(prototype);
    const seen = unanswered();
    const page = await open();
    try {
      Reflect.deleteProperty(prototype, 'throwIfAborted');
      Object.defineProperty(prototype, 'reason', { value: undefined, configurable: true });
      const fetched = page.controller.fetch(page.notes.create, { text: 'one' });
      await until(() => seen.count === 1);
      device.pass(60_000);
      expect((await fetched).text).toBe('one');
      await page.box.drain();
    } finally {
      Object.defineProperties(prototype, former);
    }
    expect(seen.keys).toHaveLength(2);
    expect(pending(page)).toEqual([]);
  });

  it.each([
    ['a minute', {}, 60_000],
    ['as long as the outbox says', { timeout: 5_000 }, 5_000],
  ])(
    'a request without a response is aborted after %s and repeated with its key',
    async (_, options, timeout) => {
      const seen = unanswered();
      const page = await open(options);
      const fetched = page.controller.fetch(page.notes.create, { text: 'one' });
      await sending(page);
      device.pass(timeout - 1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(page.box.status.get().sending).toHaveLength(1);
      device.pass(1);
      expect(await fetched).toMatchObject({ text: 'one' });
      expect(page.box.status.get().pending).toMatchObject([
        { error: { message: expect.stringContaining(String(timeout)) } },
      ]);
      await until(() => (device.pass(500), pending(page).length === 0));
      expect(seen.keys[0]).toBe(seen.keys[1]);
      expect(server.done).toEqual(['create one']);
    },
  );

  it('the timeout of an endpoint replaces that of the outbox', async () => {
    const seen = unanswered();
    const page = await open();
    const slow = page.notes.create.extend({ timeout: 300_000 });
    void page.controller.fetch(slow, { text: 'one' });
    await sending(page);
    device.pass(299_999);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([seen.count, page.box.status.get().sending.length]).toEqual([1, 1]);
    device.pass(1);
    await until(() => (device.pass(500), pending(page).length === 0));
  });

  it('an init that never settles times out too', async () => {
    let asked = 0;
    const page = await open({ init: () => ((asked += 1) === 1 ? never() : {}) });
    void page.controller.fetch(page.notes.create, { text: 'one' });
    await sending(page);
    device.pass(60_000);
    await until(() => (device.pass(500), pending(page).length === 0));
    expect(server.done).toEqual(['create one']);
  });

  it('a tab that is stopped during a request without a response lets another tab send', async () => {
    const seen = unanswered();
    const page = await open();
    void page.controller.fetch(page.notes.create, { text: 'one' });
    await sending(page);
    await page.controller.stop();
    const other = await open();
    await until(() => pending(other).length === 0);
    expect(seen.count).toBe(2);
    expect(server.done).toEqual(['create one']);
  });
});

describe('a stopped outbox', () => {
  it('a stopped outbox aborts its request', async () => {
    let signal: AbortSignal | null | undefined;
    const page = await open();
    const { respond } = server;
    unanswered();
    Object.assign(server, {
      respond: (url: string, init: RequestInit) => ((signal = init.signal), respond(url, init)),
    });
    void page.controller.fetch(page.notes.create, { text: 'one' });
    await sending(page);
    expect(signal?.aborted).toBe(false);
    await page.controller.stop();
    expect(signal?.aborted).toBe(true);
  });

  it('a stopped outbox neither calls init nor sends', async () => {
    let asked = 0;
    let isStopped = false;
    const page = await open({ init: () => (isStopped && (asked += 1), {}) });
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    isStopped = true;
    void page.controller.stop();
    device.isOnline = true;
    device.pass(1_000_000);
    await page.controller.stop();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toBe(0);
    expect(server.done).toEqual([]);
  });

  it('a stopped outbox sends nothing when init settles later', async () => {
    let answer: (init: RequestInit) => void = () => undefined;
    const page = await open({ init: () => new Promise((resolve) => (answer = resolve)) });
    void page.controller.fetch(page.notes.create, { text: 'one' });
    await sending(page);
    await page.controller.stop();
    answer({});
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.done).toEqual([]);
  });
});

describe('Retry-After', () => {
  it.each(['0', '-5', '0.25', 'nonsense', '', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'a Retry-After of %j waits no less than without it',
    async (after) => {
      const page = await open();
      server.weather = ({ method }) =>
        method === 'GET' ? 'fine' : new Response(null, { status: 503, headers: { 'Retry-After': after } });
      await page.controller.fetch(page.notes.create, { text: 'one' });
      const [entry] = page.box.status.get().pending;
      expect(entry!.retryAt - device.now).toBe(750);
      expect(server.seen.filter(({ method }) => method !== 'GET')).toHaveLength(1);
    },
  );

  it.each(['99999999999', '1e308', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'a Retry-After of %j waits an hour',
    async (after) => {
      const page = await open();
      server.weather = ({ method }) =>
        method === 'GET' ? 'fine' : new Response(null, { status: 503, headers: { 'Retry-After': after } });
      await page.controller.fetch(page.notes.create, { text: 'one' });
      expect(page.box.status.get().pending[0]!.retryAt - device.now).toBe(3_600_000);
    },
  );
});
