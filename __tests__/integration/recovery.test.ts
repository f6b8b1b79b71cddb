import 'fake-indexeddb/auto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, type OutboxEntry } from 'holdfast/outbox';
import { Device } from '../support/outbox.ts';
import { Note } from '../support/entities.ts';
import { until } from '../support/turns.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How requests fail: the connection ends, or a response of this status comes. */
type Outage = 'no connection' | { readonly status: number; readonly after?: number };

/** A server in Node that may be out of order. */
class UnsteadyServer {
  /** What mutations meet; undefined while it works. */
  outage: Outage | undefined;
  /** Whether reads meet the same. */
  areReadsOut = true;
  /** The texts of the notes that were created. */
  readonly created: string[] = [];
  /** How many mutations have reached it. */
  mutations = 0;
  readonly #server: Server = createServer((request, response) => {
    const { method = 'GET' } = request;
    const isRead = method !== 'POST';
    if (!isRead) this.mutations += 1;
    const outage = isRead && !this.areReadsOut ? undefined : this.outage;
    if (outage === 'no connection') {
      response.destroy();
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    if (outage !== undefined) {
      if (outage.after !== undefined) response.setHeader('Retry-After', outage.after);
      response.writeHead(outage.status).end('{}');
      return;
    }
    if (isRead) {
      response.end('[]');
      return;
    }
    void text(request).then((body) => {
      const note = JSON.parse(body) as { text: string }; // as this test sends it
      this.created.push(note.text);
      response.end(JSON.stringify({ ...note, id: this.created.length }));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

let server: UnsteadyServer;
let device: Device;
let controller: Controller;
let notes: ReturnType<typeof notesAt>;
let box: ReturnType<typeof outbox>;

const notesAt = (urlPrefix: string) =>
  createResource({ urlPrefix, path: '/notes/:id', schema: Note, optimistic: true });

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  server = new UnsteadyServer();
  notes = notesAt(await server.start());
  device = new Device();
  box = outbox({ endpoints: [notes], random: () => 1, onError: () => undefined });
  controller = new Controller({
    plugins: [indexedDB({ name: 'app' }), box],
    environment: device,
    schedule: device.schedule,
    now: () => device.now,
  });
  await controller.ready;
});

afterEach(async () => {
  await controller.stop();
  await server.stop();
});

const first = (): OutboxEntry | undefined => box.status.get().entries[0];

/** Waits until the first entry waits for its next attempt, or all have been sent. */
const settled = () =>
  until(() => first() === undefined || (isWaiting(first()!.status) && first()!.retryAt > device.now));

const isWaiting = (status: string): boolean => status === 'retrying' || status === 'blocked';

/** Waits for the next attempt, and its end. */
async function nextAttempt(): Promise<void> {
  const { attempts, retryAt } = first()!;
  device.now = Math.max(device.now, retryAt);
  // The timer is set only after the attempt before it has ended.
  await until(() => (device.pass(0), first() === undefined || first()!.attempts > attempts));
  await settled();
}

/** Shows or hides the page. */
function show(isVisible: boolean): void {
  device.isVisible = isVisible;
  device.isOnline = true; // as it was: this notifies the page
}

/** A mutation that meets an outage, which lasts for some ms of the device. */
async function outageOf(time: number): Promise<void> {
  const began = device.now;
  void controller.fetch(notes.create, { text: 'one' });
  await until(() => first()?.attempts === 1);
  await settled();
  while (first()!.retryAt < began + time) await nextAttempt();
  device.now = began + time;
}

describe('a server that is back', () => {
  it.each([
    ['25 s without a connection', 25 * SECOND, 'no connection'],
    ['10 minutes without a connection', 10 * MINUTE, 'no connection'],
    ['25 s of 503', 25 * SECOND, { status: 503 }],
    ['10 minutes of 500', 10 * MINUTE, { status: 500 }],
  ] as const)(
    'the first entry is sent within two seconds while the page is visible, after %s',
    async (_, time, outage) => {
      server.outage = outage;
      await outageOf(time);
      server.outage = undefined;
      const back = device.now;
      await nextAttempt();
      expect(server.created).toEqual(['one']);
      expect(device.now - back).toBeLessThanOrEqual(2 * SECOND);
    },
  );

  it('a hidden page waits up to five minutes, and sends at once when it is shown', async () => {
    show(false);
    server.outage = { status: 503 };
    await outageOf(40 * MINUTE);
    expect(server.mutations).toBeLessThan(20);
    server.outage = undefined;
    show(true);
    await until(() => first() === undefined);
    expect(server.created).toEqual(['one']);
  });

  it('a hidden page sends at once when another request succeeds', async () => {
    show(false);
    server.outage = { status: 503 };
    await outageOf(40 * MINUTE);
    server.outage = undefined;
    await controller.fetch(notes.getList);
    await until(() => first() === undefined);
    expect(server.created).toEqual(['one']);
  });

  it.each([429, 503])('neither visibility nor another request shortens Retry-After (%s)', async (status) => {
    server.outage = { status, after: 120 };
    server.areReadsOut = false;
    await outageOf(0);
    const { retryAt } = first()!;
    expect(retryAt - device.now).toBe(120 * SECOND);
    await controller.fetch(notes.getList);
    show(false);
    show(true);
    device.isOnline = false;
    device.isOnline = true;
    await controller.fetch(notes.getList);
    expect(first()).toMatchObject({ retryAt, attempts: 1, error: { status } });
    await nextAttempt();
    expect(server.mutations).toBe(2);
  });

  it('a limit without Retry-After is waited for with doubling delays', async () => {
    server.outage = { status: 429 };
    await outageOf(MINUTE);
    expect(server.mutations).toBeLessThan(10);
  });

  it('an entry that fails while other requests succeed is retried every half minute at most', async () => {
    server.outage = { status: 500 };
    server.areReadsOut = false;
    await outageOf(0);
    // Each success may mean that the server is back, until two have meant nothing.
    for (const attempts of [2, 3]) {
      await controller.fetch(notes.getList);
      await until(() => first()?.attempts === attempts);
      await settled();
    }
    const before = server.mutations;
    const began = device.now;
    while (first()!.retryAt < began + 10 * MINUTE) {
      await nextAttempt();
      await controller.fetch(notes.getList);
    }
    expect(server.mutations - before).toBeLessThan(30);
    server.outage = undefined;
    const back = device.now;
    await nextAttempt();
    expect(server.created).toEqual(['one']);
    expect(device.now - back).toBeLessThanOrEqual(30 * SECOND);
  });
});
