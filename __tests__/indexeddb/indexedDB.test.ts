import 'fake-indexeddb/auto';
import { expect, it } from '@jest/globals';
import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { turn } from '../support/turns.ts';

it.each([[], [{}], [{ scope: 'ada' }]])('indexedDB() without a name says what to pass: %j', (...options) => {
  // What JavaScript may pass.
  expect(() => (indexedDB as (options?: object) => unknown)(...options)).toThrow(
    expect.objectContaining({
      code: 'HF_PLUGIN',
      message: expect.stringContaining("indexedDB({ name: 'app' })"),
    }),
  );
});

it('a database is not opened before a controller uses its plugin', async () => {
  indexedDB({ name: 'unused' });
  const plugin = indexedDB({ name: 'used' });
  await turn();
  expect(await globalThis.indexedDB.databases()).toEqual([]);
  const controller = new Controller({ plugins: [plugin] });
  await controller.ready;
  expect((await globalThis.indexedDB.databases()).map(({ name }) => name)).toEqual(['used']);
  await controller.stop();
});
