import { describe, expect, it } from '@jest/globals';
import { All } from 'holdfast';
import { holdTransaction } from '../support/diskFaults.ts';
import { until } from '../support/turns.ts';
import { answering, Article, DATABASE, freshIndexedDB, openApp, requests } from '../support/indexedDB.ts';

freshIndexedDB();

const kept = answering('kept', Article, { id: 'a1', title: 'one', author: { id: 'u1', name: 'Ann' } });
const later = answering('later', Article, { id: 'a2', title: 'two', author: { id: 'u1', name: 'Ann' } });

/** Stores data as an earlier visit. */
async function visit(): Promise<void> {
  const app = await openApp();
  await app.controller.fetch(kept);
  await app.leave();
}

describe('a transaction of another tab that does not end', () => {
  it('does not keep the app from starting: it works with memory and network, and uses the disk once it can', async () => {
    await visit();
    const release = await holdTransaction(DATABASE);
    requests.length = 0;
    const app = await openApp();
    expect(await app.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(requests).toEqual(['kept']);
    expect(app.errors.map(({ code, message }) => [code, message])).toEqual([
      [
        'HF_STORAGE',
        expect.stringMatching(/does not end.*kept in memory until it can; if this lasts, close other tabs/),
      ],
    ]);
    expect(app.plugin.status.get()).toMatchObject({ state: 'degraded' });
    await app.controller.fetch(later);
    await release();
    await until(() => app.plugin.status.get().state === 'working');
    await app.leave();
    requests.length = 0;
    const next = await openApp();
    expect(await next.controller.fetchIfStale(later)).toMatchObject({ title: 'two' });
    expect(requests).toEqual([]);
  });

  it('does not keep a component waiting that reads: the network answers', async () => {
    await visit();
    const app = await openApp({ restore: 'lazy' });
    const release = await holdTransaction(DATABASE);
    requests.length = 0;
    expect(await app.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(requests).toEqual(['kept']);
    expect(app.errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
    await release();
    await until(() => app.plugin.status.get().state === 'working');
    await app.controller.fetch(later);
    await app.leave();
    requests.length = 0;
    const next = await openApp();
    expect(await next.controller.fetchIfStale(later)).toMatchObject({ title: 'two' });
    expect(requests).toEqual([]);
  });

  it('does not keep a live query waiting, which shows what is stored when the transaction has ended', async () => {
    await visit();
    const app = await openApp({ restore: 'lazy' });
    const release = await holdTransaction(DATABASE);
    const all = new All(Article);
    app.controller.watch(all, () => undefined);
    const { status } = app.plugin;
    await until(() => status.get().state === 'degraded');
    await release();
    await until(() => status.get().state === 'working' && status.get().isRestored);
    expect(app.controller.get(all)).toHaveLength(1);
    await app.leave();
  });

  it('does not keep a flush waiting: it fails, and is repeated when the transaction has ended', async () => {
    const app = await openApp();
    const release = await holdTransaction(DATABASE);
    await app.controller.fetch(kept);
    await expect(app.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(app.plugin.status.get()).toMatchObject({ state: 'degraded' });
    app.controller.set(Article, { id: 'a1' }, { title: 'changed' });
    await release();
    await until(() => app.plugin.status.get().state === 'working');
    await app.leave();
    requests.length = 0;
    const next = await openApp();
    expect(await next.controller.fetchIfStale(kept)).toMatchObject({ title: 'changed', body: '' });
    expect(requests).toEqual([]);
  });
});
