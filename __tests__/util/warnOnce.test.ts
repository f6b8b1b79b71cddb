import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { warnOnce } from '../../src/util/warnOnce.ts';

const warn = jest.fn();
beforeEach(() => {
  warn.mockClear();
  jest.spyOn(console, 'warn').mockImplementation(warn);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('warnOnce', () => {
  it('warnOnce reports each mistake once per owner, with its code and where to read about it', () => {
    const [one, other] = [{}, {}];
    warnOnce(one, 'HF_ARGS', 'Wrong', 'a');
    warnOnce(one, 'HF_ARGS', 'Wrong', 'a');
    expect(warn.mock.calls).toEqual([
      ['[holdfast] Wrong (HF_ARGS)\nnode_modules/holdfast/docs/errors.md#hf_args'],
    ]);
    warnOnce(one, 'HF_ARGS', 'Wrong', 'b');
    warnOnce(one, 'HF_UNION_TYPE', 'Wrong', 'a');
    warnOnce(other, 'HF_ARGS', 'Wrong', 'a');
    expect(warn).toHaveBeenCalledTimes(4);
  });
});
