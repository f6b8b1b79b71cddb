import { describe, expect, it } from '@jest/globals';
import { Endpoint, retry, type RetryOptions } from 'holdfast';
import { HttpResponse } from 'msw';
import { settled } from '../support/held.ts';
import { answer, startServer } from '../support/server.ts';
import { getArticle, save, withPlugin } from './withPlugin.ts';
import { until } from '../support/turns.ts';

const server = startServer();

/** A server that answers with these, one after the other and then with the last again. */
function answers(...responses: readonly (() => Response)[]) {
  let number = 0;
  return answer(server, () => (responses[number++] ?? responses.at(-1) ?? HttpResponse.error)());
}

const good = () => HttpResponse.json({ id: '1' });
const status = (code: number, headers: Record<string, string> = {}) => {
  return () => HttpResponse.json({}, { status: code, headers });
};

const noJitter: RetryOptions = { random: () => 0 };

describe('retry', () => {
  it('retry repeats a request after one second, then two, and returns the response', async () => {
    const { time, controller } = withPlugin(retry(noJitter));
    const asked = answers(status(503), status(500), good);
    const fetched = controller.fetch(getArticle, { id: '1' });
    await until(() => time.timers === 1);
    await time.pass(999);
    expect(asked).toHaveLength(1);
    await time.pass(1);
    await until(() => time.timers === 1);
    expect(asked).toHaveLength(2);
    await time.pass(1_999);
    expect(asked).toHaveLength(2);
    await time.pass(1);
    expect(await fetched).toEqual({ id: '1' });
    expect(asked).toHaveLength(3);
    expect(time.timers).toBe(0);
  });

  it('retry rejects with the error after the configured attempts', async () => {
    const { time, controller } = withPlugin(retry({ ...noJitter, attempts: 2 }));
    const asked = answers(status(500));
    const fetched = controller.fetch(getArticle, { id: '1' });
    const refused = expect(fetched).rejects.toMatchObject({ status: 500 });
    await until(() => time.timers === 1);
    await time.pass(1_000);
    await refused;
    expect(asked).toHaveLength(2);
  });

  it('retry shortens its delays by up to half at random, and waits half a minute at most', async () => {
    const { time, controller } = withPlugin(retry({ attempts: 10, random: () => 1 }));
    const asked = answers(status(500));
    controller.fetch(getArticle, { id: '1' }).catch(() => undefined);
    const waits: number[] = [];
    for (let attempt = 1; attempt < 8; attempt++) {
      await until(() => time.timers === 1);
      const before = time.now();
      while (asked.length === attempt) await time.pass(250);
      waits.push(time.now() - before);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    await controller.stop();
  });

  it.each([408, 429, 500, 502, 503])('retry repeats a request after status %d', async (code) => {
    const { time, controller } = withPlugin(retry());
    answers(status(code), good);
    const fetched = controller.fetch(getArticle, { id: '1' });
    await until(() => time.timers === 1);
    await time.pass(1_000);
    expect(await fetched).toEqual({ id: '1' });
  });

  it.each([400, 401, 404, 422])('retry accepts status %d as final', async (code) => {
    const { controller } = withPlugin(retry());
    const asked = answers(status(code), good);
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: code });
    expect(asked).toHaveLength(1);
  });

  it('retry does not repeat a request after an error that is not of the network', async () => {
    const { controller } = withPlugin(retry());
    let calls = 0;
    const broken = new Endpoint(
      async (): Promise<unknown> => {
        calls += 1;
        throw new TypeError('A mistake of ours');
      },
      { name: 'broken' },
    );
    await expect(controller.fetch(broken)).rejects.toThrow('A mistake of ours');
    expect(calls).toBe(1);
  });

  it('retry does not repeat mutations, unless configured', async () => {
    const { controller } = withPlugin(retry());
    const asked = answers(status(503), good);
    await expect(controller.fetch(save, { id: '1' }, {})).rejects.toMatchObject({ status: 503 });
    expect(asked).toHaveLength(1);

    const bold = withPlugin(retry({ when: (_error, { endpoint }) => endpoint.sideEffect === true }));
    answers(status(503), good);
    const saved = bold.controller.fetch(save, { id: '1' }, {});
    await until(() => bold.time.timers === 1);
    await bold.time.pass(1_000);
    expect(await saved).toEqual({ id: '1' });
  });

  it('retry waits as long as Retry-After says: seconds, or until a date', async () => {
    for (const header of ['20', new Date(Date.UTC(2026, 0, 1, 0, 0, 20)).toUTCString()]) {
      const { time, controller } = withPlugin(retry({ delay: () => 5_000 }));
      const asked = answers(status(429, { 'Retry-After': header }), good);
      const fetched = controller.fetch(getArticle, { id: '1' });
      await until(() => time.timers === 1);
      await time.pass(19_999);
      expect(asked).toHaveLength(1);
      await time.pass(1);
      expect(await fetched).toEqual({ id: '1' });
    }
  });

  it('retry compares the date of Retry-After with the clock of the server, if the response has it', async () => {
    const { time, controller } = withPlugin(retry({ delay: () => 5_000 }));
    const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 50, seconds)).toUTCString();
    const asked = answers(status(429, { 'Retry-After': at(20), Date: at(0) }), good);
    const fetched = controller.fetch(getArticle, { id: '1' });
    await until(() => time.timers === 1);
    await time.pass(19_999);
    expect(asked).toHaveLength(1);
    await time.pass(1);
    expect(await fetched).toEqual({ id: '1' });
  });

  it('retry waits for the network while offline', async () => {
    const { time, environment, controller } = withPlugin(retry());
    const asked = answers(() => HttpResponse.error(), good);
    environment.change({ isOnline: false });
    const fetched = controller.fetch(getArticle, { id: '1' });
    await until(() => time.timers === 1);
    await time.pass(60_000);
    expect(asked).toHaveLength(1);
    environment.change({ isVisible: false });
    environment.change({ isVisible: true });
    await settled();
    expect(asked).toHaveLength(1);
    environment.change({ isOnline: true });
    expect(await fetched).toEqual({ id: '1' });
    expect(environment.listeners).toBe(0);
  });

  it('retry rejects a waiting request as soon as its signal is aborted', async () => {
    const giveUp = new AbortController();
    const { time, environment, controller } = withPlugin(retry({ when: () => true }));
    const asked = answers(status(503), good);
    const fetched = controller.fetch(getArticle.extend({ signal: giveUp.signal }), { id: '1' });
    const refused = expect(fetched).rejects.toBe('Changed my mind');
    await until(() => time.timers === 1);
    giveUp.abort('Changed my mind');
    await refused;
    expect(time.timers).toBe(0);
    expect(environment.listeners).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it('retry does not repeat a request whose signal is aborted while it is in flight', async () => {
    const giveUp = new AbortController();
    const { time, controller } = withPlugin(retry({ when: () => true }));
    const asked = answers(() => (giveUp.abort('Changed my mind'), good()));
    const fetched = controller.fetch(getArticle.extend({ signal: giveUp.signal }), { id: '1' });
    await expect(fetched).rejects.toBe('Changed my mind');
    expect(time.timers).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it('retry rejects at once when the signal was aborted while `when` decided', async () => {
    const giveUp = new AbortController();
    const when = async (): Promise<boolean> => {
      giveUp.abort('Changed my mind');
      return true;
    };
    const { time, controller } = withPlugin(retry({ when }));
    const asked = answers(status(503), good);
    const fetched = controller.fetch(getArticle.extend({ signal: giveUp.signal }), { id: '1' });
    await expect(fetched).rejects.toBe('Changed my mind');
    expect(time.timers).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it('retry rejects with the reason of an abort during the last attempt', async () => {
    const giveUp = new AbortController();
    const { controller } = withPlugin(retry({ attempts: 1 }));
    answers(() => (giveUp.abort('Changed my mind'), status(503)()));
    const fetched = controller.fetch(getArticle.extend({ signal: giveUp.signal }), { id: '1' });
    await expect(fetched).rejects.toBe('Changed my mind');
  });

  it('retry rejects with the error of the last attempt where signals have no `throwIfAborted`', async () => {
    const { signal } = new AbortController();
    Object.defineProperty(signal, 'throwIfAborted', { value: undefined });
    const { controller } = withPlugin(retry({ attempts: 1 }));
    answers(status(503));
    await expect(controller.fetch(getArticle.extend({ signal }), { id: '1' })).rejects.toMatchObject({
      status: 503,
    });
  });

  it.each(['reset', 'stop'] as const)(
    'retry rejects with the error when the controller has a %s',
    async (end) => {
      const { time, controller } = withPlugin(retry());
      const asked = answers(status(503), good);
      const fetched = controller.fetch(getArticle, { id: '1' });
      const refused = expect(fetched).rejects.toMatchObject(
        end === 'stop' ? { status: 503 } : { code: 'HF_RESET', cause: { status: 503 } },
      );
      await until(() => time.timers === 1);
      await controller[end]();
      await refused;
      expect(time.timers).toBe(0);
      expect(asked).toHaveLength(1);
    },
  );

  it.each(['reset', 'stop'] as const)(
    'retry does not repeat a request that was in flight at a %s',
    async (end) => {
      const { time, controller } = withPlugin(retry({ when: () => true }));
      let respond = (): void => undefined;
      const responds = new Promise<void>((resolve) => (respond = resolve));
      const asked = answer(server, async () => {
        await responds;
        return status(503)();
      });
      const refused = expect(controller.fetch(save, { id: '1' }, {})).rejects.toThrow();
      await until(() => asked.length === 1);
      const ended = controller[end]();
      respond();
      await ended;
      await refused;
      expect(time.timers).toBe(0);
      expect(asked).toHaveLength(1);
    },
  );
});

describe('functions of untyped code', () => {
  it('an async predicate that resolves to false does not repeat a mutation', async () => {
    const { controller } = withPlugin(retry({ ...noJitter, when: () => Promise.resolve(false) }));
    const asked = answers(status(422));
    await expect(controller.fetch(save, { id: '1' })).rejects.toMatchObject({ status: 422 });
    expect(asked).toHaveLength(1);
  });

  it('a reset while an async predicate decides ends the retries', async () => {
    let decide: (isRetried: boolean) => void = () => undefined;
    const when = (): Promise<boolean> => new Promise((resolve) => (decide = resolve));
    const { time, controller } = withPlugin(retry({ ...noJitter, when }));
    const asked = answers(status(500));
    const fetched = controller.fetch(save, { id: '1' });
    const failed = expect(fetched).rejects.toMatchObject({ code: 'HF_RESET' });
    await until(() => asked.length === 1);
    await settled();
    await controller.reset();
    decide(true);
    await failed;
    expect(time.timers).toBe(0);
  });

  it.each([
    ['nothing', () => undefined as never],
    ['a promise', () => Promise.resolve(5) as never],
  ])('a delay that returns %s is the default one', async (_, delay) => {
    const { time, controller } = withPlugin(retry({ delay }));
    const asked = answers(status(500));
    controller.fetch(getArticle, { id: '1' }).catch(() => undefined);
    await until(() => time.timers === 1);
    await time.pass(499);
    expect(asked).toHaveLength(1);
    await time.pass(501);
    await until(() => asked.length === 2);
  });
});
