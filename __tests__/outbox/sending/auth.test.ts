import { beforeEach, describe, expect, it } from '@jest/globals';
import { Endpoint, logout } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import {
  Device,
  freshDatabases,
  openPage,
  pending,
  Server,
  type Page,
  type PageOptions,
} from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
/** The token that the server accepts, and the one that the app has. */
let valid: string;
let token: string;

beforeEach(() => {
  server = new Server();
  device = new Device();
  valid = token = 'first';
  server.weather = ({ headers, method }) =>
    method === 'GET' || headers.get('Authorization') === `Bearer ${valid}` ? 'fine' : 401;
});

const init = (): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

async function open(options: PageOptions = {}): Promise<Page> {
  const page = await openPage(server, device, { init, ...options });
  await page.controller.fetch(page.notes.getList);
  return page;
}

const writes = () => server.seen.filter(({ method }) => method !== 'GET');
const tokens = () => writes().map(({ headers }) => headers.get('Authorization'));
const state = ({ box }: Page) => box.status.get().state;

/** Two notes that were made offline, while the token expires. */
async function expired(options: PageOptions = {}): Promise<Page> {
  const page = await open(options);
  device.isOnline = false;
  await page.controller.fetch(page.notes.create, { text: 'one' });
  await page.controller.fetch(page.notes.create, { text: 'two' });
  valid = 'second';
  device.isOnline = true;
  await until(() => state(page) === 'needs-auth');
  return page;
}

/** Resolves when everything has happened that happens without a timer. */
const settled = async () => {
  for (let nth = 0; nth < 30; nth++) await new Promise((resolve) => setTimeout(resolve));
};

describe.each([
  ['with the storage plugin', true],
  ['with a database of its own', false],
])('a 401 while mutations are queued, %s', (_, withStorage) => {
  it('a 401 pauses the queue, loses nothing, and notifies the app once', async () => {
    const page = await expired({ withStorage });
    await settled();
    device.pass(3_600_000);
    await settled();
    expect(writes()).toHaveLength(1);
    expect(page.box.status.get()).toMatchObject({
      state: 'needs-auth',
      pending: [{ status: 'needs-auth', error: { status: 401 } }, { status: 'queued' }],
      failed: [],
    });
    expect(page.texts()).toEqual(['one', 'two']);
    expect(page.errors.map(({ code }) => code)).toEqual(['HF_OUTBOX_AUTH']);
    expect(await page.box.drain()).toBe(false);
  });

  it('resume() sends the queue in order, each mutation once', async () => {
    const page = await expired({ withStorage });
    token = 'second';
    expect(await page.box.resume()).toBe(true);
    expect(server.done).toEqual(['create one', 'create two']);
    expect(state(page)).toBe('working');
    expect(new Set(writes().map(({ key }) => key)).size).toBe(2);
  });

  it('the queue stays paused when resume() leads to another 401', async () => {
    const page = await expired({ withStorage });
    expect(await page.box.resume()).toBe(false);
    expect(state(page)).toBe('needs-auth');
    expect(writes()).toHaveLength(2);
    expect(page.errors).toHaveLength(2);
  });

  it('a paused queue tries again after a reload, and pauses again', async () => {
    const page = await expired({ withStorage });
    await page.leave();
    const next = await open({ withStorage });
    await until(() => writes().length === 2 && state(next) === 'needs-auth');
    expect(pending(next)).toHaveLength(2);
    token = 'second';
    expect(await next.box.resume()).toBe(true);
    expect(server.done).toEqual(['create one', 'create two']);
  });
});

describe('sending resumes by itself after a sign-in', () => {
  it.each([
    [
      'when a mutation is called',
      (page: Page) => page.controller.fetch(page.notes.create, { text: 'three' }),
    ],
    [
      'when the page is seen again',
      () => (
        (device.isVisible = false),
        (device.isOnline = true),
        (device.isVisible = true),
        (device.isOnline = true)
      ),
    ],
    ['when the network is back', () => ((device.isOnline = false), (device.isOnline = true))],
    ['after a read', (page: Page) => page.controller.fetch(page.notes.getList)],
    ['when it is drained', (page: Page) => page.box.drain()],
  ])('%s, where init gives other headers', async (_, happens) => {
    const page = await expired();
    token = 'second';
    await happens(page);
    await until(() => (device.pass(100), pending(page).length === 0));
    expect(server.done.slice(0, 2)).toEqual(['create one', 'create two']);
  });

  it.each([
    ['the network is back', (_: Page) => ((device.isOnline = false), (device.isOnline = true))],
    ['it is drained', (page: Page) => void page.box.drain()],
  ])('a sign-in is noticed if %s while init is still returning old headers', async (_, happens) => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isSlow = false;
    let held = 0;
    const page = await expired({
      init: async () => {
        const headers = init();
        if (!isSlow) return headers;
        held += 1;
        await released;
        return headers;
      },
    });
    isSlow = true;
    await until(() => ((device.isOnline = false), (device.isOnline = true), held > 0));
    token = 'second';
    happens(page);
    await settled();
    release();
    await until(() => (device.pass(100), pending(page).length === 0));
    expect(server.done).toEqual(['create one', 'create two']);
  });

  it('sending does not resume while init returns the same headers', async () => {
    const page = await expired();
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    device.isOnline = true;
    await page.box.drain();
    await settled();
    expect(writes()).toHaveLength(1);
  });

  it('sending resumes without many attempts if init returns other headers each time', async () => {
    let count = 0;
    const page = await expired({ init: () => ({ headers: { 'X-Request-Id': String((count += 1)) } }) });
    for (let reads = 0; reads < 20; reads++) await page.controller.fetch(page.notes.getList);
    await settled();
    expect(writes().length).toBeLessThan(3);
  });

  it('sending resumes after a mutation that the outbox does not queue, such as a login, without init', async () => {
    const login = new Endpoint(() => Promise.resolve((token = 'second')), {
      name: 'login',
      sideEffect: true,
    });
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    server.weather = ({ method }) => (method === 'GET' || token === 'second' ? 'fine' : 401);
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    device.isOnline = true;
    await until(() => state(page) === 'needs-auth');
    await page.controller.fetch(login);
    await until(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it('sending resumes after a login that had begun before the queue was paused', async () => {
    let isSignedIn = false;
    let respond: () => void = () => undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    const login = new Endpoint(() => response, { name: 'login', sideEffect: true });
    const page = await openPage(server, device);
    server.weather = () => (isSignedIn ? 'fine' : 401);
    const signedIn = page.controller.fetch(login);
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(state(page)).toBe('needs-auth');
    isSignedIn = true;
    respond();
    await signedIn;
    await until(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
  });
});

it('a mutation that is answered by 401 resolves as queued', async () => {
  const page = await open();
  valid = 'second';
  const note = await page.controller.fetch(page.notes.create, { text: 'one' });
  expect(note).toMatchObject({ text: 'one', id: expect.stringContaining('optimistic-') });
  expect(pending(page)).toEqual(['Note.create']);
});

describe('403', () => {
  it('a 403 makes a dead letter, like any rejection', async () => {
    const page = await open();
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    server.weather = ({ method }) => (method === 'GET' ? 'fine' : 403);
    device.isOnline = true;
    await until(() => page.box.status.get().failed.length === 1);
  });

  it('a 403 pauses the queue if the app says so', async () => {
    const page = await open({ pauseOn: [403, 419] });
    server.weather = ({ method }) => (method === 'GET' ? 'fine' : 403);
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(state(page)).toBe('needs-auth');
    server.weather = () => 'fine';
    expect(await page.box.resume()).toBe(true);
  });
});

describe('init that throws', () => {
  it('an init that throws pauses the queue, and is called again later', async () => {
    let isRefreshed = false;
    let asked = 0;
    const page = await open({
      init: () => {
        asked += 1;
        if (!isRefreshed) throw new Error('The token cannot be renewed');
        return init();
      },
    });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(page.box.status.get()).toMatchObject({
      state: 'needs-auth',
      pending: [{ status: 'needs-auth', error: { message: expect.stringContaining('cannot be renewed') } }],
    });
    expect(page.errors).toMatchObject([{ code: 'HF_OUTBOX_AUTH' }]);
    await settled();
    expect([asked, writes().length]).toEqual([1, 0]);
    isRefreshed = true;
    await until(() => (device.pass(500), pending(page).length === 0));
    expect(server.done).toEqual(['create one']);
  });
});

describe('a scope', () => {
  it('mutations of a scope are never sent under another, even if both share a database', async () => {
    const first = await open({ scope: 'ann', name: 'shared' });
    device.isOnline = false;
    await first.controller.fetch(first.notes.create, { text: "Ann's" });
    await first.leave();
    device.isOnline = true;
    token = valid = 'of bob';
    const second = await open({ scope: 'bob' });
    expect(second.box.status.get().entries).toEqual([]);
    expect(await second.box.drain()).toBe(true);
    expect(second.texts()).toEqual([]);
    expect(server.done).toEqual([]);
    await second.leave();
    token = valid = 'of ann';
    const again = await open({ scope: 'ann' });
    await until(() => pending(again).length === 0);
    expect(tokens()).toEqual(['Bearer of ann']);
  });

  it('a mutation with a scope is sent only while its user is signed in', async () => {
    let user = 'ann';
    const page = await open({ scope: 'ann', currentScope: () => user });
    user = 'bob';
    await page.controller.fetch(page.notes.create, { text: "Ann's" });
    await page.box.drain();
    await page.box.resume();
    expect(writes()).toEqual([]);
    expect(state(page)).toBe('needs-auth');
    user = 'ann';
    expect(await page.box.drain()).toBe(true);
    expect(server.done).toEqual(["create Ann's"]);
  });

  it('a currentScope that throws, since the user has signed out during init, pauses the queue', async () => {
    let user: { readonly id: string } | undefined;
    const currentScope = (): string => {
      if (user === undefined) throw new Error('Nobody is signed in');
      return user.id;
    };
    let signsOut = true;
    const page = await open({
      scope: 'ann',
      currentScope,
      init: async () => {
        await turn();
        if (signsOut) user = undefined;
        return init();
      },
    });
    user = { id: 'ann' };
    await page.controller.fetch(page.notes.create, { text: "Ann's" });
    expect(state(page)).toBe('needs-auth');
    signsOut = false;
    user = { id: 'ann' };
    expect(await page.box.resume()).toBe(true);
    expect(server.done).toEqual(["create Ann's"]);
  });
});

it('a token that no header can contain pauses the queue like an init that throws', async () => {
  const page = await open({ init: () => ({ headers: { Authorization: 'Bearer \u2026' } }) });
  await page.controller.fetch(page.notes.create, { text: 'one' });
  expect(state(page)).toBe('needs-auth');
  expect(page.errors).toMatchObject([
    { code: 'HF_OUTBOX_AUTH', message: expect.stringContaining('init() failed') },
  ]);
});

describe('logout', () => {
  const readFails = (page: Page) => {
    const before = server.weather;
    server.weather = (seen) => (seen.method === 'GET' ? 401 : before(seen));
    return page.controller.fetch(page.notes.getList).catch(() => {
      server.weather = before;
    });
  };

  it.each([
    ['with the storage plugin', true],
    ['with a database of its own', false],
  ])('a log-out by a read keeps unsent mutations for the next sign-in, %s', async (_, withStorage) => {
    const told: unknown[] = [];
    const page = await open({
      withStorage,
      scope: 'ann',
      more: [logout({ onLogout: () => void told.push(1) })],
    });
    device.isOnline = false;
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await readFails(page);
    await until(() => (device.pass(0), told.length === 1));
    expect(page.texts()).toBeUndefined();
    expect(page.box.status.get()).toMatchObject({ state: 'needs-auth', entries: [] });
    await page.leave();
    device.isOnline = true;
    const next = await open({ withStorage, scope: 'ann' });
    await until(() => pending(next).length === 0);
    expect(server.done).toEqual(['create one']);
  });

  it('kept mutations are shown and sent again in the same page once init returns other headers', async () => {
    const page = await expired({ more: [logout()] });
    await until(() => (device.pass(0), page.box.status.get().entries.length === 0));
    await settled();
    expect(await page.box.drain()).toBe(false);
    expect(writes()).toHaveLength(1);
    token = 'second';
    await page.controller.fetch(page.notes.getList);
    await until(() => (device.pass(100), state(page) === 'working' && pending(page).length === 0));
    expect(server.done).toEqual(['create one', 'create two']);
    expect(page.texts()).toEqual(['one', 'two']);
  });

  it('a log-out discards the queue if the app says so', async () => {
    const page = await expired({ more: [logout({ unsent: 'discard' })] });
    await until(() => (device.pass(0), page.box.status.get().entries.length === 0));
    await page.controller.flush();
    await page.leave();
    token = 'second';
    const next = await open();
    expect(next.box.status.get().entries).toEqual([]);
    await settled();
    expect(server.done).toEqual([]);
  });

  it.each([true, false])(
    'a log-out keeps a mutation that is still being written (with storage: %s)',
    async (withStorage) => {
      const page = await open({ withStorage });
      device.isOnline = false;
      const fetched = page.controller.fetch(page.notes.create, { text: 'one' });
      await page.controller.reset({ unsent: 'keep' });
      expect(await fetched).toBeUndefined();
      await page.leave();
      const next = await open({ withStorage });
      expect(pending(next)).toEqual(['Note.create']);
    },
  );

  it('a log-out in one tab keeps the mutations of both', async () => {
    const more = () => [tabs({ name: 'app' })];
    device.isOnline = false;
    const left = await openPage(server, device, { init, more: more() });
    const right = await openPage(server, device, { init, more: more() });
    await left.controller.fetch(left.notes.create, { text: 'left' });
    await right.controller.fetch(right.notes.create, { text: 'right' });
    await until(() => pending(left).length === 2 && pending(right).length === 2);
    await left.controller.reset({ unsent: 'keep' });
    await until(() => right.box.status.get().entries.length === 0);
    await Promise.all([left.leave(), right.leave()]);
    const next = await open();
    expect(pending(next)).toHaveLength(2);
    device.isOnline = true;
    await until(() => pending(next).length === 0);
    expect(server.done.toSorted()).toEqual(['create left', 'create right']);
  });

  it('a log-out in a tab without messages keeps the mutations of both', async () => {
    device.isOnline = false;
    const left = await openPage(server, device, { init });
    const right = await openPage(server, device, { init });
    await left.controller.fetch(left.notes.create, { text: 'left' });
    await left.controller.reset({ unsent: 'keep' });
    await right.controller.fetch(right.notes.create, { text: 'right' });
    await Promise.all([left.leave(), right.leave()]);
    const next = await openPage(server, device, { init });
    await until(() => pending(next).length === 2);
    device.isOnline = true;
    await until(() => pending(next).length === 0);
    expect(server.done.toSorted()).toEqual(['create left', 'create right']);
  });
});
