/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type HoldfastError } from 'holdfast';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { holdOpening } from '../support/diskFaults.ts';
import { answering, Article, DATABASE, freshIndexedDB, pause, records } from '../support/indexedDB.ts';
import { PluginWithSide } from '../support/PluginWithSide.ts';
import { silently } from '../support/silently.ts';
import { until } from '../support/turns.ts';
import { PATIENT, Process } from './mortal.ts';

freshIndexedDB();
beforeEach(() => localStorage.clear());

const SECRET = 'correct horse battery staple';
const getArticle = answering('article', Article, { id: 'a1', title: SECRET, author: { id: 'u1' } });
const getOther = answering('other', Article, { id: 'a2', title: 'public', author: { id: 'u2' } });

/** A page without `tabs()`, which learns of the others' resets from the disk alone. */
class Page {
  readonly errors: HoldfastError[] = [];
  readonly plugin: PluginWithSide;
  readonly controller: Controller;
  readonly #process: Process;

  constructor(openWithin = PATIENT) {
    this.#process = new Process(new IdbStorage(DATABASE, openWithin), Infinity);
    this.plugin = new PluginWithSide(
      ({ action }) => (action.type === 'fetch' ? [['entry', 'queued']] : undefined),
      { name: DATABASE, persist: 'all', onError: (error) => void this.errors.push(error) },
      { storage: this.#process.storage },
    );
    this.controller = new Controller({ plugins: [this.plugin] });
  }

  /** Calls `reset()`, and unloads before the disk is cleared. */
  async resetAndUnload(unsent: 'keep' | 'discard'): Promise<void> {
    this.#process.dieAfter(2);
    this.controller.reset({ unsent }).catch(() => undefined);
    await this.#process.death;
  }

  get memory(): readonly unknown[] {
    return [...(this.controller.getState().tables.Article?.entries() ?? [])].map(([pk]) => pk);
  }
}

async function onDisk(): Promise<string> {
  const found = await Promise.all(['log', 'shards', 'results', 'outbox'].map((store) => records(store)));
  return JSON.stringify(found);
}

/** A page with data on disk. */
async function openWithData(): Promise<Page> {
  const page = new Page();
  await page.controller.fetch(getArticle);
  await page.controller.flush();
  return page;
}

/** A page whose database opens once the returned function is called. */
async function openLate(): Promise<{ late: Page; release: () => Promise<void> }> {
  const open = holdOpening(DATABASE);
  const late = new Page(1);
  await silently(() => late.controller.ready);
  return {
    late,
    async release() {
      open();
      await until(() => late.plugin.status.get().state === 'working');
      await late.controller.catchUp();
      await late.controller.flush();
    },
  };
}

describe('a page whose database opens late', () => {
  it.each([
    ['carried out', 'keep'],
    ['carried out', 'discard'],
    ['begun, by a page that was unloaded', 'keep'],
    ['begun, by a page that was unloaded', 'discard'],
  ] as const)('follows a reset that was %s (%s) in the meantime', async (stage, unsent) => {
    const other = await openWithData();
    const { late, release } = await openLate();
    await late.controller.fetch(getArticle);
    await pause(5);
    if (stage === 'carried out') await other.controller.reset({ unsent });
    else await other.resetAndUnload(unsent);
    await release();
    expect(late.memory).toEqual([]);
    expect(await onDisk()).not.toContain(SECRET);
    expect(await late.plugin.side('outbox')).toHaveLength(unsent === 'keep' ? 1 : 0);
    expect(late.errors.map(({ code }) => code)).toEqual(['HF_STORAGE', 'HF_STORAGE']);

    await late.controller.fetch(getOther);
    await late.controller.stop();
    expect(await onDisk()).toContain('public');
  });

  it.each(['keep', 'discard'] as const)(
    'carries out the reset (%s) of a page that was unloaded before, and keeps what it has got since',
    async (unsent) => {
      const other = await openWithData();
      await other.resetAndUnload(unsent);
      await pause(5);
      const { late, release } = await openLate();
      await late.controller.fetch(getOther);
      await release();
      expect(late.memory).toEqual(['a2']);
      expect(await onDisk()).not.toContain(SECRET);
      expect(await onDisk()).toContain('public');
      await late.controller.stop();
    },
  );
});

it.each([
  ['discard', 'keep'],
  ['keep', 'discard'],
  ['keep', 'keep'],
  ['discard', 'discard'],
] as const)(
  'a tab that missed two resets (%s, %s) deletes nothing that was stored since',
  async (...resets) => {
    const [first, second] = [await openWithData(), await openWithData()];
    for (const unsent of resets) await first.controller.reset({ unsent });
    await first.controller.fetch(getOther);
    await first.controller.flush();
    await second.controller.catchUp();
    await until(() => second.memory.length === 0);
    await second.controller.flush();
    expect(await onDisk()).toContain('public');
    expect(await second.plugin.side('outbox')).toHaveLength(1);
    expect(await onDisk()).not.toContain(SECRET);
    await Promise.all([first.controller.stop(), second.controller.stop()]);

    const next = new Page();
    await next.controller.restored;
    expect(next.memory).toEqual(['a2']);
    expect(await next.plugin.side('outbox')).toHaveLength(1);
    await next.controller.stop();
  },
);
