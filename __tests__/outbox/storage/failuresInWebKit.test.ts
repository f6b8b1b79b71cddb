import { expect, it, jest } from '@jest/globals';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { freshIndexedDB } from '../../support/indexedDB.ts';

freshIndexedDB();

it.each(Array.from({ length: 24 }, (_, nth) => nth + 1))(
  'no queued mutation is lost if WebKit fails so many requests in a row after it has suspended the page: %d',
  async (failing) => {
    const database = new OutboxDatabase('suspended');
    const losses: string[] = [];
    database.connection.onLost((records) => losses.push(records));
    const records = ['a', 'b', 'c', 'd'].map((key) => [key, { text: key }] as const);
    await database.write(records);
    const getAll = jest.spyOn(IDBObjectStore.prototype, 'getAll');
    for (let nth = 0; nth < failing; nth++)
      getAll.mockImplementationOnce(() => {
        const message = 'Attempt to get records from database without an in-progress transaction';
        throw new DOMException(message, 'UnknownError');
      });
    // A long failure is reported, and the outbox reads again later.
    await database.read().catch(() => undefined);
    expect(await database.read().catch(() => database.read())).toEqual(records);
    expect(losses).toEqual([]);
    await database.close();
  },
);
