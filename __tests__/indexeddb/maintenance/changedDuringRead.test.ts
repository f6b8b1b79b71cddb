import { describe, expect, it } from '@jest/globals';
import { All, Controller, Endpoint } from 'holdfast';
import { memoryStorage } from 'holdfast/indexeddb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import type { Storage } from '../../../plugins/indexeddb/storage/Storage.ts';
import { holdIdle } from '../../support/idle.ts';
import { Article, pause } from '../../support/indexedDB.ts';

/** Lists of 20 articles. */
const getList = new Endpoint(
  async ({ list }: { list: number }) =>
    Array.from({ length: 20 }, (_, index) => ({ id: `${list}-${index}`, title: `Article ${index}` })),
  { name: 'getList', schema: [Article], dataExpiryLength: Infinity },
);

/** A disk on which a read can be slow: its transaction has ended, but the page has not got the data yet. */
class SlowDisk {
  now = 0;
  readonly #databases = memoryStorage();
  #held: Promise<void> | undefined;
  #skipped = 0;
  #onHeld: () => void = () => undefined;

  /**
   * Holds a read back, until `release` is called: the next one, or one after it.
   *
   * @returns also a promise that resolves when its transaction has ended
   */
  hold(after: number): { readonly isHeld: Promise<void>; readonly release: () => void } {
    this.#skipped = after;
    let release!: () => void; // set by the callback
    this.#held = new Promise((resolve) => (release = resolve));
    return { isHeld: new Promise((resolve) => (this.#onHeld = resolve)), release };
  }

  #connect(): Storage {
    const storage = this.#databases('evict');
    const read = storage.read.bind(storage);
    storage.read = async (run) => {
      const held = this.#skipped-- > 0 ? undefined : this.#held;
      if (held !== undefined) this.#held = undefined;
      const found = await read(run);
      if (held !== undefined) this.#onHeld();
      await held;
      return found;
    };
    return storage;
  }

  open(maxRows = Infinity): Controller {
    const plugin = new IndexedDBPluginImpl(
      { name: 'evict', restore: 'lazy', maxRows },
      { storage: this.#connect(), compactAt: { records: 1, rows: 1 } },
    );
    return new Controller({ plugins: [plugin], now: () => this.now });
  }

  async results(): Promise<number> {
    return (await this.#databases('evict').read((view) => view.resultKeys())).length;
  }
}

/** Tabs store five lists, one after the other. */
async function storeLists(disk: SlowDisk): Promise<void> {
  for (const list of [1, 2, 3, 4, 5]) {
    const first = disk.open();
    disk.now += 1_000;
    await first.ready;
    await first.fetch(getList, { list });
    await first.flush();
    while ((await disk.results()) < list) await pause(5);
    await first.stop();
  }
}

describe('rows that are evicted while they are being read', () => {
  it.each([
    ['with their list', 0, (controller: Controller) => controller.fetchIfStale(getList, { list: 1 })],
    [
      'with their table',
      1,
      async (controller: Controller) => {
        controller.watch(new All(Article), () => undefined);
        await pause(20);
      },
    ],
  ])('are written again with the next result that names them: read %s', async (_, after, read) => {
    const disk = new SlowDisk();
    await storeLists(disk);

    const compact = holdIdle();
    const second = disk.open(25);
    await second.ready;
    await second.fetch(getList, { list: 6 });
    await second.flush();
    const { isHeld, release } = disk.hold(after);
    disk.now -= 100_000; // long ago, so that the list is evicted
    const reading = read(second);
    await isHeld;
    compact();
    disk.now += 100_000;
    while ((await disk.results()) > 1) await pause(5);
    release();
    await reading;
    await pause(20);
    second.setResponse(getList, { list: 9 }, [{ id: '1-0' }, { id: '1-1' }]);
    const shown = second.getResponse(getList, { list: 9 }).data?.map(({ title }) => title);
    await second.flush();
    await second.stop();

    const third = disk.open();
    expect((await third.fetchIfStale(getList, { list: 9 })).map(({ title }) => title)).toEqual(shown);
    await third.stop();
  });
});

/** A tab that restores all articles: it has read them, but waits for another read, which `proceed` ends. */
async function restoring(disk: SlowDisk) {
  await storeLists(disk);
  const controller = disk.open();
  await controller.ready;
  const table = disk.hold(1);
  controller.watch(new All(Article), () => undefined);
  await table.isHeld;
  const list = disk.hold(0);
  const reading = controller.fetchIfStale(getList, { list: 5 });
  await list.isHeld;
  table.release();
  await pause(20);
  disk.now += 1_000;
  const proceed = async (): Promise<void> => {
    await controller.catchUp();
    list.release();
    await reading;
    while (controller.get(Article, { id: '1-0' }) === undefined) await pause(5);
    await pause(20);
  };
  return { controller, proceed };
}

describe('a table that a tab restores while another tab', () => {
  it('writes to it and evicts data: a row keeps what both have written', async () => {
    const disk = new SlowDisk();
    const { controller, proceed } = await restoring(disk);
    const other = disk.open(45);
    await other.fetchIfStale(getList, { list: 1 });
    other.set(Article, { id: '1-0' }, { body: 'written by the other tab' });
    await other.flush();
    while ((await disk.results()) > 2) await pause(5);
    await other.stop();
    await proceed();
    controller.set(Article, { id: '1-0' }, { title: 'written here' });
    await controller.flush();
    await controller.stop();

    const next = disk.open();
    const [article] = await next.fetchIfStale(getList, { list: 1 });
    expect(article).toMatchObject({ title: 'written here', body: 'written by the other tab' });
    await next.stop();
  });

  it('writes new rows to it and compacts them: these are read from disk', async () => {
    const getArticle = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'from the network' }), {
      name: 'getArticle',
      schema: Article,
      dataExpiryLength: Infinity,
    });
    const disk = new SlowDisk();
    const { controller, proceed } = await restoring(disk);
    const other = disk.open();
    await other.fetch(getList, { list: 6 });
    await other.flush();
    while ((await disk.results()) < 6) await pause(5);
    await other.stop();
    await proceed();
    expect((await controller.fetchIfStale(getArticle, { id: '6-1' })).title).toBe('Article 1');
    await controller.stop();
  });
});
