/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Endpoint } from 'holdfast';
import { Network } from './network.ts';
import { ArticleWithText, getArticle, openTab, wakePages, type Tab } from '../support/tabs.ts';

let network: Network;
let opened: Tab[] = [];
let now = 1_000;
const origins: string[] = [];
/** When the resets were, in ms since the epoch. */
const times: number[] = [];

beforeEach(() => {
  network = new Network();
  network.install();
  origins.length = times.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.map((tab) => tab.controller.stop()));
  opened = [];
  network.restore();
});

/** Opens a tab with a storage plugin that notes who resets it. */
function open(): Tab {
  const storage = {
    name: 'storage',
    reset: (origin: string, _unsent: unknown, at: number) => {
      origins.push(origin);
      times.push(at);
      return Promise.resolve();
    },
  };
  const tab = openTab({ now: () => now, plugins: [storage] });
  opened.push(tab);
  now += 1;
  return tab;
}

describe('a reset', () => {
  it('a reset empties all tabs, and each storage receives its origin', async () => {
    const [first, second, third] = [open(), open(), open()];
    await network.deliver();
    first.write('1', 'secret');
    await network.deliver();
    const { posted } = network;
    await first.controller.reset();
    await network.deliver();
    for (const tab of [first, second, third]) expect(tab.title('1')).toBeUndefined();
    expect(origins).toEqual(['app', 'tabs', 'tabs']);
    // No tab answers a reset by one.
    expect(network.posted - posted).toBe(1);
  });

  it('a reset fences requests in flight in the other tabs', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    let answer: (value: unknown) => void = () => undefined;
    const slow = new Endpoint(
      (_params: { id: string }) =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      { name: 'slow', schema: ArticleWithText },
    );
    const fetched = second.controller.fetch(slow, { id: '1' });
    fetched.catch(() => undefined);
    await network.microtasks();
    await first.controller.reset();
    await network.deliver();
    answer({ id: '1', title: 'secret' });
    await expect(fetched).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(second.title('1')).toBeUndefined();
  });

  it('a reset drops changes broadcast before it that arrive after it', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    second.write('1', 'secret');
    await network.microtasks();
    now += 1;
    await first.controller.reset();
    first.write('2', 'after');
    await network.deliver();
    expect([first.title('1'), second.title('1')]).toEqual([undefined, undefined]);
    expect([first.title('2'), second.title('2')]).toEqual(['after', 'after']);
  });

  it('a reset drops changes of the same task that were not broadcast yet', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    first.write('1', 'secret');
    void first.controller.reset();
    await network.deliver();
    expect(second.commits.every(({ action }) => action.type !== 'apply')).toBe(true);
  });

  it('a tab that missed a reset performs it on the next message, and restores nothing', async () => {
    const [first, second, third] = [open(), open(), open()];
    await network.deliver();
    first.write('1', 'secret');
    await network.deliver();
    now += 1;
    await first.controller.reset();
    await network.lose();
    second.controller.setResponse(getArticle, { id: '1' }, { id: '1', title: 'secret again' });
    await network.deliver();
    expect(first.title('1')).toBeUndefined();
    expect(second.title('1')).toBeUndefined();
    expect(third.title('1')).toBe('secret again');
    wakePages();
    await network.deliver();
    expect(third.title('1')).toBeUndefined();
  });

  it('a reset from before a tab opened does not affect its data', async () => {
    const first = open();
    await first.controller.reset();
    now += 1;
    const second = open();
    second.write('1', 'new');
    await network.deliver();
    expect(second.title('1')).toBe('new');
    expect(first.title('1')).toBe('new');
  });

  it('a reset from before two tabs opened does not affect their first messages', async () => {
    const first = open();
    await first.controller.reset();
    now += 1;
    const [second, third] = [open(), open()];
    // Second and third greet each other while nothing reaches the first, or comes from it.
    await network.deliverAmong([1, 2]);
    second.write('1', 'new');
    third.write('2', 'new');
    await network.deliverAmong([1, 2]);
    expect([third.title('1'), second.title('2')]).toEqual(['new', 'new']);
    expect(first.title('1')).toBeUndefined();
    await network.deliver();
    for (const tab of [first, second, third])
      expect([tab.title('1'), tab.title('2')]).toEqual(['new', 'new']);
  });

  it('a reset that a plugin detected is broadcast only by the tab that performed it', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    first.write('1', 'here');
    await network.deliver();
    const { posted } = network;
    await first.controller.reset({ origin: 'storage' });
    await network.deliver();
    expect(network.posted).toBe(posted);
    expect([first.title('1'), second.title('1')]).toEqual([undefined, 'here']);
    first.write('2', 'after');
    await network.deliver();
    expect(second.title('2')).toBe('after');
  });

  it('a tab that has found a reset on disk keeps its later data when the message of that reset arrives', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    first.write('1', 'secret');
    await network.deliver();
    await first.controller.reset();
    await second.controller.reset({ origin: 'storage', at: times[0] ?? 0 });
    second.write('2', 'after');
    await network.deliver();
    for (const tab of [first, second]) expect([tab.title('1'), tab.title('2')]).toEqual([undefined, 'after']);
    expect(origins).toEqual(['app', 'storage']);
    now += 1;
    await first.controller.reset();
    await network.deliver();
    expect(second.title('2')).toBeUndefined();
  });

  it('a tab that has found a reset on disk drops changes that were broadcast before it', async () => {
    const [first, second, third] = [open(), open(), open()];
    await network.deliver();
    third.write('1', 'secret');
    await network.microtasks();
    now += 1;
    await first.controller.reset();
    await second.controller.reset({ origin: 'storage', at: times[0] ?? 0 });
    second.write('2', 'after');
    await network.deliver();
    for (const tab of [first, second, third])
      expect([tab.title('1'), tab.title('2')]).toEqual([undefined, 'after']);
  });

  it('two resets within a millisecond have different times', async () => {
    const first = open();
    await first.controller.reset();
    await first.controller.reset();
    expect(times[1]).toBeGreaterThan(times[0]!);
  });

  it('a reset reaches all tabs at any fraction of a millisecond', async () => {
    now += 0.25;
    const [first, second] = [open(), open()];
    await network.deliver();
    first.write('1', 'secret');
    await network.deliver();
    await first.controller.reset();
    await network.deliver();
    expect(second.title('1')).toBeUndefined();
  });

  it('concurrent resets in two tabs count as one', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    void first.controller.reset();
    void second.controller.reset();
    first.write('1', 'after');
    await network.deliver();
    expect(origins).toEqual(['app', 'app']);
    expect([first.title('1'), second.title('1')]).toEqual(['after', 'after']);
  });
});
