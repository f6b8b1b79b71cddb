/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { Controller } from '../../../src/index.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

it('the check warns once about two copies of the package in a page, and not about two controllers', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  await Promise.all([new Controller().stop(), new Controller().stop()]);
  expect(warn).not.toHaveBeenCalled();

  await jest.isolateModulesAsync(async () => {
    const copy = await import('../../../src/index.ts');
    expect(copy.Controller).not.toBe(Controller);
    await Promise.all([new copy.Controller().stop(), new copy.Controller().stop()]);
  });
  expect(warn.mock.calls).toEqual([[expect.stringContaining('HF_TWO_COPIES')]]);
});
