import 'fake-indexeddb/auto';
import { expect, it } from '@jest/globals';
import { indexedDB } from 'holdfast/indexeddb';

it.each([[], [{}], [{ scope: 'ada' }]])('indexedDB() without a name says what to pass: %j', (...options) => {
  // What JavaScript may pass.
  expect(() => (indexedDB as (options?: object) => unknown)(...options)).toThrow(
    expect.objectContaining({
      code: 'HF_PLUGIN',
      message: expect.stringContaining("indexedDB({ name: 'app' })"),
    }),
  );
});
