import { afterEach, expect, it, jest } from '@jest/globals';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { freshIndexedDB } from '../../support/indexedDB.ts';

freshIndexedDB();
afterEach(() => void jest.restoreAllMocks());

const records = ['a', 'b', 'c', 'd'].map((key) => [key, { text: key }] as const);

async function openDatabase(): Promise<{ database: OutboxDatabase; losses: readonly string[] }> {
  const database = new OutboxDatabase('box');
  const losses: string[] = [];
  database.connection.onLost((lost) => losses.push(lost));
  await database.write(records);
  return { database, losses };
}

it.each(Array.from({ length: 24 }, (_, nth) => nth + 1))(
  'no queued mutation is lost if WebKit fails so many requests in a row after it has suspended the page: %d',
  async (failing) => {
    const { database, losses } = await openDatabase();
    const getAll = jest.spyOn(IDBObjectStore.prototype, 'getAll');
    for (let nth = 0; nth < failing; nth++)
      getAll.mockImplementationOnce(() => {
        const message = 'Attempt to get records from database without an in-progress transaction';
        throw new DOMException(message, 'UnknownError');
      });
    let found: unknown;
    // A long failure is reported, and the outbox reads again later.
    while (found === undefined) found = await database.read().catch(() => undefined);
    expect(found).toEqual(records);
    expect(losses).toEqual([]);
    await database.close();
  },
);

it('no queued mutation is lost because the browser lacks the memory to read it', async () => {
  const { database, losses } = await openDatabase();
  const { getAll } = IDBObjectStore.prototype;
  let isMemoryLow = true;
  jest.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (
    this: IDBObjectStore,
    ...[query]
  ) {
    const isLarge = query === undefined || query === null || query instanceof IDBKeyRange || query === 'c';
    if (isMemoryLow && isLarge) throw new DOMException('Failed to read a large value', 'UnknownError');
    return getAll.call(this, query);
  });
  await expect(database.read()).rejects.toThrow('large value');
  isMemoryLow = false;
  expect(await database.read()).toEqual(records);
  expect(losses).toEqual([]);
  await database.close();
});
