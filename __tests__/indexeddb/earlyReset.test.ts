/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller } from 'holdfast';
import type { Storage } from '../../plugins/indexeddb/storage/Storage.ts';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { PATIENT, Process } from './mortal.ts';
import { answering, Article, DATABASE, freshIndexedDB, records } from '../support/indexedDB.ts';
import { holdOpening } from '../support/diskFaults.ts';
import { PluginWithSide } from '../support/PluginWithSide.ts';
import { until } from '../support/turns.ts';
import { silently } from '../support/silently.ts';

freshIndexedDB();
beforeEach(() => localStorage.clear());

const SECRET = 'correct horse battery staple';
const getArticle = answering('article', Article, { id: 'a1', title: SECRET, author: { id: 'u1' } });
const getOther = answering('other', Article, { id: 'a2', title: 'public', author: { id: 'u2' } });

interface App {
  readonly controller: Controller;
  readonly plugin: PluginWithSide;
}

function openApp(storage: Storage = new IdbStorage(DATABASE, PATIENT)): App {
  const plugin = new PluginWithSide(
    ({ action }) => (action.type === 'fetch' ? [['entry', 'queued']] : undefined),
    { name: DATABASE, persist: 'all' },
    { storage },
  );
  return { plugin, controller: new Controller({ plugins: [plugin] }) };
}

async function storeSomething(): Promise<void> {
  const { controller } = openApp();
  await controller.fetch(getArticle);
  await controller.stop();
}

/** Calls `reset()` as soon as the controller exists, and unloads. */
function resetAndUnload(unsent: 'keep' | 'discard' = 'discard'): void {
  const process = new Process(new IdbStorage(DATABASE, PATIENT), Infinity);
  const { controller } = openApp(process.storage);
  controller.reset({ unsent }).catch(() => undefined);
  process.kill();
}

async function onDisk(): Promise<string> {
  const found = await Promise.all(['log', 'shards', 'results', 'outbox'].map((store) => records(store)));
  return JSON.stringify(found);
}

describe('a reset before the database is open', () => {
  it('is completed by the next page, once, if its own page unloads', async () => {
    await storeSomething();
    resetAndUnload();
    expect(await onDisk()).toContain(SECRET);

    const next = openApp();
    await next.controller.restored;
    expect(next.controller.get(Article, { id: 'a1' })).toBeUndefined();
    expect(await next.plugin.side('outbox')).toEqual([]);
    expect(await onDisk()).not.toContain(SECRET);
    expect(localStorage).toHaveLength(0);
    await next.controller.fetch(getOther);
    await next.controller.stop();

    const last = openApp();
    await last.controller.restored;
    expect(last.controller.get(Article, { id: 'a2' })?.title).toBe('public');
    expect(await last.plugin.side('outbox')).toHaveLength(1);
    await last.controller.stop();
  });

  it.each([
    [['keep'], 1],
    [['discard'], 0],
    [['keep', 'discard'], 0],
    [['discard', 'keep'], 0],
  ] as const)('of pages that unload after %j leaves %i records of other plugins', async (resets, left) => {
    await storeSomething();
    for (const unsent of resets) resetAndUnload(unsent);
    const next = openApp();
    await next.controller.restored;
    expect(await next.plugin.side('outbox')).toHaveLength(left);
    expect(await onDisk()).not.toContain(SECRET);
    await next.controller.stop();
  });

  it('is carried out once if its page stays: what is stored next is kept', async () => {
    await storeSomething();
    const { controller, plugin } = openApp();
    const resetting = controller.reset();
    const header = resetting.then(() => records('meta'));
    await controller.fetch(getOther);
    await controller.flush();
    expect(await header).toContainEqual(expect.objectContaining({ epoch: 1 }));
    expect(await onDisk()).not.toContain(SECRET);
    expect(await onDisk()).toContain('public');
    expect(await plugin.side('outbox')).toHaveLength(1);
    expect(localStorage).toHaveLength(0);
    await controller.stop();
  });

  it.each(['keep', 'discard'] as const)(
    'is carried out once (%s) if another page follows it: what that page stores next is kept',
    async (unsent) => {
      await storeSomething();
      const other = openApp();
      await other.controller.restored;
      const release = holdOpening(DATABASE);
      const late = openApp(new IdbStorage(DATABASE, 1));
      await silently(() => late.controller.ready);
      const at = Date.now() + 1_000;
      await silently(() =>
        expect(late.plugin.reset('app', unsent, at)).rejects.toMatchObject({ code: 'HF_STORAGE' }),
      );

      await other.controller.reset({ origin: 'tabs', unsent, at });
      await other.controller.fetch(getOther);
      await other.controller.flush();
      release();
      await until(() => late.plugin.status.get().state === 'working');
      expect(await onDisk()).not.toContain(SECRET);
      expect(await onDisk()).toContain('public');
      expect(await other.plugin.side('outbox')).toHaveLength(1);
      await late.controller.stop();
      await other.controller.stop();
    },
  );

  it('that kept records, after one that was carried out but whose note stayed, keeps them', async () => {
    await storeSomething();
    resetAndUnload();
    const notes = Object.entries(localStorage) as [string, string][];
    const next = openApp();
    await next.controller.restored;
    await next.controller.fetch(getOther);
    await next.controller.stop();
    // The page of the first reset was unloaded before it could delete its note.
    for (const [item, note] of notes) localStorage.setItem(item, note);
    resetAndUnload('keep');

    const last = openApp();
    await last.controller.restored;
    expect(await last.plugin.side('outbox')).toHaveLength(1);
    expect(await onDisk()).not.toContain('public');
    await last.controller.stop();
  });

  it('is not replaced by the less thorough reset of a page that has the database open', async () => {
    await storeSomething();
    const open = openApp();
    await open.controller.restored;
    resetAndUnload();
    await open.controller.reset({ unsent: 'keep' });
    expect(await open.plugin.side('outbox')).toEqual([]);
    expect(localStorage).toHaveLength(0);
    await open.controller.stop();
  });

  it.each(['', 'nonsense', '-1 1e999', 'NaN NaN 7'])('clears nothing if its note says %j', async (note) => {
    await storeSomething();
    resetAndUnload();
    for (const item of Object.keys(localStorage)) localStorage.setItem(item, note);
    const next = openApp();
    await next.controller.restored;
    expect(next.controller.get(Article, { id: 'a1' })?.title).toBe(SECRET);
    await next.controller.stop();
  });
});
