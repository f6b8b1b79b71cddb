import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { DBSchema } from 'idb';
import { Connection } from '../../plugins/shared/Connection.ts';
import { until } from '../support/turns.ts';
import { inBrowser, WEBKIT } from '../support/userAgent.ts';

interface Stores extends DBSchema {
  notes: { key: string; value: string };
}

inBrowser(WEBKIT);

const page = new EventTarget();

beforeEach(() => {
  Object.assign(globalThis, {
    document: page,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
});
afterEach(() => {
  for (const name of ['document', 'addEventListener', 'removeEventListener'])
    Reflect.deleteProperty(globalThis, name);
});

it('a page that WebKit has unloaded holds no transaction open, and begins none until it is shown again', async () => {
  const connection = new Connection<Stores>('webkit', {
    version: 1,
    create: (database) => void database.createObjectStore('notes'),
    lostStore: [],
  });
  const begun: string[] = [];
  const ended: string[] = [];
  const write = (note: string): Promise<void> =>
    connection.transact(['notes'], { mode: 'readwrite', isLastWrite: true }, async (transaction) => {
      begun.push(note);
      transaction.addEventListener('abort', () => ended.push(`${note} aborted`));
      const notes = transaction.objectStore('notes');
      await notes.get(note);
      await notes.put(note, note);
    });
  await connection.open();

  const first = write('first');
  await until(() => begun.length === 1);
  page.dispatchEvent(new Event('pagehide'));
  const second = write('second');
  // More than the delay before a repetition.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(begun).toEqual(['first']);
  expect(ended).toEqual(['first aborted']);

  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  await Promise.all([first, second]);
  expect([...begun].sort()).toEqual(['first', 'first', 'second']);
  connection.close();
});
