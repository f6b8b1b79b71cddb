import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type Schedule } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { withLock, type HasLock } from '../../../plugins/outbox/sending/withLock.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { DeviceLocks, MortalPage } from '../MortalPage.ts';
import {
  Device,
  freshDatabases,
  openPage,
  pending,
  Server,
  type Page,
  type Weather,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
/** Answers the request that has been made and waits. */
let answer: () => void;

beforeEach(() => {
  server = new Server();
  device = new Device();
  device.isOnline = false;
  server.weather = () => new Promise((resolve) => (answer = () => resolve('fine')));
});

/** All requests, answered or not. */
let asked = 0;
const posts = (): number => asked;

beforeEach(() => {
  asked = 0;
  const { respond } = server;
  Object.assign(server, {
    respond: (url: string, init: RequestInit) => {
      if (init.method === 'POST') asked += 1;
      return respond(url, init);
    },
  });
});

/** Resolves when everything has happened that happens without a timer. */
async function rest(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
}

async function passing(time: number): Promise<void> {
  for (let passed = 0; passed < time; passed += 500) {
    device.pass(500);
    await rest();
  }
}

describe.each([
  ['Web Locks', true],
  ['a lease', false],
])('with %s', (_, withLocks) => {
  const locks = new DeviceLocks();
  const open = (): Promise<Page> =>
    openPage(server, device, {
      withStorage: false,
      more: [tabs({ name: 'app' })],
      parts: { locks: withLocks ? locks : undefined },
    });

  it('one tab sends the mutations of both, however long that takes', async () => {
    const [left, right] = [await open(), await open()];
    await left.controller.fetch(left.notes.create, { text: 'one' });
    await until(() => pending(right).length === 1);
    await left.controller.flush();
    device.isOnline = true;
    await until(() => posts() > 0);
    await passing(25_000);
    expect(posts()).toBe(1);
    answer();
    await until(() => pending(left).length === 0 && pending(right).length === 0);
    await passing(5_000);
    expect(posts()).toBe(1);
    expect(server.done).toEqual(['create one']);
  });

  it('another tab takes over from one that was killed while it sent', async () => {
    const killed = new MortalPage(server, device, locks, { withStorage: false, withLocks });
    await killed.started;
    await killed.page.controller.fetch(killed.page.notes.create, { text: 'one' });
    const other = await open();
    expect(pending(other)).toHaveLength(1);
    device.isOnline = true;
    await until(() => posts() > 0);
    killed.dieAfter(1);
    answer();
    await until(() => killed.isDead);
    await passing(15_000);
    expect(posts()).toBe(2);
    answer();
    await until(() => pending(other).length === 0);
    expect(server.done).toEqual(['create one']);
  });
});

describe('a tab whose timers stand still while it sends', () => {
  it.each([
    ['is answered', 'fine'],
    ['fails', 'down'],
    ['is refused', 422],
  ] as const)(
    'a tab that was suspended leaves the rest to the tab that took over, though its own %s late',
    async (_, end) => {
      const asks: string[] = [];
      const answers: ((weather: Weather) => void)[] = [];
      server.weather = ({ method, body }) => {
        if (method !== 'POST') return 'fine';
        asks.push((body as { readonly text: string }).text); // of a creation
        return new Promise((resolve) => answers.push(resolve));
      };
      const held: (() => void)[] = [];
      let isFrozen = false;
      const schedule: Schedule = (run, delay) =>
        device.schedule(() => (isFrozen ? held.push(run) : run()), delay);
      const parts = { locks: undefined };
      const frozen = await openPage(server, device, { withStorage: false, schedule, parts });
      for (const text of ['one', 'two']) await frozen.controller.fetch(frozen.notes.create, { text });
      const other = await openPage(server, device, { withStorage: false, parts });
      device.isOnline = true;
      await until(() => asks.length === 1);
      isFrozen = true;
      await passing(15_000);
      // With its key, by which the server knows it.
      expect(asks).toEqual(['one', 'one']);
      const late = answers.shift();
      answers.shift()?.('fine');
      await until(() => asks.length === 3);
      answers.shift()?.('fine');
      await until(() => pending(other).length === 0);
      isFrozen = false;
      late?.(end);
      for (const run of held.splice(0)) run();
      await passing(15_000);
      expect(asks).toEqual(['one', 'one', 'two']);
      expect(frozen.box.status.get().entries).toEqual([]);
      void frozen.controller.fetch(frozen.notes.create, { text: 'three' });
      await until(() => asks.length === 4);
      answers.shift()?.('fine');
      await until(() => pending(frozen).length === 0);
      expect(server.done).toEqual(['create one', 'create two', 'create three']);
    },
  );
});

describe('where the browser refuses locks, as Firefox does where cookies are blocked', () => {
  it('a tab sends under a lease if the browser refuses locks', async () => {
    const locks = {
      request: () => Promise.reject(new DOMException('The request was denied.', 'SecurityError')),
    };
    const page = await openPage(server, device, { parts: { locks } });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    server.weather = () => 'fine';
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(server.done).toEqual(['create one']);
    expect(page.errors).toEqual([]);
  });
});

describe('a page that is left while it sends', () => {
  const page = new EventTarget();
  const globals = {
    document: page,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  };
  beforeEach(() => void Object.assign(globalThis, globals));
  afterEach(() => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  });

  it.each(['freeze', 'pagehide'])(
    'a page that is left while it sends gives its lock to the next one, as it may be in the back/forward cache: %s',
    async (event) => {
      const locks = new DeviceLocks();
      const deps = { controller: new Controller(), name: 'box', locks, lease: new OutboxDatabase('box') };
      let hasLock: HasLock | undefined;
      let finish: () => void = () => undefined;
      const run = (held: HasLock): Promise<void> => {
        hasLock = held;
        return new Promise((resolve) => (finish = resolve));
      };
      const sending = withLock(deps, run, () => true);
      await rest();
      const next = withLock(
        deps,
        () => Promise.resolve(),
        () => true,
      );
      expect(hasLock?.()).toBe(true);
      page.dispatchEvent(new Event(event));
      await next;
      expect(hasLock?.()).toBe(false);
      finish();
      await sending;
    },
  );
});
