/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import type { EntryRecord } from '../../../plugins/outbox/storage/record.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
});

const entry = (order: number): EntryRecord => ({
  name: 'create',
  args: [],
  order,
  revision: 0,
  createdAt: 0,
  attempts: 0,
  idempotencyKey: `key ${order}`,
  temporaryPk: '',
  isAwaited: false,
  scope: null,
  status: 'queued',
});

it('a reset that a full disk neither carries out nor marks is carried out by the next page', async () => {
  const leaving = new OutboxDatabase('full');
  await leaving.write([
    ['before', entry(5)],
    ['after', entry(6)],
  ]);
  jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await expect(leaving.clear({ at: 1, through: 5 })).rejects.toMatchObject({ code: 'HF_STORAGE' });
  await leaving.close();
  jest.restoreAllMocks();

  const next = new OutboxDatabase('full');
  expect(await next.read()).toEqual([['after', entry(6)]]);
  expect(localStorage).toHaveLength(0);
  await next.close();
});
