import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  Endpoint,
  Entity,
  NetworkError,
  reachability,
  refetchOn,
  RestEndpoint,
  type Plugin,
  type ReachabilityOptions,
  type ReachabilityPlugin,
} from 'holdfast';
import { outbox } from 'holdfast/outbox';
import { http, HttpResponse } from 'msw';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
import { answer, prefix, startServer, type Received } from '../support/server.ts';
import { getArticle } from './withPlugin.ts';
import { until } from '../support/turns.ts';
import { wrapErrors } from '../support/wrapErrors.ts';

const server = startServer();
const health = `${prefix}/health`;

let time: FakeTime;
let device: FakeEnvironment;
let isUp: boolean;
let received: Received[];
const controllers: Controller[] = [];

beforeEach(() => {
  time = new FakeTime();
  device = new FakeEnvironment();
  isUp = true;
  received = answer(server, ({ method }) => {
    if (!isUp) return HttpResponse.error();
    return method === 'HEAD' ? new HttpResponse(null, { status: 405 }) : HttpResponse.json({ id: '1' });
  });
});

afterEach(async () => {
  await Promise.all(controllers.splice(0).map((controller) => controller.stop()));
});

interface App {
  readonly controller: Controller;
  readonly reach: ReachabilityPlugin;
  /** Whether it is online, at each notification. */
  readonly told: boolean[];
}

function open(
  options: ReachabilityOptions = { url: health },
  before: readonly Plugin[] = [],
  after: readonly Plugin[] = [],
): App {
  const reach = reachability({ random: () => 0, environment: device, ...options });
  const plugins = [...before, reach, ...after];
  const controller = new Controller({ now: time.now, schedule: time.schedule, plugins });
  controllers.push(controller);
  const { environment } = controller;
  const told: boolean[] = [];
  environment.subscribe(() => void told.push(environment.isOnline));
  return { controller, reach, told };
}

const fails = async (controller: Controller): Promise<void> => {
  await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 0 });
};
/** How often it was asked whether the server is there. */
const probes = (): number => received.filter(({ method }) => method === 'HEAD').length;

describe('reachability', () => {
  it('reachability provides the environment of the controller, unless the options have one', () => {
    const { controller, reach } = open();
    expect(controller.environment).toBe(reach.environment);
    const own = new FakeEnvironment();
    expect(new Controller({ environment: own, plugins: [reachability()] }).environment).toBe(own);
  });

  it('reachability works where the browser refuses a BroadcastChannel, as Firefox does without storage access', async () => {
    const { BroadcastChannel } = globalThis;
    globalThis.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        super.close();
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    };
    try {
      const { controller } = open();
      isUp = false;
      await fails(controller);
      expect(controller.environment.isOnline).toBe(false);
    } finally {
      globalThis.BroadcastChannel = BroadcastChannel;
    }
  });

  it('reachability is offline when there is no connection, although the device has a network', async () => {
    const { controller, reach, told } = open();
    expect([controller.environment.isOnline, reach.status.get()]).toEqual([true, 'unknown']);
    await controller.fetch(getArticle, { id: '1' });
    expect(reach.status.get()).toBe('reachable');
    isUp = false;
    await fails(controller);
    expect([controller.environment.isOnline, reach.status.get()]).toEqual([false, 'unreachable']);
    expect(told).toEqual([true, false]);
  });

  it('a listener that throws changes neither requests nor what other listeners are told', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { controller, reach } = open();
    const fault = new Error('A fault of the app');
    const told: string[] = [];
    reach.status.subscribe(() => {
      throw fault;
    });
    reach.status.subscribe(() => void told.push(reach.status.get()));
    expect(await controller.fetch(getArticle, { id: '1' })).toEqual({ id: '1' });
    expect(told).toEqual(['reachable']);
    expect(printed.mock.calls).toEqual([[fault]]);
    printed.mockRestore();
  });

  it.each([404, 500, 503])('reachability treats status %d as a response of the server', async (status) => {
    const { controller, reach } = open();
    isUp = false;
    await fails(controller);
    server.resetHandlers();
    answer(server, () => HttpResponse.json({}, { status }));
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status });
    expect(reach.status.get()).toBe('reachable');
  });

  it('in a hidden page, reachability probes with delays of two seconds up to half a minute', async () => {
    device.isVisible = false;
    const { controller, told } = open();
    isUp = false;
    await fails(controller);
    const waits: number[] = [];
    for (let count = 1; count <= 6; count++) {
      await until(() => time.timers === 1);
      const before = time.now();
      while (probes() < count) {
        await time.pass(500);
        await until(() => probes() >= count || time.timers === 1);
      }
      waits.push(time.now() - before);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await until(() => time.timers === 1);
    expect(told).toEqual([false]);
    isUp = true;
    await time.pass(30_000);
    await until(() => controller.environment.isOnline);
    expect(told).toEqual([false, true]);
    expect(time.timers).toBe(0);
    expect(received.at(-1)).toMatchObject({ method: 'HEAD', url: health });
  });

  it('in a visible page, reachability probes every second and a half until the server responds', async () => {
    const { controller } = open();
    isUp = false;
    await fails(controller);
    for (let count = 1; count <= 40; count++) {
      await until(() => time.timers === 1);
      await time.pass(1_499);
      expect(probes()).toBe(count - 1);
      await time.pass(1);
      await until(() => probes() === count);
    }
    isUp = true;
    await until(() => time.timers === 1);
    await time.pass(1_500);
    await until(() => controller.environment.isOnline);
  });

  it('reachability probes at once when another tab has reached the server, also if the page is hidden', async () => {
    device.isVisible = false;
    const [first, second, elsewhere] = [
      open({}),
      open({}),
      open({ url: 'https://other.example.com/health' }),
    ];
    isUp = false;
    for (const { controller } of [first, second, elsewhere]) await fails(controller);
    isUp = true;
    const before = probes();
    expect(await first.reach.probe()).toBe(true);
    await until(() => second.controller.environment.isOnline);
    expect(probes()).toBe(before + 2);
    expect(elsewhere.controller.environment.isOnline).toBe(false);
  });

  it('reachability keeps its longer delay while the server answers its probe but not the app’s requests', async () => {
    const { controller } = open();
    received.length = 0;
    server.resetHandlers();
    received = answer(server, ({ method }) =>
      method === 'HEAD' ? new HttpResponse() : HttpResponse.error(),
    );
    await fails(controller);
    await time.pass(1_500);
    await until(() => controller.environment.isOnline);
    await fails(controller);
    await time.pass(3_999);
    expect(probes()).toBe(1);
    await time.pass(1);
    await until(() => probes() === 2);
    server.resetHandlers();
    received = answer(server);
    await controller.fetch(getArticle, { id: '1' });
    server.resetHandlers();
    received = answer(server, () => HttpResponse.error());
    await fails(controller);
    await time.pass(1_500);
    await until(() => probes() === 1);
  });

  it('reachability sends one probe for all requests that fail together', async () => {
    const { controller } = open();
    isUp = false;
    await Promise.allSettled(['1', '2', '3'].map((id) => controller.fetch(getArticle, { id })));
    expect(time.timers).toBe(1);
    await time.pass(1_499);
    expect(probes()).toBe(0);
    await time.pass(1);
    await until(() => probes() === 1);
  });

  it('reachability probes the URL of the failed request if no other is configured', async () => {
    const { controller } = open({});
    isUp = false;
    await fails(controller);
    await time.pass(2_000);
    await until(() => probes() === 1);
    expect(received.at(-1)?.url).toBe(`${prefix}/article/1`);
  });

  it('reachability lets other requests try if it has no URL to probe', async () => {
    const { controller, reach } = open({});
    const broken = new Endpoint(
      (): Promise<unknown> => Promise.reject(Object.assign(new Error('No connection'), { status: 0 })),
      { name: 'broken' },
    );
    await expect(controller.fetch(broken)).rejects.toThrow('No connection');
    expect(controller.environment.isOnline).toBe(false);
    await time.pass(2_000);
    expect([controller.environment.isOnline, reach.status.get()]).toEqual([true, 'unknown']);
    expect(received).toEqual([]);
  });

  it('reachability ignores failures before a request reached the network', async () => {
    const { controller, told } = open();
    const refused = new Endpoint(
      (): Promise<unknown> =>
        Promise.reject(new NetworkError('It waits in the outbox', { status: 0, url: '', method: 'GET' })),
      { name: 'refused' },
    );
    await expect(controller.fetch(refused)).rejects.toThrow('outbox');
    const mistaken = new Endpoint((): Promise<unknown> => Promise.reject(new Error('A mistake')), {
      name: 'mistaken',
    });
    await expect(controller.fetch(mistaken)).rejects.toThrow('A mistake');
    expect(told).toEqual([]);
  });

  it('reachability probes when fetch itself throws, as programming errors also cause that', async () => {
    const { controller, reach } = open();
    const plain = new Endpoint((): Promise<unknown> => Promise.reject(new TypeError('Failed to fetch')), {
      name: 'plain',
    });
    await expect(controller.fetch(plain)).rejects.toThrow('Failed to fetch');
    await until(() => reach.status.get() === 'reachable');
    isUp = false;
    await expect(controller.fetch(plain)).rejects.toThrow('Failed to fetch');
    await until(() => reach.status.get() === 'unreachable');
  });

  it('reachability ignores the failure of an old request', async () => {
    const { controller, told } = open();
    let fail: (() => void) | undefined;
    const slow = new Endpoint(
      () =>
        new Promise<unknown>((_, reject) => {
          fail = () => reject(new NetworkError('Timed out', { status: 0, url: health, method: 'GET' }));
        }),
      { name: 'slow' },
    );
    const fetched = controller.fetch(slow);
    await until(() => fail !== undefined);
    await controller.fetch(getArticle, { id: '1' });
    fail?.();
    await expect(fetched).rejects.toThrow('Timed out');
    await until(() => probes() === 1);
    expect(told.includes(false)).toBe(false);
  });

  it('reachability ignores requests that say nothing about the server', async () => {
    const { controller, told } = open({ when: ({ endpoint }) => endpoint.name !== getArticle.name });
    isUp = false;
    await fails(controller);
    expect(told).toEqual([]);
  });

  it('reachability follows the device, and probes when it has a network again', async () => {
    const { controller, told, reach } = open();
    device.change({ isOnline: false, isVisible: false });
    expect(controller.environment.isOnline).toBe(false);
    isUp = false;
    device.change({ isOnline: true });
    await until(() => probes() === 1);
    expect(controller.environment.isOnline).toBe(false);
    isUp = true;
    expect(await reach.probe()).toBe(true);
    expect(controller.environment.isOnline).toBe(true);
    expect(told.at(-1)).toBe(true);
  });

  it('reachability trusts a response more than the status of the device', async () => {
    device.change({ isOnline: false });
    const { controller } = open();
    expect(controller.environment.isOnline).toBe(false);
    await controller.fetch(getArticle, { id: '1' });
    expect(controller.environment.isOnline).toBe(true);
  });

  it('reachability probes when the page becomes visible again', async () => {
    const { controller } = open();
    isUp = false;
    await fails(controller);
    device.change({ isVisible: false });
    expect(controller.environment.isVisible).toBe(false);
    expect(probes()).toBe(0);
    device.change({ isVisible: true });
    await until(() => probes() === 1);
  });

  it('tabs take turns: a failed probe of one postpones those of the others', async () => {
    const [first, second] = [open(), open()];
    isUp = false;
    for (const { controller } of [first, second]) await fails(controller);
    await time.pass(1_000);
    expect(await first.reach.probe()).toBe(false);
    await until(() => time.earliest === 1_500);
    expect(time.timers).toBe(2);
    await time.pass(1_499);
    expect(probes()).toBe(1);
  });

  it('reachability stops probing once the controller has stopped', async () => {
    const { controller } = open();
    isUp = false;
    await fails(controller);
    await controller.stop();
    expect(time.timers).toBe(0);
    expect(device.listeners).toBe(0);
  });
});

describe('a network in which another server responds', () => {
  const PAGE = '<!doctype html><html><body>Sign in to the network</body></html>';
  const page = (status = 200): Response =>
    new HttpResponse(PAGE, { status, headers: { 'content-type': 'text/html' } });
  class Article extends Entity {
    id = '';
  }
  const list = new RestEndpoint({ urlPrefix: prefix, path: '/articles', schema: [Article] });

  it.each([
    ['a page with status 200', () => page()],
    ['a redirect to a page of another origin', () => HttpResponse.redirect('https://portal.example/login')],
    ['511', () => page(511)],
  ])(
    'a captive portal is not taken for the server, neither by a read nor by a probe: %s',
    async (_, respond) => {
      server.use(http.all('https://portal.example/login', () => page()));
      const { controller, reach } = open({});
      answer(server, respond);
      await expect(controller.fetch(list)).rejects.toMatchObject({ isFromApi: false });
      expect(reach.status.get()).toBe('unreachable');
      expect(await reach.probe()).toBe(false);
      expect(reach.status.get()).toBe('unreachable');
      answer(server);
      expect(await reach.probe()).toBe(true);
    },
  );

  it('a page is no response of the configured URL if it was redirected to another origin', async () => {
    server.use(http.all('https://portal.example/login', () => page()));
    const { reach } = open();
    answer(server, () => HttpResponse.redirect('https://portal.example/login'));
    expect(await reach.probe()).toBe(false);
  });

  it('a page of the same origin is a response when its URL is configured', async () => {
    const { reach } = open({ url: `${prefix}/about` });
    answer(server, () => page());
    expect(await reach.probe()).toBe(true);
  });

  it.each([403, 404])(
    'reachability is not online because of a page with status %d in place of a list',
    async (status) => {
      const { controller, reach } = open({});
      isUp = false;
      await fails(controller);
      answer(server, ({ method }) => page(method === 'HEAD' ? 200 : status));
      await expect(controller.fetch(list)).rejects.toMatchObject({ status, isFromApi: false });
      expect(reach.status.get()).toBe('unreachable');
    },
  );

  it('reachability is not online because of a page with status 404 that a plugin reports by an error of the app', async () => {
    const { controller, reach } = open({}, [], [wrapErrors]);
    isUp = false;
    await fails(controller);
    answer(server, ({ method }) => page(method === 'HEAD' ? 200 : 404));
    await expect(controller.fetch(list)).rejects.toThrow('Not saved');
    expect(reach.status.get()).toBe('unreachable');
  });

  it.each([404, 405, 501])(
    'reachability is online if only HEAD is refused, by a page with status %d',
    async (status) => {
      const { controller, reach } = open({});
      isUp = false;
      await fails(controller);
      answer(server, () => page(status));
      expect(await reach.probe()).toBe(true);
    },
  );

  it('reachability is online if the server redirects requests without a token to its own login page', async () => {
    const { controller, reach } = open({});
    isUp = false;
    await fails(controller);
    answer(server, ({ headers, url }) => {
      if (url.endsWith('/login')) return page();
      return headers.has('authorization') ? HttpResponse.json([]) : HttpResponse.redirect(`${prefix}/login`);
    });
    expect(await reach.probe()).toBe(true);
  });

  it('a network in which something else answers is not offline for long if only one address always returns a page', async () => {
    const { controller, reach, told } = open({});
    answer(server, ({ url }) => (url.endsWith('/articles') ? page() : HttpResponse.json({ id: '1' })));
    for (let count = 0; count < 5; count++) {
      await expect(controller.fetch(list)).rejects.toMatchObject({ isFromApi: false });
      await controller.fetch(getArticle, { id: String(count) });
    }
    expect(reach.status.get()).toBe('reachable');
    expect(told.filter((isOnline) => !isOnline)).toHaveLength(2);
  });
});

describe('features that depend on the environment', () => {
  const save = new RestEndpoint({
    urlPrefix: prefix,
    path: '/article/:id',
    method: 'PUT',
    name: 'save',
  });

  it('polling pauses while the server is unreachable, and fetches at once when it is back', async () => {
    const { controller, reach } = open();
    const polled = getArticle.extend({ pollFrequency: 1_000 });
    controller.subscribe(polled, { id: '1' });
    isUp = false;
    await time.pass(1_000);
    await until(() => reach.status.get() === 'unreachable');
    const asked = received.length;
    await time.pass(1_499);
    expect(received).toHaveLength(asked);
    isUp = true;
    await time.pass(1);
    await until(() => received.at(-1)?.method === 'GET');
  });

  it('stale mounted data is fetched when the server is back', async () => {
    const { controller, reach } = open({ url: health }, [refetchOn()]);
    const stop = controller.watch(getArticle, { id: '1' }, () => undefined);
    await controller.fetch(getArticle, { id: '1' });
    isUp = false;
    await expect(controller.fetch(getArticle, { id: '2' })).rejects.toMatchObject({ status: 0 });
    await time.pass(1_000);
    controller.expireAll({ testKey: () => true });
    received.length = 0;
    isUp = true;
    await reach.probe();
    await until(() => received.some(({ method, url }) => method === 'GET' && url.endsWith('/article/1')));
    stop();
  });

  it('reachability makes the outbox send its mutations, which does not retry by itself while the server is unreachable', async () => {
    const box = outbox({ endpoints: [save] });
    const { controller, reach } = open({ url: health }, [box]);
    const saves = (): number => received.filter(({ method }) => method === 'PUT').length;
    isUp = false;
    await controller.fetch(save, { id: '1' }, { title: 'one' });
    expect([saves(), controller.environment.isOnline]).toEqual([1, false]);
    await controller.fetch(save, { id: '1' }, { title: 'two' });
    await time.pass(1_999);
    expect(saves()).toBe(1);
    expect(box.status.get().pending).toHaveLength(2);
    isUp = true;
    await reach.probe();
    await until(() => box.status.get().pending.length === 0);
    expect(received.slice(-2).map(({ text }) => text)).toEqual(['{"title":"one"}', '{"title":"two"}']);
  });
});
