import { describe, expect, it } from '@jest/globals';
import { Controller, type HoldfastError } from 'holdfast';
import { aesGcm } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import type { IndexedDBOptions } from '../../plugins/indexeddb/IndexedDBOptions.ts';
import type { Header } from '../../plugins/indexeddb/records/header.ts';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { PATIENT, Process } from './mortal.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  marks,
  pause,
  records,
  requests,
} from '../support/indexedDB.ts';
import { PluginWithSide } from '../support/PluginWithSide.ts';

freshIndexedDB();

const SECRET = 'correct horse battery staple';
const getArticle = answering('article', Article, { id: 'a1', title: SECRET, author: { id: 'u1' } });
const getOther = answering('other', Article, { id: 'a2', title: 'public', author: { id: 'u2' } });

/** A page that dies when the test says so: a promise of its storage then never settles, as at page unload. */
class Page {
  readonly errors: HoldfastError[] = [];
  readonly plugin: PluginWithSide;
  readonly controller: Controller;
  readonly #process: Process;

  constructor(options: Partial<IndexedDBOptions> = {}, storage = new IdbStorage(DATABASE, PATIENT)) {
    this.#process = new Process(storage, Infinity);
    const onError = (error: HoldfastError): void => void this.errors.push(error);
    this.plugin = new PluginWithSide(
      ({ action }) => (action.type === 'fetch' ? [['entry', 'queued']] : undefined),
      { name: DATABASE, persist: 'all', onError, ...options },
      { storage: this.#process.storage, compactAt: { records: 99, rows: 99 } },
    );
    this.controller = new Controller({ plugins: [this.plugin, tabs({ name: DATABASE })] });
  }

  /** Resets the controller, and unloads as soon as the task has ended: what takes several requests is lost. */
  async resetAndUnload(
    unsent: 'keep' | 'discard' = 'discard',
    controller: Controller = this.controller,
  ): Promise<void> {
    this.#process.dieAfter(2);
    controller.reset({ unsent }).catch(() => undefined);
    await this.#process.death;
  }

  get memory(): string {
    const { tables, results } = this.controller.getState();
    const rows = Object.values(tables).map((table) => [...table.entries()]);
    return JSON.stringify([rows, [...results.entries()]]);
  }
}

async function onDisk(): Promise<string> {
  const found = await Promise.all(['log', 'shards', 'results', 'outbox'].map((store) => records(store)));
  return JSON.stringify(found);
}

async function openWithData(options?: Partial<IndexedDBOptions>): Promise<Page> {
  const page = new Page(options);
  await page.controller.ready;
  await page.controller.fetch(getArticle);
  await page.controller.flush();
  return page;
}

describe('a reset whose page was unloaded before the disk was cleared', () => {
  it('an unfinished reset is completed by the next page before it reads anything', async () => {
    const first = await openWithData();
    expect(await onDisk()).toContain(SECRET);
    await first.resetAndUnload();
    expect(await onDisk()).toContain(SECRET);

    const next = new Page();
    await next.controller.restored;
    expect(next.memory).not.toContain(SECRET);
    expect(await next.plugin.side('outbox')).toEqual([]);
    expect(await onDisk()).not.toContain(SECRET);
    expect(next.errors).toEqual([]);
    // Once: what is stored from then on stays.
    await next.controller.fetch(getOther);
    await next.controller.stop();
    const last = new Page();
    await last.controller.restored;
    expect(last.controller.get(Article, { id: 'a2' })?.title).toBe('public');
    expect(await last.plugin.side('outbox')).toHaveLength(1);
    await last.controller.stop();
  });

  it('an unfinished reset keeps the records of other plugins if it was called so', async () => {
    const first = await openWithData();
    await first.resetAndUnload('keep');
    const next = new Page();
    await next.controller.restored;
    expect(next.memory).not.toContain(SECRET);
    expect(await next.plugin.side('outbox')).toHaveLength(1);
    await next.controller.stop();
  });

  it('an unfinished reset is completed by the page of another user with another key', async () => {
    const key = (): Promise<CryptoKey> =>
      crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const first = await openWithData({ codec: aesGcm(await key()) });
    await first.resetAndUnload();
    const next = new Page({ codec: aesGcm(await key()) });
    await next.controller.ready;
    expect(next.plugin.status.get().state).toBe('working');
    expect(next.errors).toEqual([]);
    await next.controller.fetch(getOther);
    await next.controller.stop();
  });

  it('an unfinished reset is completed by another tab, which then stores what it fetches', async () => {
    const second = await openWithData();
    const first = await openWithData();
    await first.resetAndUnload();
    while (second.memory.includes(SECRET)) await pause(1);
    await second.controller.catchUp();
    expect(await onDisk()).not.toContain(SECRET);
    await second.controller.fetch(getOther);
    await second.controller.flush();
    expect(await onDisk()).toContain('public');
    expect(second.errors).toEqual([]);
    await second.controller.stop();
  });

  it('the reset of a tab without a disk is carried out by a tab that has one, or by the next page', async () => {
    const withoutDisk = new Controller({ plugins: [tabs({ name: DATABASE })] });
    await withoutDisk.ready;
    const first = await openWithData();
    await withoutDisk.reset();
    while (first.memory.includes(SECRET)) await pause(1);
    await first.controller.catchUp();
    expect(await onDisk()).not.toContain(SECRET);
    expect(await first.plugin.side('outbox')).toEqual([]);

    await first.controller.fetch(getArticle);
    await first.controller.flush();
    expect(await onDisk()).toContain(SECRET);
    await first.resetAndUnload('discard', withoutDisk);
    expect(await onDisk()).toContain(SECRET);
    const next = new Page();
    await next.controller.restored;
    expect(next.memory).not.toContain(SECRET);
    expect(await onDisk()).not.toContain(SECRET);
    expect([...first.errors, ...next.errors]).toEqual([]);
    await next.controller.stop();
    await withoutDisk.stop();
  });
});

/** A storage that clears only when the test lets it. */
class SlowToClear extends IdbStorage {
  letGo: () => void = () => undefined;
  readonly #isFree = new Promise<void>((resolve) => (this.letGo = resolve));

  override async clear(...args: Parameters<IdbStorage['clear']>): Promise<Header> {
    await this.#isFree;
    return super.clear(...args);
  }
}

it('a tab whose reset another one has finished deletes nothing that was stored since', async () => {
  const storage = new SlowToClear(DATABASE, PATIENT);
  const first = new Page({}, storage);
  await first.controller.ready;
  await first.controller.fetch(getArticle);
  await first.controller.flush();
  const resetting = first.controller.reset();
  while ((await marks()).length === 0) await pause(1);

  const next = new Page();
  await next.controller.ready;
  await next.controller.fetch(getOther);
  await next.controller.flush();
  storage.letGo();
  await resetting;
  expect(await onDisk()).toContain('public');
  expect(await next.plugin.side('outbox')).toHaveLength(1);
  await Promise.all([first.controller.flush(), next.controller.flush()]);
  expect([...first.errors, ...next.errors]).toEqual([]);
  await Promise.all([first.controller.stop(), next.controller.stop()]);
});

it('a tab whose reset another one has finished finds what was stored and compacted since', async () => {
  const storage = new SlowToClear(DATABASE, PATIENT);
  const first = new Page({}, storage);
  await first.controller.ready;
  const resetting = first.controller.reset();
  while ((await marks()).length === 0) await pause(1);

  // It sends no messages.
  const plugin = new IndexedDBPluginImpl(
    { name: DATABASE, persist: 'all' },
    { storage: new IdbStorage(DATABASE, PATIENT), compactAt: { records: 1, rows: 1 } },
  );
  const next = new Controller({ plugins: [plugin] });
  await next.ready;
  await next.fetch(getOther);
  await next.flush();
  while ((await records('shards')).length === 0) await pause(1);
  await next.stop();
  requests.length = 0;
  storage.letGo();
  await resetting;
  expect((await first.controller.fetchIfStale(getOther)).title).toBe('public');
  expect(requests).toEqual([]);
  await first.controller.stop();
});

it.each(['keep', 'discard'] as const)(
  'the more thorough of two unfinished resets is applied, with one to %s first',
  async (unsent) => {
    const [first, second] = [await openWithData(), await openWithData()];
    await first.resetAndUnload(unsent);
    await second.resetAndUnload(unsent === 'keep' ? 'discard' : 'keep');
    const next = new Page();
    await next.controller.restored;
    expect(await next.plugin.side('outbox')).toEqual([]);
    await next.controller.stop();
  },
);
