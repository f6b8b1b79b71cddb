import { expect, it, jest } from '@jest/globals';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { answering, Article, freshIndexedDB, openApp } from '../../support/indexedDB.ts';

freshIndexedDB();

/** As WebKitGTK 2.50 answers each request to open a database after its network process was killed. */
const serverLost = (): never => {
  throw new DOMException(
    'Connection to Indexed Database server lost. Refresh the page to try again',
    'UnknownError',
  );
};

it('the app is asked to reload the page after WebKit has lost its storage process', async () => {
  jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(serverLost);
  const { controller, errors } = await openApp();
  await controller.fetch(answering('lost', Article, { id: 'a1', title: 'one' }));
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    ['HF_STORAGE', expect.stringContaining('reload the page')],
  ]);
});

it('the app is asked to reload the page when WebKit loses the database of the outbox', async () => {
  jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(serverLost);
  const database = new OutboxDatabase('lost');
  await expect(database.write([['key', {}]])).rejects.toThrow('reload the page');
  await database.close();
});
