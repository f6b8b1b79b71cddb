/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from '@jest/globals';
import { holdOpening } from '../../support/diskFaults.ts';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import { entryRecord } from '../../support/entryRecord.ts';

beforeEach(() => localStorage.clear());

it('a reset of a page that unloads before the database is open is completed by the next page, once', async () => {
  const first = new OutboxDatabase('early');
  await first.write([
    ['before', entryRecord(5)],
    ['after', entryRecord(6)],
  ]);
  await first.close();

  const release = holdOpening('early');
  const leaving = new OutboxDatabase('early', 10);
  await expect(leaving.clear({ at: 1, through: 5 })).rejects.toMatchObject({ code: 'HF_STORAGE' });
  await leaving.close();
  release();

  const next = new OutboxDatabase('early');
  expect(await next.read()).toEqual([['after', entryRecord(6)]]);
  expect(localStorage).toHaveLength(0);
  // The clock may have been set back since.
  await next.write([['later', entryRecord(4)]]);
  await next.close();
  const last = new OutboxDatabase('early');
  expect((await last.read()).map(([key]) => key)).toEqual(['after', 'later']);
  await last.close();
});

it('a reset of a page that stays leaves no note', async () => {
  const database = new OutboxDatabase('staying');
  await database.clear({ at: 1, through: 5 });
  expect(localStorage).toHaveLength(0);
  await database.close();
});
