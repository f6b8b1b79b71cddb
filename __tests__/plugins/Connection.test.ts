import 'fake-indexeddb/auto';
import { afterEach, expect, it, jest } from '@jest/globals';
import type { DBSchema } from 'idb';
import { holdOpening } from '../support/diskFaults.ts';
import { Connection } from '../../plugins/shared/Connection.ts';
import type { TransactionOptions } from '../../plugins/shared/RunningTransactions.ts';

interface Stores extends DBSchema {
  notes: { key: string; value: string };
}

/** A member that only Chromium's event has; without it, the log is not renewed. */
const CHROMIUM_MEMBER = 'dataLossMessage';

afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(IDBVersionChangeEvent.prototype, CHROMIUM_MEMBER);
});

it('the connection begins no transaction before the last write if the page unloads while Chromium starts a new log', async () => {
  Object.defineProperty(IDBVersionChangeEvent.prototype, CHROMIUM_MEMBER, { value: '', configurable: true });
  const connection = new Connection<Stores>('unload', {
    version: 1,
    create: (database) => void database.createObjectStore('notes'),
    lostStore: [],
  });
  const begun: string[] = [];
  const write = (note: string, options: TransactionOptions<'readwrite'>) =>
    connection.transact(['notes'], options, async (transaction) => {
      begun.push(note);
      await transaction.objectStore('notes').put(note, note);
    });
  await connection.open();

  const compaction = write('compaction', { mode: 'readwrite' });
  await new Promise((resolve) => setTimeout(resolve, 20)); // it waits for the new log now
  connection.prepareUnload();
  await write('last write', { mode: 'readwrite', isLastWrite: true });
  expect(begun).toEqual(['last write']);

  await compaction; // the page stayed
  expect(begun).toEqual(['last write', 'compaction']);
  connection.close();
});

it('the connection writes after five seconds if Chromium does not open the database that starts a new log', async () => {
  Object.defineProperty(IDBVersionChangeEvent.prototype, CHROMIUM_MEMBER, { value: '', configurable: true });
  // fake-indexeddb uses setImmediate.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  holdOpening('held (new log)');
  const connection = new Connection<Stores>('held', {
    version: 1,
    create: (database) => void database.createObjectStore('notes'),
    lostStore: [],
  });
  await connection.open();
  let isWritten = false;
  const writing = connection.transact(['notes'], { mode: 'readwrite' }, async (transaction) => {
    await transaction.objectStore('notes').put('note', 'note');
    isWritten = true;
  });
  await jest.advanceTimersByTimeAsync(4_900);
  expect(isWritten).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  await writing;
  expect(isWritten).toBe(true);
  connection.close();
});
