/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { Controller, Endpoint, serialize } from '../../src/index.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

it('the check warns once about two copies of the package in a page, and not about two controllers', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  await Promise.all([new Controller().stop(), new Controller().stop()]);
  expect(warn).not.toHaveBeenCalled();

  await jest.isolateModulesAsync(async () => {
    const copy = await import('../../src/index.ts');
    expect(copy.Controller).not.toBe(Controller);
    await Promise.all([new copy.Controller().stop(), new copy.Controller().stop()]);
  });
  expect(warn.mock.calls).toEqual([[expect.stringContaining('HF_TWO_COPIES')]]);
});

it('the check warns about an endpoint of another copy, before any of its reads fails', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  new Endpoint(() => Promise.resolve(1), { name: 'ours' });
  expect(warn).not.toHaveBeenCalled();
  await jest.isolateModulesAsync(async () => {
    const copy = await import('../../src/index.ts');
    new copy.Endpoint(() => Promise.resolve(1), { name: 'theirs' });
  });
  expect(warn.mock.calls).toEqual([[expect.stringContaining('HF_TWO_COPIES')]]);
});

it('a function that is given a controller of another copy throws HF_TWO_COPIES', async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  await jest.isolateModulesAsync(async () => {
    const copy = await import('../../src/index.ts');
    const theirs = new copy.Controller(); // of another class with the same name
    expect(() => serialize(theirs)).toThrow('HF_TWO_COPIES');
    await theirs.stop();
  });
});
