import { describe, expect, it } from '@jest/globals';
import { stableJson } from '../../src/endpoint/stableJson.ts';

describe('stableJson', () => {
  it('gives the same text whatever the order of the members', () => {
    const members: [string, unknown][] = [
      ['', 'empty'],
      ['10', 1],
      ['2', -0],
      ['Z', 'quote " and \u{1F600} and \uD800'],
      ['__proto__', 'own'],
      ['a', 1e21],
      ['é', 0.1],
    ];
    const text =
      '{"":"empty","10":1,"2":0,"Z":"quote \\" and 😀 and \\ud800","__proto__":"own","a":1e+21,"é":0.1}';
    expect(stableJson(Object.fromEntries(members))).toBe(text);
    expect(stableJson(Object.fromEntries(members.toReversed()))).toBe(text);
  });

  it('distinguishes what JSON does not, beside members that it does', () => {
    const values = [
      NaN,
      Infinity,
      null,
      true,
      'true',
      1,
      '1',
      1n,
      {},
      [],
      new Date(0),
      { a: undefined, b: {} },
    ];
    const texts = values.map((value) => stableJson({ a: 'a', b: value }));
    expect(new Set(texts).size).toBe(values.length);
    expect(stableJson({ a: 'a', b: undefined })).toBe(stableJson({ a: 'a' }));
  });

  it('reads an object of a class by its fields, as it does a plain one', () => {
    class Page {
      readonly page = 2;
    }
    expect(stableJson(new Page())).toBe(stableJson({ page: 2 }));
  });
});
