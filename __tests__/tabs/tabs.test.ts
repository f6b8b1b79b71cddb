import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Delete,
  Endpoint,
  Entity,
  ExpiryStatus,
  type HoldfastError,
  type SideRecords,
} from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { Store } from '../../src/store/Store.ts';
import { Network } from './network.ts';
import { allArticles, ArticleWithText, getArticle, getArticles, openTab } from '../support/tabs.ts';
import { Author, Log } from '../support/entities.ts';

let network: Network;

beforeEach(() => {
  network = new Network();
  network.install();
});
afterEach(() => network.restore());

describe('broadcast commits', () => {
  it('a commit reaches every other tab of the same name and scope, and no other', async () => {
    const [first, second, third] = [openTab(), openTab(), openTab()];
    const strangers = [openTab({ scope: 'ann' }), openTab({ name: 'other' })];
    await network.deliver();
    first.write('1', 'news');
    await network.deliver();
    expect([second, third].map((tab) => tab.title('1'))).toEqual(['news', 'news']);
    expect(strangers.map((tab) => tab.title('1'))).toEqual([undefined, undefined]);
  });

  it('a commit is broadcast with rows, results and times, so that other tabs do not fetch', async () => {
    const [first, second] = [openTab(), openTab()];
    const article = await first.controller.fetch(getArticle, { id: '1' });
    await network.deliver();
    const reading = second.controller.getResponse(getArticle, { id: '1' });
    expect(reading.data).toEqual(article);
    expect(reading.expiryStatus).toBe(ExpiryStatus.Valid);
    expect(reading.expiresAt).toBe(first.controller.getResponse(getArticle, { id: '1' }).expiresAt);
    expect(second.controller.fetchIfStale(getArticle, { id: '1' })).toBe(reading.data);
    expect(second.controller.get(allArticles)).toEqual([article]);
  });

  it('commits are broadcast in one message for each task, with the last value', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    const { posted } = network;
    for (const title of ['a', 'b', 'c']) {
      first.write('1', title);
      first.write('2', title);
    }
    await network.deliver();
    expect(network.posted - posted).toBe(1);
    expect([second.title('1'), second.title('2')]).toEqual(['c', 'c']);
    expect(second.commits).toHaveLength(1);
  });

  it('commits are not echoed, nor broadcast by a tab that is alone', async () => {
    const first = openTab();
    first.write('1', 'a');
    await network.deliver();
    // The greeting.
    expect(network.posted).toBe(1);
    const [second, third] = [openTab(), openTab()];
    await network.deliver();
    expect([second.title('1'), third.title('1')]).toEqual(['a', 'a']);
    const { posted } = network;
    first.write('1', 'b');
    await network.deliver();
    expect(network.posted - posted).toBe(1);
    await second.controller.stop();
    await third.controller.stop();
    await network.deliver();
    first.write('1', 'c');
    await network.deliver();
    expect(network.posted - posted).toBe(3);
  });

  it('a commit never overwrites newer data in another tab', async () => {
    const [first, second] = [openTab({ now: () => 1_000 }), openTab({ now: () => 2_000 })];
    await network.deliver();
    second.write('1', 'newer');
    first.write('1', 'older');
    await network.deliver();
    expect([first.title('1'), second.title('1')]).toEqual(['newer', 'newer']);
  });

  it('a merged row is not merged again in another tab', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    for (const tab of [first, second, first]) {
      tab.controller.set(Log, { id: '1' }, { id: '1', lines: [tab === first ? 'first' : 'second'] });
      await network.deliver();
    }
    // Twice in one task: the receiver has the version before both.
    for (const line of ['a', 'b']) first.controller.set(Log, { id: '1' }, { id: '1', lines: [line] });
    await network.deliver();
    const lines = ['first', 'second', 'first', 'a', 'b'];
    expect([first, second].map((tab) => tab.controller.get(Log, { id: '1' })?.lines)).toEqual([lines, lines]);
    first.controller.set(Log, { id: '1' }, (draft) => {
      delete draft.lines;
    });
    await network.deliver();
    expect(second.controller.getState().tables['Log']?.get('1')?.value).toEqual({ id: '1' });
  });

  it('deletions, invalidations and expirations are broadcast', async () => {
    const [first, second] = [openTab(), openTab()];
    await first.controller.fetch(getArticle, { id: '1' });
    await first.controller.fetch(getArticles);
    await network.deliver();
    first.controller.expireAll(getArticles);
    await network.deliver();
    expect(second.controller.getResponse(getArticles)).toMatchObject({ data: [{ id: '1' }], expiresAt: 0 });
    first.controller.invalidate(getArticles);
    await network.deliver();
    expect(second.controller.getResponse(getArticles).expiryStatus).toBe(ExpiryStatus.Invalid);
    const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'remove',
      sideEffect: true,
      schema: new Delete(ArticleWithText),
    });
    await first.controller.fetch(remove, { id: '1' });
    await network.deliver();
    expect(second.title('1')).toBeUndefined();
    expect(second.controller.getResponse(getArticle, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Invalid);
  });

  it('optimistic changes, restored data, collections of garbage and errors are not broadcast', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    const { posted } = network;
    const rename = new Endpoint(() => new Promise<never>(() => undefined), {
      name: 'rename',
      sideEffect: true,
      schema: ArticleWithText,
      getOptimisticResponse: () => ({ id: '1', title: 'wished' }),
    });
    void first.controller.fetch(rename);
    const meta = { requestedAt: 0, receivedAt: 0, expiresAt: Infinity, order: 1, answered: 0 };
    first.controller.apply(
      { rows: [['Article', '2', { value: { id: '2', title: 'restored' }, meta }]], results: [] },
      { origin: 'indexeddb', type: 'restore' },
    );
    first.controller.setError(getArticle, { id: '3' }, new Error('not here'));
    await network.deliver();
    expect(network.posted).toBe(posted);
    expect([first.title('1'), first.title('2')]).toEqual(['wished', 'restored']);
    expect(second.commits).toEqual([]);
  });

  it('a commit of equal data changes nothing in another tab, and no identity', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    second.controller.setResponse(
      getArticle,
      { id: '1' },
      { id: '1', title: 'same', author: { id: '5', name: 'Ann' } },
    );
    const article = second.controller.get(ArticleWithText, { id: '1' });
    expect(article?.author).toBeInstanceOf(Author);
    await network.deliver();
    first.controller.setResponse(
      getArticle,
      { id: '1' },
      { id: '1', title: 'same', author: { id: '5', name: 'Ann' } },
    );
    await network.deliver();
    expect(second.controller.get(ArticleWithText, { id: '1' })).toBe(article);
    expect(second.controller.getResponse(getArticle, { id: '1' }).data).toBe(article);
  });

  it('an expiration in one tab also applies to a response that arrives later', async () => {
    const [first, second, third] = [openTab(), openTab(), openTab()];
    await network.deliver();
    first.controller.setResponse(getArticle, { id: '1' }, { id: '1', title: 'a' });
    await network.deliverAmong([0, 1]);
    second.controller.expireAll(getArticle);
    await network.deliverAmong([1, 2]);
    await network.deliver();
    for (const tab of [first, second, third])
      expect(tab.controller.getResponse(getArticle, { id: '1' })).toMatchObject({
        data: { title: 'a' },
        expiresAt: 0,
      });
  });

  it('all tabs converge when two commits have the same order', async () => {
    const [first, second, third] = [1, 2, 3].map(() => openTab({ now: () => 1_000 })) as [
      ReturnType<typeof openTab>,
      ReturnType<typeof openTab>,
      ReturnType<typeof openTab>,
    ];
    await network.deliver();
    first.write('1', 'from the first');
    second.write('1', 'from the second');
    await network.deliver();
    expect(first.title('1')).toBe(second.title('1'));
    expect(third.title('1')).toBe(second.title('1'));
  });
});

describe('what is refused', () => {
  it('an entity without an explicit key is not broadcast, nor its results; the rest is', async () => {
    class Nameless extends Entity {
      id = '';
    }
    const getNameless = new Endpoint(async () => [{ id: '1' }], { name: 'getNameless', schema: [Nameless] });
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    await first.controller.fetch(getNameless);
    await first.controller.fetch(getNameless);
    first.write('1', 'shared');
    await network.deliver();
    expect(first.errors.map(({ code }) => code)).toEqual(['HF_KEY_DEFAULTED']);
    expect(first.errors[0]?.message).toContain("static key = 'Nameless'");
    const { tables, results } = second.controller.getState();
    expect(Object.keys(tables)).toEqual(['Article']);
    expect(results.size).toBe(0);
    expect(second.title('1')).toBe('shared');
  });

  it('only the value that cannot be cloned is left out of a broadcast', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    // @ts-expect-error a title is a text
    first.controller.set(ArticleWithText, { id: '1' }, { id: '1', title: () => 'computed' });
    first.write('2', 'plain');
    await network.deliver();
    expect(second.controller.get(new All(ArticleWithText))).toMatchObject([{ id: '2', title: 'plain' }]);
    expect(first.errors.map(({ code }) => code)).toEqual(['HF_ROW_NOT_CLONABLE']);
  });

  it('data of another version of the app is rejected, but not its reset', async () => {
    const [old, older, young] = [openTab({ version: 1 }), openTab({ version: 1 }), openTab({ version: 2 })];
    await network.deliver();
    old.write('1', 'old');
    young.write('2', 'young');
    await network.deliver();
    expect([older.title('1'), older.title('2')]).toEqual(['old', undefined]);
    expect([young.title('1'), young.title('2')]).toEqual([undefined, 'young']);
    await old.controller.reset();
    await network.deliver();
    expect([older.title('1'), young.title('2')]).toEqual([undefined, undefined]);
  });

  it('unknown messages on the channel are ignored', async () => {
    const tab = openTab();
    const channel = new BroadcastChannel('holdfast ["holdfast",""]');
    const envelope = { holdfast: 2, version: undefined, from: 'x', epoch: 0 };
    const changes = {
      ...envelope,
      kind: 'changes',
      since: 0,
      seq: 1,
      to: undefined,
      rows: [],
      results: [],
      listChanges: [],
      side: [],
    };
    const meta = { requestedAt: 0, receivedAt: 0, expiresAt: 0, order: 5, answered: 0 };
    const row = (value: unknown, rowMeta: unknown = meta): unknown => ({
      ...changes,
      rows: [['Article', '1', { value, meta: rowMeta }]],
    });
    for (const message of [
      undefined,
      'hello',
      [],
      {},
      { ...envelope, kind: 'other' },
      { ...envelope, kind: 'reset', epoch: Infinity },
      { ...envelope, kind: 'reset', holdfast: 1 },
      { ...envelope, kind: 'reset', epoch: 2 ** 50 },
      { ...envelope, kind: 'hello', to: undefined, seen: [['x']] },
      { ...envelope, kind: 'hello', to: 'x', seen: [] },
      { ...changes, rows: 5 },
      { ...changes, rows: [['Article', 1, { value: {}, meta }]] },
      row('text'),
      row({ id: '1' }, { ...meta, order: Infinity }),
      row({ id: '1' }, { ...meta, order: 2 ** 60 }),
      row({ id: '1' }, { ...meta, order: Number.MAX_SAFE_INTEGER }),
      row({ id: '1' }, { ...meta, answered: Number.MAX_SAFE_INTEGER }),
      row({ id: '1' }, { ...meta, expiresAt: NaN }),
      { ...changes, results: [['key', { value: 1 }]] },
      { ...changes, results: [['key', { value: 1, meta, invalidated: 'yes' }]] },
      { ...changes, side: [['outbox']] },
      { ...changes, listChanges: [{ table: '[Article]', items: ['1'], how: 'push', meta }] },
      {
        ...changes,
        listChanges: [{ table: '[Article]', items: ['1'], how: 'push', meta, where: { args: 1 } }],
      },
    ])
      channel.postMessage(message);
    await network.deliver();
    expect(tab.commits).toEqual([]);
    channel.postMessage(row({ id: '1', title: 'well formed' }));
    await network.deliver();
    expect(tab.title('1')).toBe('well formed');
    expect(tab.errors).toEqual([]);
  });

  it('a rejected message is reported where it cannot be applied, and does not stop the next ones', async () => {
    const tab = openTab();
    const channel = new BroadcastChannel('holdfast ["holdfast",""]');
    let deep: object = {};
    for (let level = 0; level < 1_100; level++) deep = { deep };
    const meta = { requestedAt: 0, receivedAt: 0, expiresAt: 0, order: 5, answered: 0 };
    [deep, { title: 'flat' }].forEach((value, index) => {
      const rows = [['Article', '1', { value, meta }]];
      channel.postMessage({
        ...{ holdfast: 2, version: undefined, from: 'x', epoch: 0, kind: 'changes' },
        ...{ since: index, seq: index + 1, to: undefined, rows, results: [], listChanges: [], side: [] },
      });
    });
    await network.deliver();
    expect(tab.errors.map(({ code }) => code)).toEqual(['HF_TABS']);
    expect(tab.errors[0]?.cause).toMatchObject({ code: 'HF_TOO_DEEP' });
    expect(tab.title('1')).toBe('flat');
  });

  it('everything else in a message is applied when merge throws for one of its rows', async () => {
    class Strict extends Entity {
      id = '';
      title = '';
      static override key = 'Strict';
      static override merge(): never {
        throw new TypeError('of the app');
      }
    }
    const getStrict = new Endpoint(
      async () => [
        { id: '1', title: 'new' },
        { id: '2', title: 'new' },
      ],
      {
        name: 'getStrict',
        schema: [Strict],
      },
    );
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    first.controller.getResponse(getStrict);
    second.controller.set(Strict, { id: '1' }, { id: '1', title: 'old' });
    await first.controller.fetch(getStrict);
    await network.deliver();
    expect(second.errors.map(({ code }) => code)).toEqual(['HF_TABS']);
    expect(second.controller.getResponse(getStrict).data?.map(({ title }) => title)).toEqual(['old', 'new']);
  });
});

describe('records of other plugins', () => {
  it('records of other plugins arrive with the rows, in the commit that settles their layers', async () => {
    const told: SideRecords[] = [];
    const outbox = {
      name: 'outbox',
      settles: (records: SideRecords) => {
        told.push(records);
        return [1];
      },
    };
    const second = openTab({ plugins: [outbox] });
    const plugin = tabs();
    new Controller({ plugins: [plugin] });
    await network.deliver();
    const rename = new Endpoint(() => new Promise<never>(() => undefined), {
      name: 'rename',
      sideEffect: true,
      schema: ArticleWithText,
      getOptimisticResponse: () => ({ id: '1', title: 'wished' }),
    });
    void second.controller.fetch(rename);
    const titles: (string | undefined)[] = [];
    second.controller.watch(ArticleWithText, { id: '1' }, (article) => titles.push(article?.title));
    // The commit of an outbox, given to the plugin as the controller does.
    const store = new Store({ changed: () => undefined, committed: (commit) => plugin.commit?.(commit) });
    const meta = { requestedAt: 0, receivedAt: 0, expiresAt: 0, order: 5, answered: 5 };
    store.commit(
      (writer) => writer.setRow('Article', '1', { value: { id: '1', title: 'confirmed' }, meta }),
      { action: { type: 'fetch' }, origin: 'network', side: { outbox: [['e1', undefined]] } },
    );
    await network.deliver();
    expect(told).toEqual([[['e1', undefined]]]);
    expect(titles).toEqual(['confirmed']);
    expect(second.commits.at(-1)).toMatchObject({ origin: 'tabs', settled: [1], side: {} });
  });
});

/** As Firefox does where cookies are blocked. */
function RefusedChannel(): void {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}

describe.each([
  ['missing', undefined],
  ['null', null],
  ['refused', RefusedChannel],
])('a tab whose BroadcastChannel is %s', (_, channel) => {
  it('a tab without a working channel continues alone, and reports it once', async () => {
    const { BroadcastChannel } = globalThis;
    try {
      Object.assign(globalThis, { BroadcastChannel: channel });
      const tab = openTab();
      tab.write('1', 'mine');
      await tab.controller.reset();
      tab.write('1', 'mine again');
      await tab.controller.flush();
      await tab.controller.stop();
      expect(tab.errors.map(({ code }) => code)).toEqual(['HF_TABS']);
      expect(tab.title('1')).toBe('mine again');
    } finally {
      globalThis.BroadcastChannel = BroadcastChannel;
    }
  });
});

describe('a tab that is stopped', () => {
  it('a stopped tab has broadcast what it committed, and receives nothing more', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    first.write('1', 'last words');
    await first.controller.stop();
    await network.deliver();
    expect(second.title('1')).toBe('last words');
    second.write('1', 'too late');
    await network.deliver();
    expect(first.title('1')).toBe('last words');
  });
});

describe('the platform', () => {
  it('the platform’s BroadcastChannel connects two controllers, and lets Node exit', async () => {
    network.restore();
    const seen = new Promise<string | undefined>((resolve) => {
      const second = openTab({ scope: 'node' });
      second.controller.watch(ArticleWithText, { id: '1' }, (article) => {
        resolve(article?.title);
        void second.controller.stop();
      });
    });
    const errors: HoldfastError[] = [];
    const first = new Controller({
      plugins: [tabs({ scope: 'node', onError: (error) => errors.push(error) })],
    });
    first.set(ArticleWithText, { id: '1' }, { id: '1', title: 'by the platform' });
    expect(await seen).toBe('by the platform');
    await first.stop();
    expect(errors).toEqual([]);
  });
});

describe('a flood of tabs that ask', () => {
  it('many tabs that ask at once are answered by few messages, which reach each of them', async () => {
    const tab = openTab();
    const channel = new BroadcastChannel('holdfast ["holdfast",""]');
    const answers: { readonly to?: readonly string[]; readonly rows: readonly unknown[] }[] = [];
    channel.onmessage = ({ data }) => answers.push(data as (typeof answers)[number]);
    tab.write('1', 'news');
    await network.deliver();
    answers.length = 0;
    const { posted } = network;
    const asking = Array.from({ length: 5_000 }, (_, nth) => `tab-${nth}`);
    for (const from of asking)
      channel.postMessage({ holdfast: 2, version: undefined, from, epoch: 0, kind: 'hello', to: undefined, seen: [] }); // oxfmt-ignore
    await network.deliver();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const answered = () => new Set(answers.flatMap(({ to = [] }) => to));
    while (answered().size < asking.length) await network.deliver();
    await network.deliver();
    expect(network.posted - posted - asking.length).toBeLessThan(20);
    expect(answered()).toEqual(new Set(asking));
    expect(answers.every(({ rows }) => rows.length === 1)).toBe(true);
  });
});
