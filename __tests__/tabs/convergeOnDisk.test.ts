/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { Controller } from 'holdfast';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { PATIENT } from '../indexeddb/mortal.ts';
import { clearSiteData, closeConnections, loseRecord, tasks } from '../support/diskFaults.ts';
import { runs } from '../support/runs.ts';
import { act, contents, getTitle, step, TABS, type Step } from './convergeSteps.ts';
import { Network } from './network.ts';
import { Article, getArticle, openTab, wakePages, type Tab } from './support.ts';

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

const story = fc.array(
  fc.oneof({ weight: 4, arbitrary: step as fc.Arbitrary<Step> }, { weight: 1, arbitrary: diskStep }), // fast-check widens the names to strings
  { maxLength: 40 },
);

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
  /** Whether the app may be told that records, or the database, are gone. */
  #mayTell = false;
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
          if (!this.#mayTell || code !== 'HF_STORAGE') this.#problems.push(message);
        },
      },
      { storage: new IdbStorage(DATABASE, PATIENT), compactAt: { records: 3, rows: 8 } },
    );
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
        return tabs[next.tab]?.controller.reset();
      case 'flush':
        return tabs[next.tab]?.controller.flush();
      case 'catchUp':
        await tabs[next.tab]?.controller.catchUp();
        return;
      case 'reload':
        await tabs[next.tab]?.controller.stop();
        this.now += 1;
        return this.open(next.tab);
      case 'pause':
        return tasks(next.count);
      case 'close':
      case 'clearSiteData':
      case 'loseRecord':
        this.#faults.push(tasks(next.after).then(() => this.#befall(next)));
        return;
      default:
        if (next.waits) this.now += 1;
        act(tabs[next.tab], next, title);
        return network.microtasks();
    }
  }

  #befall({ do: kind, store, nth, ...closing }: Extract<DiskStep, { after: number }>): void {
    if (kind === 'close') closeConnections(DATABASE, closing);
    else if (kind === 'clearSiteData') this.#mayTell = clearSiteData(DATABASE, closing) || this.#mayTell;
    else this.#mayTell = loseRecord(DATABASE, store, nth) !== undefined || this.#mayTell;
  }

  /** All messages arrive, and each tab writes what it holds, reads what the others have written, and shows it. */
  async settle(): Promise<void> {
    await Promise.all(this.#faults);
    const { network, tabs } = this;
    for (let round = 0; round < 3; round++) {
      wakePages();
      await network.deliver();
      // Whoever reads everything comes upon what the browser has lost.
      await this.onDisk();
      for (const { controller, plugin } of tabs) {
        for (const id of IDS) {
          controller.getResponse(getArticle, { id });
          controller.getResponse(getTitle, { id });
        }
        await controller.catchUp();
        await controller.flush();
        const found = await plugin.restore({ tables: ['Article'], results: KEYS });
        if (found !== undefined) controller.apply(found, { origin: plugin.name, type: 'restore' });
      }
    }
  }

  /** What a page restores that is opened now, and hears nothing of the others. */
  async onDisk(): Promise<unknown> {
    const plugin = this.#storage();
    const controller = new Controller({ plugins: [plugin], now: () => this.now });
    await controller.restored;
    const found = values(controller);
    await controller.stop();
    return found;
  }

  async close(): Promise<void> {
    for (const { controller } of this.tabs) await controller.stop();
    this.network.restore();
  }

  get problems(): readonly unknown[] {
    return [...this.#problems, ...this.tabs.flatMap(({ errors }) => errors)];
  }
}

/** What is shown, without its times: a row of which only these have changed is not written. */
function values(controller: Controller): unknown {
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
    'come to the same, as does the database, whatever the browser does to it',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, async (happening) => {
          const device = new Device();
          try {
            for (let place = 0; place < TABS; place++) await device.open(place);
            for (const [index, next] of happening.entries()) await device.run(next, `title ${index}`);
            await device.settle();
            const [first, ...others] = device.tabs.map(({ controller }) => contents(controller.getState()));
            for (const other of others) expect(other).toEqual(first);
            expect(await device.onDisk()).toEqual(values(device.tabs[0]!.controller));
            expect(device.problems).toEqual([]);
          } finally {
            await device.close();
          }
        }),
        { numRuns: RUNS },
      );
    },
    Math.max(120_000, RUNS * 1_000),
  );
});
