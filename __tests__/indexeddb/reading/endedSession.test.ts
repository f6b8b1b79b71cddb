import { describe, expect, it } from '@jest/globals';
import { All, Controller, type Commit, type Plugin } from 'holdfast';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import type { StorageView } from '../../../plugins/indexeddb/storage/Storage.ts';
import { answering, Article, DATABASE, freshIndexedDB, pause } from '../../support/indexedDB.ts';
import { User } from '../../support/entities.ts';

freshIndexedDB();

/** A storage in which something happens around one of its reads. */
class InterruptedStorage extends IdbStorage {
  /** What happens around the next reads; undefined for those in which nothing does. */
  readonly interruptions: ((() => Promise<void>) | undefined)[] = [];
  /** Whether it happens between the transaction and the reaction to its result, rather than before the transaction. */
  isAfter = false;
  /** The disk is cleared only when this has resolved. */
  clearing: Promise<void> = Promise.resolve();

  override async read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    const interrupt = this.interruptions.shift();
    if (!this.isAfter) await interrupt?.();
    const found = await super.read(run);
    if (this.isAfter) await interrupt?.();
    return found;
  }

  override async clear(...args: Parameters<IdbStorage['clear']>): ReturnType<IdbStorage['clear']> {
    await this.clearing;
    return super.clear(...args);
  }
}

const sessionOf = (who: string) => ({ id: 'me', title: who, author: { id: `user of ${who}`, name: who } });
const getMine = answering('mine', Article, sessionOf('network'));

/** A page that notes whose data was in memory after each commit. */
class Page {
  readonly storage = new InterruptedStorage(DATABASE);
  readonly seen: string[] = [];
  readonly controller: Controller;
  /** The page was reset. */
  hasReset = false;

  constructor(restore: 'lazy' | 'progressive') {
    const plugin = new IndexedDBPluginImpl(
      { name: DATABASE, persist: 'all', restore, onError: () => undefined },
      { storage: this.storage },
    );
    const observer: Plugin = {
      name: 'observer',
      commit: (commit) => this.#see(commit),
      reset: async () => void (this.hasReset = true),
    };
    this.controller = new Controller({ plugins: [plugin, observer] });
  }

  #see({ base, action }: Commit): void {
    if (action.type === 'reset') this.hasReset = true;
    const text = JSON.stringify(Object.values(base.tables).map((table) => [...table.entries()]));
    for (const who of ['former', 'next'])
      if (text.includes(who)) this.seen.push(`${who} ${this.hasReset ? 'after' : 'before'} the reset`);
  }
}

/** Another page logs out, and the next user logs in there. */
async function logOutElsewhere(): Promise<void> {
  const other = new Page('lazy');
  await other.controller.ready;
  await other.controller.reset();
  logIn(other, 'next');
  await other.controller.stop();
}

function logIn({ controller }: Page, who: string): void {
  controller.setResponse(getMine, sessionOf(who));
  controller.set(User, { id: 'u9' }, { id: 'u9', name: who });
}

async function storeFormer(): Promise<void> {
  const first = new Page('lazy');
  await first.controller.ready;
  logIn(first, 'former');
  await first.controller.stop();
}

/** What reads the disk. */
const readers: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the background restore': ({ controller }) => controller.restored,
  'a query of a table': async ({ controller }) => {
    controller.watch(new All(User), () => undefined);
    await pause(20);
  },
  'a read of a result': async ({ controller }) => controller.fetchIfStale(getMine),
  'a write of a row that the disk has': async ({ controller }) => {
    controller.set(User, { id: 'u9' }, { id: 'u9' });
    await controller.flush();
  },
  'an invalidation': async ({ controller }) => {
    controller.invalidateAll(getMine);
    await controller.flush();
  },
  'a catch-up': ({ controller }) => controller.catchUp(),
};

const moments = [0, 1, 2, 3].flatMap((nth) => [
  { nth, when: 'before' },
  { nth, when: 'after' },
]);

describe.each(Object.keys(readers))('%s', (reader) => {
  const read = readers[reader] as (page: Page) => Promise<unknown>; // one of them

  async function open(when: string): Promise<Page> {
    await storeFormer();
    const page = new Page(reader === 'the background restore' ? 'progressive' : 'lazy');
    page.storage.isAfter = when === 'after';
    await page.controller.ready;
    return page;
  }

  it.each(moments)(
    'restores nothing of the next user when another page logs out unannounced, $when its read $nth',
    async ({ nth, when }) => {
      const page = await open(when);
      let logOut: Promise<void> | undefined;
      page.storage.interruptions[nth] = () => (logOut = logOutElsewhere());
      await read(page).catch(() => undefined);
      await pause(20);
      // There were fewer reads.
      page.storage.interruptions.length = 0;
      await (logOut ?? logOutElsewhere());
      await page.controller.catchUp().catch(() => undefined);
      await page.controller.stop().catch(() => undefined);
      expect(page.hasReset).toBe(true);
      expect(page.seen).not.toContain('next before the reset');
      expect(page.seen).not.toContain('former after the reset');
    },
  );

  it.each(moments.flatMap((moment) => ['this', 'another'].map((whose) => ({ ...moment, whose }))))(
    'restores nothing of the former user when $whose page logs out $when its read $nth, and clears the disk later',
    async ({ nth, when, whose }) => {
      const page = await open(when);
      let letGo: () => void = () => undefined;
      page.storage.clearing = new Promise((resolve) => (letGo = resolve));
      let resetting: Promise<unknown> | undefined;
      const logOut = async (): Promise<void> => {
        const reset = page.controller.reset(whose === 'this' ? {} : { origin: 'tabs', at: 5 });
        resetting = reset.catch(() => undefined);
      };
      page.storage.interruptions[nth] = logOut;
      const reading = read(page).catch(() => undefined);
      await pause(20);
      if (resetting === undefined) await logOut();
      for (const again of Object.values(readers)) {
        void again(page).catch(() => undefined);
        await pause(5);
      }
      letGo();
      if (whose === 'another') await logOutElsewhere();
      await Promise.all([reading, resetting]);
      await page.controller.flush().catch(() => undefined);
      await page.controller.stop().catch(() => undefined);
      expect(page.hasReset).toBe(true);
      expect(page.seen).not.toContain('former after the reset');
    },
  );
});
