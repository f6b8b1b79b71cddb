import { describe, expect, it } from '@jest/globals';
import { HoldfastError } from 'holdfast';
import { describe as described } from '../../src/util/errors.ts';

describe('HoldfastError', () => {
  it('HoldfastError has a code, at the end of its message, and a cause', () => {
    const cause = new Error('why');
    const error = new HoldfastError('HF_SHAPE', 'The answer is odd; look at it', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error.code).toBe('HF_SHAPE');
    expect(error.name).toBe('HoldfastError');
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('[holdfast] The answer is odd; look at it (HF_SHAPE)');
  });
});

describe('a described value', () => {
  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['', 'the string ""'],
    ['<html>\n"x"', 'the string "<html>\\n\\"x\\""'],
    [5, 'the number 5'],
    [NaN, 'the number NaN'],
    [10n, 'the bigint 10'],
    [false, 'the boolean false'],
    [[1, 2], 'a list of 2'],
    [{ a: 1, b: 2 }, 'an object { a, b }'],
    [Symbol('secret'), 'a symbol'],
    [() => 1, 'a function'],
    [Object.create(null), 'an object {  }'],
  ] as const)('an error message describes what %p is', (value, text) => {
    expect(described(value)).toBe(text);
  });

  it('a described value is short, whatever the value', () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${n}`, n]));
    for (const value of ['x'.repeat(1e6), fields, new Array(1e6).fill(0)]) {
      expect(described(value).length).toBeLessThan(100);
    }
    expect(described(fields)).toContain('field4, …');
  });
});
