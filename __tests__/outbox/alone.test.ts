import { beforeEach, describe, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { DeviceLocks, MortalPage } from './MortalPage.ts';
import { Device, freshDatabases, openPage, pending, Server, until, type Page } from './support.ts';

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

/** Those that somebody has made, answered or not. */
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

/** Lets everything that is not held up take its course. */
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

  it('one tab sends what both have, however long that takes', async () => {
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

  it('another goes on for one that was killed while it sent', async () => {
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
