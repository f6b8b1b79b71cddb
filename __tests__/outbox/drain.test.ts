import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { IDBDatabase as FakeDatabase } from 'fake-indexeddb';
import { Device, freshDatabases, openPage, Server } from '../support/outbox.ts';

freshDatabases();

const { transaction } = FakeDatabase.prototype;
let readTransactions = 0;

beforeEach(() => {
  FakeDatabase.prototype.transaction = function (...given) {
    if (given[1] === 'readonly') readTransactions += 1;
    return transaction.apply(this, given);
  };
});

afterEach(() => {
  FakeDatabase.prototype.transaction = transaction;
});

it('drain() of an empty queue reads the storage plugin once', async () => {
  const page = await openPage(new Server(), new Device(), { withStorage: true });
  await page.controller.restored;
  readTransactions = 0;
  expect(await page.box.drain()).toBe(true);
  expect(readTransactions).toBe(1);
});
