/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, HoldfastError } from 'holdfast';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { PATIENT } from '../indexeddb/mortal.ts';
import { clearSiteData, closeConnections, loseRecord, tasks } from '../support/diskFaults.ts';
import { runs } from '../support/runs.ts';
import { act, contents, getTitle, rareReset, step, TABS, type Step } from './convergeSteps.ts';
import { Network } from './network.ts';
import { getArticle, openTab, wakePages, type Tab } from '../support/tabs.ts';

const DATABASE = 'shared';
const IDS = ['1', '2', '3'];
const KEYS = IDS.flatMap((id) => [getArticle.key({ id }), getTitle.key({ id })]);

/** How many stories are tried; more of them look longer. */
const RUNS = runs(40);

const tab = fc.nat(TABS - 1);

/** What the tabs and the browser do with the database. */
const diskStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('flush' as const, 'catchUp' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), count: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('close' as const, 'clearSiteData' as const, 'loseRecord' as const),
      after: fc.nat(20),
      isWritten: fc.boolean(),
      isSilent: fc.boolean(),
      store: fc.constantFrom('log', 'shards', 'results'),
      nth: fc.nat(9),
    }),
  },
);
type DiskStep = typeof diskStep extends fc.Arbitrary<infer S> ? S : never;

type Story = (Step | DiskStep)[];
const story: fc.Arbitrary<Story> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: step },
    { weight: 5, arbitrary: diskStep },
    { weight: 1, arbitrary: rareReset },
  ),
  {
    maxLength: 40,
  },
);

/** A tab leaves after site data was cleared: the others hold a response of its, which they have not asked for. */
const LEFT_AFTER_CLEARING: Story = [
  { do: 'clearSiteData', after: 7, isWritten: false, isSilent: true, store: 'results', nth: 3 },
  { do: 'read', tab: 0, id: '3', waits: true },
  { do: 'reload', tab: 0 },
];

/** A tab finds on disk that another one was reset, before it gets the message. */
const RESET_FOUND_ON_DISK: Story = [
  { do: 'reset', tab: 0 },
  { do: 'catchUp', tab: 1 },
];
const RESET_FOUND_WHILE_LEAVING: Story = [
  { do: 'write', tab: 2, id: '1', waits: false },
  { do: 'reset', tab: 0 },
  { do: 'reload', tab: 2 },
];

/** The database that a tab emptied in its reset is deleted. Another tab has written to the next one before it learns of the reset. */
const RESET_OF_DELETED_DATABASE: Story = [
  { do: 'reset', tab: 1 },
  { do: 'write', tab: 0, id: '1', waits: false },
  { do: 'clearSiteData', after: 0, isWritten: false, isSilent: false, store: 'log', nth: 0 },
  { do: 'flush', tab: 0 },
];

/** A tab has followed a reset by the disk, and stored data since, before it gets the reset's message. */
const RESET_MESSAGE_AFTER_NEW_DATA: Story = [
  { do: 'reset', tab: 0 },
  { do: 'catchUp', tab: 1 },
  { do: 'write', tab: 1, id: '1', waits: false },
  { do: 'flush', tab: 1 },
];

/** A tab expires what is on disk while it has yet to learn of a reset, after which another tab has stored the same results. */
const EXPIRED_BEFORE_RESET_IS_KNOWN: Story = [
  { do: 'write', tab: 2, id: '1', waits: false },
  { do: 'reset', tab: 1 },
  { do: 'invalidate', tab: 1, id: '1', waits: false },
  { do: 'expire', tab: 2, id: '1', waits: false },
  { do: 'close', after: 10, isWritten: true, isSilent: false, store: 'results', nth: 4 },
];

/** A tab with the database that all share. */
interface DiskTab extends Tab {
  readonly plugin: IndexedDBPluginImpl;
}

/** Tabs on one database. */
class Device {
  readonly network = new Network();
  readonly tabs: DiskTab[] = [];
  readonly #problems: string[] = [];
  readonly #faults: Promise<void>[] = [];
  /** Whether records or the database are lost, of which the app is notified. */
  hasLost = false;
  /** Whether a tab may find on disk that another one was reset before it gets the message. */
  #wasReset = false;
  now = 1_000;

  constructor() {
    globalThis.indexedDB = new IDBFactory();
    this.network.install();
  }

  async open(place: number): Promise<void> {
    const plugin = this.#storage();
    const { schedule } = this.network;
    this.tabs[place] = Object.assign(openTab({ now: () => this.now, schedule, plugins: [plugin] }), {
      plugin,
    });
    await this.tabs[place].controller.restored;
  }

  #storage(): IndexedDBPluginImpl {
    return new IndexedDBPluginImpl(
      {
        name: DATABASE,
        persist: 'all',
        onError: ({ code, message }) => {
          if (code !== 'HF_STORAGE' || !(this.hasLost || this.#wasReset)) this.#problems.push(message);
        },
      },
      { storage: new IdbStorage(DATABASE, PATIENT), compactAt: { records: 3, rows: 8 } },
    );
  }

  /** Waits for something that fails where a tab finds on disk that another one was reset. */
  async #unless(promise: Promise<unknown> | undefined): Promise<void> {
    try {
      await promise;
    } catch (error) {
      const isExpected = error instanceof HoldfastError && error.code === 'HF_STORAGE';
      if (!isExpected || !this.#wasReset) throw error;
    }
  }

  async run(next: Step | DiskStep, title: string): Promise<void> {
    const { network, tabs } = this;
    switch (next.do) {
      case 'deliver':
      case 'lose':
        return network.deliverOne(next.route, next.do === 'lose');
      case 'wake':
        wakePages();
        return;
      case 'reset':
        this.now += 1;
        this.#wasReset = true;
        return tabs[next.tab]?.controller.reset();
      case 'flush':
        return this.#unless(tabs[next.tab]?.controller.flush());
      case 'catchUp':
        return this.#unless(tabs[next.tab]?.controller.catchUp());
      case 'reload':
        await this.#unless(tabs[next.tab]?.controller.stop());
        this.now += 1;
        return this.open(next.tab);
      case 'pause':
        return tasks(next.count);
      case 'close':
      case 'clearSiteData':
      case 'loseRecord':
        this.#faults.push(tasks(next.after).then(() => this.#befall(next)));
        return;
      case 'write':
      case 'read':
      case 'delete':
      case 'invalidate':
      case 'expire':
        if (next.waits) this.now += 1;
        act(tabs[next.tab], next, title);
        return network.microtasks();
    }
  }

  #befall({ do: kind, store, nth, ...closing }: Extract<DiskStep, { after: number }>): void {
    if (kind === 'close') closeConnections(DATABASE, closing);
    else if (kind === 'clearSiteData') this.hasLost = clearSiteData(DATABASE, closing) || this.hasLost;
    else this.hasLost = loseRecord(DATABASE, store, nth) !== undefined || this.hasLost;
  }

  /** All messages arrive, and each tab writes what it holds, reads what the others have written, and shows it. */
  async settle(): Promise<void> {
    await Promise.all(this.#faults);
    const { network, tabs } = this;
    for (let round = 0; round < 3; round++) {
      wakePages();
      await network.deliver();
      // Reading everything detects what the browser has lost.
      await this.onDisk();
      for (const { controller, plugin } of tabs) {
        for (const id of IDS) {
          controller.getResponse(getArticle, { id });
          controller.getResponse(getTitle, { id });
        }
        await this.#unless(controller.catchUp());
        await this.#unless(controller.flush());
        const found = await plugin.restore({ tables: ['Article'], results: KEYS });
        if (found !== undefined) controller.apply(found, { origin: plugin.name, type: 'restore' });
      }
    }
  }

  /** What a page restores that is opened now, and hears nothing of the others. */
  async onDisk(): Promise<Values> {
    const plugin = this.#storage();
    const controller = new Controller({ plugins: [plugin], now: () => this.now });
    await controller.restored;
    const found = values(controller);
    await controller.stop();
    return found;
  }

  async close(): Promise<void> {
    for (const { controller } of this.tabs) await this.#unless(controller.stop());
    this.network.restore();
  }

  get problems(): readonly unknown[] {
    return [...this.#problems, ...this.tabs.flatMap(({ errors }) => errors)];
  }
}

interface Values {
  readonly rows: Readonly<Record<string, unknown>>;
  readonly results: Readonly<Record<string, unknown>>;
}

/** What is shown, without its times: a row of which only these have changed is not written. */
function values(controller: Controller): Values {
  const { tables, results } = controller.getState();
  const rows = [...(tables['Article']?.entries() ?? [])].flatMap(([pk, { value }]) =>
    value === undefined ? [] : [[pk, value] as const],
  );
  const shown = [...results.entries()].map(
    ([key, { value, invalidated }]) => [key, invalidated === true ? 'invalidated' : value] as const,
  );
  return { rows: Object.fromEntries(rows), results: Object.fromEntries(shown) };
}

describe('tabs with one database', () => {
  it(
    'tabs and their database converge, whatever faults the browser has',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, async (happening) => {
          const device = new Device();
          try {
            for (let place = 0; place < TABS; place++) await device.open(place);
            for (const [index, next] of happening.entries()) await device.run(next, `title ${index}`);
            await device.settle();
            const [first, ...others] = device.tabs.map(({ controller }) => contents(controller.getState()));
            const stored = await device.onDisk();
            const shown = values(device.tabs[0]!.controller);
            if (device.hasLost) {
              // A tab writes no result that only another one has asked for: the next one that needs it asks again.
              for (const other of others) expect(other.rows).toEqual(first?.rows);
              expect(stored.rows).toEqual(shown.rows);
            } else {
              for (const other of others) expect(other).toEqual(first);
              expect(stored).toEqual(shown);
            }
            expect(device.problems).toEqual([]);
          } finally {
            await device.close();
          }
        }),
        {
          numRuns: RUNS,
          examples: [
            [LEFT_AFTER_CLEARING],
            [RESET_FOUND_ON_DISK],
            [RESET_FOUND_WHILE_LEAVING],
            [RESET_OF_DELETED_DATABASE],
            [RESET_MESSAGE_AFTER_NEW_DATA],
            [EXPIRED_BEFORE_RESET_IS_KNOWN],
          ],
        },
      );
    },
    Math.max(120_000, RUNS * 1_000),
  );
});
