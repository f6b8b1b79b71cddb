import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { adopt, equal } from '../../src/util/adopt.ts';

/** Plain data as a server may send it, with dates and hostile field names. */
const data = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.date(),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'constructor', 'a', 'b')),
      tie('value'),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

/** Every object in a value, dates excluded, which are kept as they are. */
function parts(value: unknown): object[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return [value, ...Object.values(value).flatMap(parts)];
}

/** A copy, dates included. Jest's structuredClone gives dates of another realm. */
function copied(value: unknown): unknown {
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, copied(member)]));
}

describe('adopt', () => {
  it('adopt returns an equal value that is not shared and cannot be changed', () => {
    fc.assert(
      fc.property(data, data, (value, previous) => {
        const own = adopt(previous, undefined);
        const adopted = adopt(value, own);
        expect(equal(adopted, value)).toBe(true);
        const theirs = new Set(parts(value));
        for (const part of parts(adopted)) {
          expect(theirs.has(part)).toBe(false);
          expect(Object.isFrozen(part)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('adopt returns the former value if the new one is equal, and former parts that are equal', () => {
    fc.assert(
      fc.property(data, data, (value, other) => {
        const previous = adopt({ kept: value, list: [value], changed: 1 }, undefined) as {
          kept: unknown;
          list: unknown;
        };
        const copy = copied(value);
        expect(adopt({ kept: copy, list: [copy], changed: 1 }, previous)).toBe(previous);
        const next = adopt({ kept: copy, list: [copy], changed: { other } }, previous) as typeof previous;
        expect(next.kept).toBe(previous.kept);
        expect(next.list).toBe(previous.list);
      }),
      { numRuns: 200 },
    );
  });

  it('adopt keeps values that are not plain unchanged', () => {
    class Money {
      amount = 5;
    }
    for (const exotic of [
      new Date(0),
      new Map([[1, 2]]),
      new Money(),
      /x/,
      new Uint8Array(2),
      Symbol('s'),
      () => 1,
    ]) {
      expect((adopt({ exotic }, undefined) as { exotic: unknown }).exotic).toBe(exotic);
    }
    const money = new Money();
    adopt({ money }, undefined);
    expect(Object.isFrozen(money)).toBe(false);
  });

  it('adopt treats objects of another realm and without prototype as plain', () => {
    const foreign: unknown = runInNewContext('({ list: [{ a: 1 }] })');
    const bare: unknown = Object.assign(Object.create(null) as object, { a: 1 });
    const previous = adopt({ foreign, bare }, undefined);
    expect(previous).toEqual({ foreign: { list: [{ a: 1 }] }, bare: { a: 1 } });
    expect(parts(previous).every(Object.isFrozen)).toBe(true);
    expect(adopt({ foreign: { list: [{ a: 1 }] }, bare: { a: 1 } }, previous)).toBe(previous);
  });

  it('adopt treats dates of another realm as dates', () => {
    const foreign = (time: number): unknown => runInNewContext(`new Date(${time})`);
    const previous = adopt({ at: new Date(5) }, undefined);
    expect(adopt({ at: foreign(5) }, previous)).toBe(previous);
    expect(adopt({ at: foreign(6) }, previous)).not.toBe(previous);
    const other = adopt({ at: foreign(5) }, undefined);
    expect(adopt({ at: foreign(5) }, other)).toBe(other);
    expect(adopt({ at: new Date(5) }, other)).toBe(other);
  });

  it('adopt visits each part once, however deep the difference', () => {
    let looks = 0;
    const nested = (depth: number, end: number): unknown =>
      depth === 0
        ? end
        : new Proxy(
            { next: nested(depth - 1, end) },
            { get: (target, field) => ((looks += 1), Reflect.get(target, field)) as unknown },
          );
    const previous = adopt(nested(200, 1), undefined);
    looks = 0;
    adopt(nested(200, 2), previous);
    expect(looks).toBeLessThan(3 * 200);
  });

  it('adopt never returns Object.prototype or changes it', () => {
    const hostile: unknown = JSON.parse('{ "a": { "__proto__": {} }, "__proto__": { "x": 1 } }');
    const adopted = adopt(hostile, {}) as { a: object };
    expect(Object.getOwnPropertyDescriptor(adopted.a, '__proto__')?.value).not.toBe(Object.prototype);
    expect(Object.getPrototypeOf(adopted)).toBe(Object.prototype);
    expect(Object.isFrozen(Object.prototype)).toBe(false);
    expect('x' in {}).toBe(false);
  });

  it('adopt refuses circular values, and those nested too deep', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = { list: [cycle] };
    expect(() => adopt(cycle, undefined)).toThrow(expect.objectContaining({ code: 'HF_TOO_DEEP' }));
    let deep: unknown = 'end';
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(() => adopt(deep, undefined)).toThrow(expect.objectContaining({ code: 'HF_TOO_DEEP' }));
  });
});

describe('equal', () => {
  it.each([
    [NaN, NaN],
    [[], []],
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [new Date(5), new Date(5)],
    [new Date(NaN), new Date(NaN)],
    [Object.create(null), {}],
  ])('equal is true for %j and %j', (left, right) => {
    expect(equal(left, right)).toBe(true);
    expect(equal(right, left)).toBe(true);
  });

  it.each([
    [0, '0'],
    [null, undefined],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [[1, 2], [1]],
    [[], {}],
    [new Date(5), new Date(6)],
    [new Date(5), 5],
    [new Date(5), {}],
    [{ a: 1 }, null],
    [new Map(), new Map()],
    [JSON.parse('{ "__proto__": {} }'), {}],
    [{ toString: 1 }, {}],
  ])('equal is false for %j and %j', (left, right) => {
    expect(equal(left, right)).toBe(false);
    expect(equal(right, left)).toBe(false);
  });
});
