import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type Plugin } from 'holdfast';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getQuote, Quote, quotesByEventSource, quotesByWebSocket } from '../../docs/examples/liveUpdates.ts';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';

/** A connection whose other end is the test. */
class FakeConnection extends EventTarget {
  static readonly opened: FakeConnection[] = [];
  readonly url: string;
  readonly sent: unknown[] = [];
  readyState = 0;

  constructor(url: string | URL) {
    super();
    this.url = String(url);
    FakeConnection.opened.push(this);
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }

  /** The server accepts. */
  accept(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  /** The server pushes. */
  push(data: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(data) }));
  }
}

// Of the real ones, the examples use no more than this.
const Source = FakeConnection as unknown as typeof EventSource;
const Socket = FakeConnection as unknown as typeof WebSocket;

const acme = { symbol: 'ACME' };
const zeta = { symbol: 'ZETA' };

beforeEach(() => void FakeConnection.opened.splice(0));

function connection(number: number): FakeConnection {
  const found = FakeConnection.opened[number];
  if (found === undefined) throw new Error(`Only ${FakeConnection.opened.length} connections were opened`);
  return found;
}

function start(plugin: Plugin) {
  const time = new FakeTime();
  const controller = new Controller({
    now: time.now,
    schedule: time.schedule,
    environment: new FakeEnvironment(),
    plugins: [plugin],
  });
  const prices: (number | undefined)[] = [];
  controller.watch(Quote, acme, (quote) => prices.push(quote?.price));
  return { time, controller, prices };
}

describe('the EventSource example', () => {
  it('the EventSource example shows pushed data while a component is subscribed', async () => {
    const { time, controller, prices } = start(quotesByEventSource(Source));
    controller.subscribe(getQuote, acme);
    controller.subscribe(getQuote, acme);
    expect(connection(0).url).toBe('https://api.example.com/quotes/ACME/events');
    connection(0).push({ price: 10 });
    connection(0).push({ price: 11 });
    expect(prices).toEqual([10, 11]);
    expect(controller.getResponse(getQuote, acme).data).toMatchObject({ symbol: 'ACME', price: 11 });
    expect(time.timers).toBe(0);
    controller.unsubscribe(getQuote, acme);
    expect(connection(0).readyState).toBe(0);
    controller.unsubscribe(getQuote, acme);
    expect(connection(0).readyState).toBe(3);
    expect(FakeConnection.opened).toHaveLength(1);
  });
});

describe('the WebSocket example', () => {
  it('the WebSocket example subscribes to mounted reads, and shows the data pushed for them', () => {
    const { controller, prices } = start(quotesByWebSocket(Socket));
    controller.subscribe(getQuote, acme);
    connection(0).accept();
    controller.subscribe(getQuote, zeta);
    expect(connection(0).sent).toEqual([{ subscribe: 'ACME' }, { subscribe: 'ZETA' }]);
    connection(0).push({ symbol: 'ACME', price: 10 });
    connection(0).push({ symbol: 'NONE', price: 1 });
    expect(prices).toEqual([10]);
    expect(controller.get(Quote, { symbol: 'NONE' })).toBeUndefined();
    controller.unsubscribe(getQuote, acme);
    expect(connection(0).sent.at(-1)).toEqual({ unsubscribe: 'ACME' });
    controller.unsubscribe(getQuote, zeta);
    expect(connection(0).readyState).toBe(3);
  });

  it('the WebSocket example reconnects when the connection is lost, and not when it was closed', async () => {
    const { time, controller, prices } = start(quotesByWebSocket(Socket));
    controller.subscribe(getQuote, acme);
    connection(0).accept();
    connection(0).close();
    await time.pass(1_000);
    connection(1).accept();
    expect(connection(1).sent).toEqual([{ subscribe: 'ACME' }]);
    connection(1).push({ symbol: 'ACME', price: 12 });
    expect(prices).toEqual([12]);
    await controller.stop();
    expect(connection(1).readyState).toBe(3);
    expect(time.timers).toBe(0);
    expect(FakeConnection.opened).toHaveLength(2);
  });
});

describe('docs/liveUpdates.md', () => {
  it('docs/liveUpdates.md contains the tested examples', () => {
    const docs = path.join(__dirname, '../../docs');
    const source = readFileSync(path.join(docs, 'examples/liveUpdates.ts'), 'utf8').trim();
    const guide = readFileSync(path.join(docs, 'liveUpdates.md'), 'utf8');
    const parts = source.split(/\n\n(?=\/\*\*(?: |\n \* )One )/);
    expect(parts).toHaveLength(3);
    for (const part of parts) expect(guide).toContain(part);
  });
});
