/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { entryRecord } from '../../support/entryRecord.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
});

it('a reset that a full disk neither carries out nor marks is carried out by the next page', async () => {
  const leaving = new OutboxDatabase('full');
  await leaving.write([
    ['before', entryRecord(5)],
    ['after', entryRecord(6)],
  ]);
  jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await expect(leaving.clear({ at: 1, through: 5 })).rejects.toMatchObject({ code: 'HF_STORAGE' });
  await leaving.close();
  jest.restoreAllMocks();

  const next = new OutboxDatabase('full');
  expect(await next.read()).toEqual([['after', entryRecord(6)]]);
  expect(localStorage).toHaveLength(0);
  await next.close();
});
