/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { answering, Article, freshIndexedDB, openApp, records } from '../support/indexedDB.ts';

freshIndexedDB();
beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
});

const SECRET = 'correct horse battery staple';
const getArticle = answering('article', Article, { id: 'a1', title: SECRET, author: { id: 'u1' } });
const getOther = answering('other', Article, { id: 'a2', title: 'public', author: { id: 'u2' } });

function fillDisk(): void {
  for (const method of ['add', 'put'] as const)
    jest.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
}

async function onDisk(): Promise<string> {
  const found = await Promise.all(['log', 'shards', 'results', 'outbox'].map((store) => records(store)));
  return JSON.stringify(found);
}

it('a reset that the full disk neither carries out nor marks is carried out by the next page', async () => {
  const app = await openApp();
  await app.controller.fetch(getArticle);
  await app.controller.flush();
  fillDisk();
  await expect(app.controller.reset()).rejects.toMatchObject({ code: 'HF_STORAGE' });
  await app.leave();
  jest.restoreAllMocks();
  expect(await onDisk()).toContain(SECRET);

  const next = await openApp();
  await next.controller.restored;
  expect(next.controller.get(Article, { id: 'a1' })).toBeUndefined();
  expect(await onDisk()).not.toContain(SECRET);
  await next.controller.fetch(getOther);
  await next.leave();

  const last = await openApp();
  await last.controller.restored;
  expect(last.controller.get(Article, { id: 'a2' })?.title).toBe('public');
});

it('a reset that the full disk did not mark is carried out once by a retry, and what is stored next is kept', async () => {
  const schedules: (() => void)[] = [];
  const app = await openApp({ schedule: (run) => (schedules.push(run), () => undefined) });
  await app.controller.fetch(getArticle);
  await app.controller.flush();
  fillDisk();
  await expect(app.controller.reset()).rejects.toMatchObject({ code: 'HF_STORAGE' });
  jest.restoreAllMocks();
  while (app.plugin.status.get().state !== 'working') {
    schedules.splice(0).forEach((run) => run());
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(await onDisk()).not.toContain(SECRET);
  await app.controller.fetch(getOther);
  await app.leave();
  expect(localStorage).toHaveLength(0);

  const next = await openApp();
  await next.controller.restored;
  expect(next.controller.get(Article, { id: 'a2' })?.title).toBe('public');
});
