/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExpiryStatus, Mutations, type Plugin, type SideRecords, type StoragePlugin } from 'holdfast';
import { outbox } from 'holdfast/outbox';
import { Network } from './network.ts';
import { getArticle, openTab, wakePages, type Tab } from '../support/tabs.ts';

let network: Network;
let opened: Tab[] = [];

beforeEach(() => {
  network = new Network();
  network.install();
});
afterEach(async () => {
  await Promise.all(opened.map((tab) => tab.controller.stop()));
  opened = [];
  network.restore();
});

function open(...options: Parameters<typeof openTab>): Tab {
  const tab = openTab(...options);
  opened.push(tab);
  return tab;
}

/** A storage plugin as far as this goes: it counts how often it is asked to read again. */
function disk(): StoragePlugin & { times: number } {
  return {
    name: 'disk',
    times: 0,
    restore: () => Promise.resolve(undefined),
    catchUp() {
      this.times += 1;
      return Promise.resolve();
    },
  };
}

describe('lost messages', () => {
  it('a lost message is noticed at the next one, and its changes are sent again', async () => {
    const storage = disk();
    const [first, second] = [open(), open({ plugins: [storage] })];
    await network.deliver();
    first.write('1', 'lost');
    await network.lose();
    first.write('2', 'arrived');
    await network.deliver();
    expect([second.title('1'), second.title('2')]).toEqual(['lost', 'arrived']);
    expect(storage.times).toBe(0);
  });

  it('a lost message is requested once, however many messages come before the response', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    first.write('1', 'lost');
    await network.lose();
    const { posted } = network;
    for (let id = 2; id < 50; id++) {
      first.write(String(id), 'arrived');
      await network.microtasks();
    }
    await network.deliver();
    expect(second.title('1')).toBe('lost');
    // 48 changes, a question and its answer.
    expect(network.posted - posted).toBe(50);
  });

  it('a lost message is requested again when the response is lost as well', async () => {
    let now = 1_000;
    const [first, second] = [open({ now: () => now }), open({ now: () => now })];
    await network.deliver();
    first.write('1', 'lost');
    await network.lose();
    first.write('2', 'arrived');
    await network.deliverOne(0);
    await network.lose();
    now += 1_000;
    first.write('3', 'arrived');
    await network.deliver();
    expect(['1', '2', '3'].map((id) => second.title(id))).toEqual(['lost', 'arrived', 'arrived']);
  });

  it('a lost message is requested again when the page becomes visible', async () => {
    const [first, second] = [open(), open()];
    await network.deliver();
    first.write('1', 'lost');
    await network.lose();
    wakePages();
    await network.deliver();
    expect(second.title('1')).toBe('lost');
    const { posted } = network;
    wakePages();
    await network.deliver();
    // Two questions and, since nothing was missed, no answer.
    expect(network.posted - posted).toBe(2);
  });
});

describe('what the sender does not remember', () => {
  async function missForGood(plugins: Plugin[]): Promise<Tab> {
    let now = 1_000;
    const [first, second] = [open({ now: () => now }), open({ now: () => now, plugins })];
    await network.deliver();
    second.controller.setResponse(getArticle, { id: '5' }, { id: '5', title: 'seen' });
    await network.deliver();
    first.write('1', 'lost');
    await network.lose();
    now += 60_001;
    first.write('2', 'arrived');
    await network.deliver();
    expect(second.title('1')).toBeUndefined();
    expect(second.title('2')).toBe('arrived');
    return second;
  }

  it('changes that the sender no longer has are read from disk', async () => {
    const storage = disk();
    await missForGood([storage]);
    expect(storage.times).toBe(1);
  });

  it.each([
    ['and no outbox', () => []],
    ['but an outbox', () => [outbox({ endpoints: [], onError: () => undefined })]],
  ])(
    'changes that the sender no longer has are fetched at the next read without a disk %s',
    async (_, plugins) => {
      const tab = await missForGood(plugins());
      // The outbox reads its own records before.
      await tab.controller.catchUp();
      await network.microtasks();
      const { data, expiresAt, expiryStatus } = tab.controller.getResponse(getArticle, { id: '5' });
      expect({ title: data?.title, expiresAt, expiryStatus }).toEqual({
        title: 'seen',
        expiresAt: 0,
        expiryStatus: ExpiryStatus.Valid,
      });
    },
  );

  it('results that a catch-up makes stale stay fresh in other tabs', async () => {
    const third = open({ now: () => 70_000 });
    await missForGood([]);
    expect(third.controller.getResponse(getArticle, { id: '5' }).expiresAt).toBeGreaterThan(0);
  });
});

describe('a page that is put away as a whole', () => {
  it('a page in the back/forward cache is not notified, and catches up when it is restored', async () => {
    const storage = disk();
    const [first, second] = [open(), open({ plugins: [storage] })];
    await network.deliver();
    first.write('1', 'before');
    window.dispatchEvent(new Event('pagehide'));
    await network.deliver();
    expect(second.title('1')).toBe('before');
    const { posted } = network;
    first.write('1', 'meanwhile');
    await network.deliver();
    expect(network.posted).toBe(posted);
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await network.deliver();
    expect(second.title('1')).toBe('meanwhile');
    expect(storage.times).toBe(1);
  });

  it('a prerendered page catches up when it is shown: its messages were delayed until then', async () => {
    const storage = disk();
    open({ plugins: [storage] });
    document.dispatchEvent(new Event('prerenderingchange'));
    await network.deliver();
    expect(storage.times).toBe(1);
  });

  it('a page that is shown for the first time does not catch up', async () => {
    const storage = disk();
    open({ plugins: [storage] });
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
    await network.deliver();
    expect(storage.times).toBe(0);
  });
});

describe('a tab that opens later', () => {
  it('a tab that opens later receives recent commits, which may not be on disk yet', async () => {
    const first = open();
    await network.deliver();
    first.write('1', 'lately');
    first.controller.setResponse(getArticle, { id: '2' }, { id: '2', title: 'lately too' });
    await network.deliver();
    const second = open();
    await network.deliver();
    expect(second.title('1')).toBe('lately');
    expect(second.controller.getResponse(getArticle, { id: '2' }).data?.title).toBe('lately too');
  });

  it('a tab that opens later does not receive a record that another tab has deleted since', async () => {
    const received: SideRecords[number][] = [];
    const queue = {
      name: 'queue',
      settles: (records: SideRecords) => {
        received.push(...records);
        return [];
      },
    };
    const [first, second] = [open({ plugins: [queue] }), open({ plugins: [queue] })];
    await network.deliver();
    new Mutations(first.controller).commit({ origin: 'queue', side: { queue: [['sent', 1], ['pending', 2]] } }); // oxfmt-ignore
    await network.deliver();
    new Mutations(second.controller).commit({ origin: 'queue', side: { queue: [['sent', undefined]] } });
    await network.deliver();
    await second.controller.stop();
    received.length = 0;
    open({ plugins: [queue] });
    await network.deliver();
    expect(received).toEqual([['pending', 2]]);
  });

  it('a tab that opens later broadcasts what it committed before it saw the others', async () => {
    const first = open();
    await network.deliver();
    const second = open();
    second.write('1', 'first words');
    await network.deliver();
    expect(first.title('1')).toBe('first words');
  });
});

describe('a stopped tab', () => {
  it('a tab that stops before it has answered many others sends nothing afterwards', async () => {
    const tab = open({ schedule: network.schedule });
    await network.deliver();
    tab.write('1', 'a title');
    for (let others = 0; others < 10; others++) open();
    await network.deliverAmong(Array.from({ length: 11 }, (_, place) => place));
    await tab.controller.stop();
    const { posted } = network;
    tab.write('1', 'another title');
    await network.deliver();
    expect(network.posted).toBe(posted);
    expect(tab.errors).toEqual([]);
  });

  it('a stopped tab no longer listens to its page', async () => {
    const tab = open();
    await tab.controller.stop();
    const { posted } = network;
    wakePages();
    window.dispatchEvent(new Event('pagehide'));
    await network.deliver();
    expect(network.posted).toBe(posted);
  });
});
