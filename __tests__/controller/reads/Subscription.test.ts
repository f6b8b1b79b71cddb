import { describe, expect, it, jest } from '@jest/globals';
import { All, Controller, createResource, Endpoint, Entity, type Plugin, type Read } from 'holdfast';
import { FakeEnvironment, FakeTime } from '../../support/fakeTime.ts';
import { Held, settled, StatusError } from '../../support/held.ts';
import { silently } from '../../support/silently.ts';

/** A controller with an endpoint that is polled each second, and how often it has been called. */
function polled({ plugins = [] }: { readonly plugins?: readonly Plugin[] } = {}) {
  const time = new FakeTime();
  const environment = new FakeEnvironment();
  const controller = new Controller({ now: time.now, schedule: time.schedule, environment, plugins });
  const held = new Held();
  let calls = 0;
  const price = new Endpoint(async ({ of }: { of: string }): Promise<unknown> => `${of} ${(calls += 1)}`, {
    name: 'price',
    pollFrequency: 1_000,
  });
  const slow = new Endpoint(held.fetch, { name: 'slow', pollFrequency: 1_000 });
  return { time, environment, controller, price, slow, held, calls: () => calls };
}

const gold = { of: 'gold' };

describe('polling', () => {
  it('polling fetches each time the interval has passed, until unsubscribed', async () => {
    const { time, controller, price, calls } = polled();
    controller.subscribe(price, gold);
    expect(calls()).toBe(0);
    await time.pass(999);
    expect(calls()).toBe(0);
    await time.pass(1);
    expect(calls()).toBe(1);
    await time.pass(2_000);
    expect(calls()).toBe(3);
    expect(controller.getResponse(price, gold).data).toBe('gold 3');
    controller.unsubscribe(price, gold);
    await time.pass(10_000);
    expect(calls()).toBe(3);
    expect(time.timers).toBe(0);
  });

  it('all subscribers of a key share one poll, which ends with the last subscriber', async () => {
    const { time, environment, controller, price, calls } = polled();
    for (let count = 0; count < 100; count++) controller.subscribe(price, gold);
    expect(time.timers).toBe(1);
    expect(environment.listeners).toBe(1);
    for (let count = 0; count < 99; count++) controller.unsubscribe(price, gold);
    await time.pass(1_000);
    expect(calls()).toBe(1);
    controller.unsubscribe(price, gold);
    expect([time.timers, environment.listeners]).toEqual([0, 0]);
    controller.unsubscribe(price, gold);
    controller.subscribe(price, gold);
    expect(time.timers).toBe(1);
  });

  it('polling has the shortest interval of all subscribers', async () => {
    const { time, controller, price, calls } = polled();
    const often = price.extend({ pollFrequency: 100 });
    controller.subscribe(price, gold);
    controller.subscribe(often, gold);
    await time.pass(1_000);
    expect(calls()).toBe(10);
    controller.unsubscribe(often, gold);
    await time.pass(1_000);
    expect(calls()).toBe(11);
    controller.unsubscribe(price, gold);
    expect(time.timers).toBe(0);
  });

  it('unsubscribing with an endpoint that is created again ends its own interval, not another', async () => {
    const { time, controller, price, calls } = polled();
    const often = (): typeof price => price.extend({ pollFrequency: 100 });
    controller.subscribe(price, gold);
    controller.subscribe(often(), gold);
    controller.unsubscribe(often(), gold);
    await time.pass(999);
    expect(calls()).toBe(0);
    await time.pass(1);
    expect(calls()).toBe(1);
    controller.unsubscribe(price.extend({}), gold);
    expect(time.timers).toBe(0);
  });

  it('only reads with an interval, args and no side effect are polled', async () => {
    const { time, controller, price } = polled();
    await silently(() => controller.subscribe(price.extend({ pollFrequency: undefined }), gold));
    // @ts-expect-error a mutation is no read
    controller.subscribe(price.extend({ name: 'write', sideEffect: true }), gold);
    controller.subscribe(price, null);
    expect(time.timers).toBe(0);
    // Another endpoint of the same key does.
    controller.subscribe(price, gold);
    expect(time.timers).toBe(1);
  });

  it('polling waits while offline or hidden, and then fetches at once if it is overdue', async () => {
    for (const [away, back] of [
      [{ isOnline: false }, { isOnline: true }],
      [{ isVisible: false }, { isVisible: true }],
    ]) {
      const { time, environment, controller, price, calls } = polled();
      controller.subscribe(price, gold);
      environment.change(away ?? {});
      expect(time.timers).toBe(0);
      await time.pass(5_000);
      expect(calls()).toBe(0);
      environment.change(back ?? {});
      expect(calls()).toBe(1);
      await time.pass(600);
      environment.change(away ?? {});
      environment.change(back ?? {});
      expect(calls()).toBe(1);
      await time.pass(400);
      expect(calls()).toBe(2);
    }
  });

  it('polling sends no request while one is pending', async () => {
    const { time, environment, controller, slow, held } = polled();
    controller.subscribe(slow, gold);
    await time.pass(5_000);
    environment.change({ isVisible: false });
    environment.change({ isVisible: true });
    expect(held.calls).toHaveLength(1);
    held.call(0).resolve('slow answer');
    await settled();
    expect(held.calls).toHaveLength(2);
  });

  it('polling shares a request that is in flight', async () => {
    const { time, controller, slow, held } = polled();
    controller.subscribe(slow, gold);
    await time.pass(900);
    const fetched = controller.fetch(slow, gold);
    await time.pass(100);
    expect(held.calls).toHaveLength(1);
    held.call(0).resolve('one answer');
    expect(await fetched).toBe('one answer');
  });

  it('polling continues after an error', async () => {
    const { time, controller, slow, held } = polled();
    controller.subscribe(slow, gold);
    await time.pass(1_000);
    held.call(0).reject(new Error('Out of order'));
    await time.pass(1_000);
    held.call(1).resolve('mended');
    await settled();
    expect(controller.getResponse(slow, gold).data).toBe('mended');
  });

  it('polling continues after the key of its endpoint has thrown', async () => {
    const { time, controller, price, calls } = polled();
    let isConfigured = true;
    const configured = price.extend({
      key({ of }: { of: string }) {
        if (!isConfigured) throw new Error('No address');
        return of;
      },
    });
    controller.subscribe(configured, gold);
    isConfigured = false;
    await time.pass(1_000);
    isConfigured = true;
    await time.pass(1_000);
    expect(calls()).toBe(1);
  });

  it('a request that fails without a connection after the controller has stopped leaves no listener behind', async () => {
    const { environment, controller, slow, held } = polled();
    const fetched = controller.fetch(slow, gold);
    await settled();
    await controller.stop();
    held.call(0).reject(new StatusError(0));
    await expect(fetched).rejects.toThrow();
    expect(environment.listeners).toBe(0);
  });

  it('polling continues after a reset, and ends when the controller stops', async () => {
    const { time, environment, controller, price, calls } = polled();
    controller.subscribe(price, gold);
    await controller.reset();
    await time.pass(1_000);
    expect(calls()).toBe(1);
    await controller.stop();
    expect([time.timers, environment.listeners]).toEqual([0, 0]);
    controller.subscribe(price, gold);
    expect(time.timers).toBe(0);
  });

  it('a clock that was set back does not delay polling', async () => {
    const { time, controller, price, calls } = polled();
    controller.subscribe(price, gold);
    time.jump(-3_600_000);
    await time.pass(1_000);
    await time.pass(1_000);
    expect(calls()).toBe(1);
  });
});

describe('a plugin that takes subscriptions', () => {
  function feed() {
    const taken: string[] = [];
    const plugin: Plugin = {
      name: 'feed',
      subscribe({ endpoint, key }: Read) {
        if (endpoint.extra !== 'feed') return undefined;
        taken.push(`begin ${key}`);
        return () => taken.push(`end ${key}`);
      },
    };
    return { plugin, taken };
  }

  it('a plugin receives one subscription for all subscribers, and is notified when the last one ends', () => {
    const { plugin, taken } = feed();
    const { time, controller, price } = polled({ plugins: [plugin] });
    const fed = price.extend({ extra: 'feed' });
    controller.subscribe(fed, gold);
    controller.subscribe(fed, gold);
    expect(time.timers).toBe(0);
    controller.unsubscribe(fed, gold);
    expect(taken).toEqual([`begin ${fed.key(gold)}`]);
    controller.unsubscribe(fed, gold);
    expect(taken).toEqual([`begin ${fed.key(gold)}`, `end ${fed.key(gold)}`]);
  });

  it('a plugin leaves other subscriptions to polling, also when it fails', () => {
    const { plugin } = feed();
    const failing: Plugin = {
      name: 'failing',
      subscribe() {
        throw new Error('No feed today');
      },
    };
    const reported = console.error;
    const told: unknown[] = [];
    console.error = (error: unknown) => told.push(error);
    const { time, controller, price } = polled({ plugins: [failing, plugin] });
    controller.subscribe(price, gold);
    console.error = reported;
    expect(time.timers).toBe(1);
    expect(told).toHaveLength(1);
  });

  it('a plugin that subscribes to the same read itself is another subscriber', () => {
    const taken: string[] = [];
    let controller: Controller;
    const plugin: Plugin = {
      name: 'also polling',
      start(started) {
        controller = started;
      },
      subscribe({ endpoint, args, key }: Read) {
        taken.push(`begin ${key}`);
        controller.subscribe(endpoint, ...args);
        return () => {
          taken.push(`end ${key}`);
        };
      },
    };
    const { time, controller: started, price } = polled({ plugins: [plugin] });
    started.subscribe(price, gold);
    started.unsubscribe(price, gold);
    expect([taken, time.timers]).toEqual([[`begin ${price.key(gold)}`], 0]);
    started.unsubscribe(price, gold);
    expect([taken.slice(1), time.timers]).toEqual([[`end ${price.key(gold)}`], 0]);
  });

  it('a plugin is notified of the end of its subscriptions when the controller stops', async () => {
    const { plugin, taken } = feed();
    const { controller, price } = polled({ plugins: [plugin] });
    controller.subscribe(price.extend({ extra: 'feed' }), gold);
    await controller.stop();
    expect(taken).toHaveLength(2);
  });

  it('a plugin is subscribed to a created entity, and to the lists below it, once the server has assigned the pk', async () => {
    const { plugin, taken } = logging();
    const controller = new Controller({ plugins: [plugin] });
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { Rooms, Messages, held } = rooms();
    const creating = controller.fetch(Rooms.create, { title: 'Kelp' });
    const [room] = controller.get(new All(Room)) ?? [];
    const params = { id: room!.id };
    const below = { roomId: room!.id };
    controller.subscribe(Rooms.get, params);
    controller.subscribe(Messages.getList, below);
    await settled();
    expect(taken).toEqual([]);
    held.call(0).resolve({ id: '7', title: 'Kelp' });
    await creating;
    expect(taken).toEqual(['begin /rooms/7', 'begin /rooms/7/messages']);
    controller.unsubscribe(Rooms.get, params);
    controller.unsubscribe(Messages.getList, below);
    expect(taken.slice(2)).toEqual(['end /rooms/7', 'end /rooms/7/messages']);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('a plugin is subscribed to a renamed entity under its new pk', async () => {
    const { plugin, taken } = logging();
    const controller = new Controller({ plugins: [plugin] });
    const { Rooms } = rooms();
    controller.setResponse(Rooms.get, { id: 'kelp' }, { id: 'kelp', title: 'Kelp' });
    controller.subscribe(Rooms.get, { id: 'kelp' });
    controller.setResponse(Rooms.update, { id: 'kelp' }, { title: 'Moss' }, { id: 'moss', title: 'Moss' });
    expect(taken).toEqual(['begin /rooms/kelp', 'end /rooms/kelp', 'begin /rooms/moss']);
    controller.set(Room, { id: 'moss' }, { title: 'Moss, too' });
    expect(taken).toHaveLength(3);
    await controller.stop();
    expect(taken.slice(3)).toEqual(['end /rooms/moss']);
  });
});

class Room extends Entity {
  id = '';
  title = '';
  static override key = 'Room';
}

class Message extends Entity {
  id = '';
  text = '';
  static override key = 'Message';
}

/** Rooms, whose requests the test answers, and the messages in them. */
function rooms() {
  const held = new Held();
  const options = { optimistic: true, fetchResponse: async () => Response.json(await held.fetch({})) };
  return {
    held,
    Rooms: createResource({ path: '/rooms/:id', schema: Room, ...options }),
    Messages: createResource({ path: '/rooms/:roomId/messages/:id', schema: Message, ...options }),
  };
}

/** A plugin that handles all subscriptions. */
function logging() {
  const taken: string[] = [];
  const plugin: Plugin = {
    name: 'logging',
    subscribe({ endpoint, args, key }: Read) {
      expect(key).toBe(endpoint.key(...args));
      const path = key.replace('GET ', '');
      taken.push(`begin ${path}`);
      return () => taken.push(`end ${path}`);
    },
  };
  return { plugin, taken };
}

describe('mountedReads', () => {
  it('mountedReads names each mounted read once, and whether it is stale', async () => {
    const { time, controller, price, slow } = polled();
    const stops = [
      controller.watch(price, gold, () => undefined),
      controller.watch(price, gold, () => undefined),
      controller.watch(slow, gold, () => undefined),
    ];
    const shown = () => controller.mountedReads().map(({ endpoint, isStale }) => [endpoint.name, isStale]);
    expect(shown()).toEqual([
      ['price', false],
      ['slow', false],
    ]);
    await controller.fetch(price, gold);
    time.jump(60_000);
    expect(shown()).toEqual([
      ['price', true],
      ['slow', false],
    ]);
    stops[0]?.();
    stops[0]?.();
    expect(shown()).toHaveLength(2);
    stops[1]?.();
    stops[2]?.();
    expect(shown()).toEqual([]);
  });
});

describe('a subscription that nothing serves', () => {
  it('an unserved subscription warns once, unless the endpoint is polled or a plugin serves it', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const served: Plugin = {
      name: 'served',
      subscribe: ({ key }) => (key.includes('silver') ? () => undefined : undefined),
    };
    const { controller, price } = polled({ plugins: [served] });
    controller.subscribe(price, gold);
    controller.subscribe(price.extend({ name: 'off', pollFrequency: 0 }), { of: 'iron' });
    const still = new Endpoint(async ({ of }: { of: string }) => Promise.resolve(of), { name: 'still' });
    controller.subscribe(still, { of: 'silver' });
    expect(warn).not.toHaveBeenCalled();
    controller.subscribe(still, gold);
    controller.subscribe(still, { of: 'copper' });
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/still has a subscription.*pollFrequency[^]*HF_SUBSCRIPTION/)],
    ]);
    warn.mockRestore();
  });
});
