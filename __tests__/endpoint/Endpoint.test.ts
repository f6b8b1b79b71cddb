import { describe, expect, it } from '@jest/globals';
import { Endpoint } from '../../src/endpoint/Endpoint.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { User } from '../support/entities.ts';

function double(this: Endpoint, n: number): Promise<{ n: number; by: string }> {
  return Promise.resolve({ n: n * 2, by: this.name });
}

describe('an endpoint', () => {
  const endpoint = new Endpoint(double, { dataExpiryLength: 5 });

  it('an endpoint is called like its function, with itself as this', async () => {
    expect(typeof endpoint).toBe('function');
    await expect(endpoint(2)).resolves.toEqual({ n: 4, by: 'double' });
    await expect(endpoint.call(undefined, 3)).resolves.toEqual({ n: 6, by: 'double' });
    await expect(endpoint.bind(undefined, 4)()).resolves.toEqual({ n: 8, by: 'double' });
  });

  it('an endpoint has its options as members', () => {
    expect(endpoint.name).toBe('double');
    expect(endpoint.dataExpiryLength).toBe(5);
    expect(endpoint.schema).toBeUndefined();
    expect(endpoint.sideEffect).toBeUndefined();
    expect(new Endpoint(double, { name: 'twice', schema: User }).name).toBe('twice');
  });

  it('an endpoint treats an undefined option as not given', () => {
    const same = new Endpoint(double, { name: undefined, key: undefined as never });
    expect(same.name).toBe('double');
    expect(same.key(1)).toBe('double [1]');
  });

  it('an endpoint runs overridden functions with itself as this', () => {
    const named = new Endpoint(double, {
      key(n) {
        return `${this.name}:${n}`;
      },
    });
    expect(named.key(1)).toBe('double:1');
  });
});

describe('the default key', () => {
  it('the default key refuses circular arguments', () => {
    const circular: Record<string, unknown> = { a: 1 };
    circular['self'] = [circular];
    const search = new Endpoint((_: object) => Promise.resolve(), { name: 'search' });
    expect(() => search.key(circular)).toThrow(expect.objectContaining({ code: 'HF_TOO_DEEP' }));
  });

  it('the default key uses only the type of functions and symbols', () => {
    const search = new Endpoint((_: unknown) => Promise.resolve(), { name: 'search' });
    expect(search.key(() => 1)).toBe(search.key(() => 2));
    expect(search.key(() => 1)).not.toBe(search.key(Symbol('a')));
  });

  const search = new Endpoint((..._args: unknown[]) => Promise.resolve(), { name: 'search' });

  it('the default key is the name and the args, whatever the order of members', () => {
    expect(search.key({ b: 1, a: [2, { d: 3, c: 4 }] })).toBe('search [{"a":[2,{"c":4,"d":3}],"b":1}]');
    expect(search.key({ a: [2, { c: 4, d: 3 }], b: 1 })).toBe(search.key({ b: 1, a: [2, { d: 3, c: 4 }] }));
    expect(search.key({ a: 1, b: undefined })).toBe(search.key({ a: 1 }));
  });

  it('the default key differs for different args', () => {
    const values = [
      [],
      [null],
      [undefined],
      [''],
      ['null'],
      [0],
      ['0'],
      [0n],
      [NaN],
      [Infinity],
      [false],
      [[]],
      [{}],
      [new Date(0)],
      [new Date(1)],
      [1, 2],
      ['1,2'],
      [{ a: 1 }],
      [{ 'a":1,"b': 1 }],
    ];
    expect(new Set(values.map((args) => search.key(...args))).size).toBe(values.length);
  });

  it('the default key is known by testKey', () => {
    expect(search.testKey(search.key({ a: 1 }))).toBe(true);
    expect(search.testKey(search.key())).toBe(true);
    expect(search.testKey('searching [1]')).toBe(false);
  });

  it('the default key is refused for an anonymous function, whose results would mix with others', () => {
    const anonymous = new Endpoint(() => Promise.resolve(1));
    expect(() => anonymous.key()).toThrow(expect.objectContaining({ code: 'HF_ENDPOINT_NAME' }));
    expect(anonymous.extend({ key: () => 'mine' }).key()).toBe('mine');
  });
});

describe('extend', () => {
  const endpoint = new Endpoint(double, { dataExpiryLength: 5, extra: 'kept' });

  it('extend returns another endpoint with some options overridden', async () => {
    const extended = endpoint.extend({ dataExpiryLength: 9, schema: User });
    expect(extended).not.toBe(endpoint);
    expect([extended.dataExpiryLength, extended.extra, extended.schema]).toEqual([9, 'kept', User]);
    expect(endpoint.dataExpiryLength).toBe(5);
    await expect(extended(2)).resolves.toEqual({ n: 4, by: 'double' });
  });

  it('extend overrides the function', async () => {
    const tripled = endpoint.extend({ fetch: (n: number) => Promise.resolve(n * 3), name: 'triple' });
    await expect(tripled(2)).resolves.toBe(6);
    expect(tripled.extra).toBe('kept');
  });

  it('extend restores the option of the class when given undefined', () => {
    const extended = endpoint.extend({ key: () => 'mine' }).extend({ key: undefined as never });
    expect(extended.key(1)).toBe('double [1]');
  });
});

describe('a subclass', () => {
  class Special extends Endpoint<typeof double> {
    readonly #secret = 'secret';
    readonly field = { own: true };
    override readonly dataExpiryLength: number = 1;
    tell(): string {
      return this.#secret;
    }
    override key(n: number): string {
      return `special ${super.key(n)}`;
    }
  }

  it('a subclass has methods, fields, private members and super, also when extended', () => {
    const special = new Special(double);
    const extended = special.extend({ name: 'two' }) as Special;
    for (const endpoint of [special, extended]) {
      expect(endpoint).toBeInstanceOf(Special);
      expect(endpoint).toBeInstanceOf(Endpoint);
      expect(endpoint).toBeInstanceOf(Function);
      expect(endpoint.tell()).toBe('secret');
      expect(endpoint.key(1)).toBe(`special ${endpoint.name} [1]`);
    }
    expect(extended.name).toBe('two');
    expect(extended.field).not.toBe(special.field);
  });

  it('a subclass has its fields overridden by extend, once and for all', () => {
    const extended = new Special(double).extend({ dataExpiryLength: 7 });
    expect(extended.dataExpiryLength).toBe(7);
    expect(extended.extend({ name: 'x' }).dataExpiryLength).toBe(7);
  });

  it('a subclass may have an option named method, which need not be one of HTTP', () => {
    class Call extends Endpoint {
      declare readonly method: string;
    }
    const call = new Call(async () => await Promise.resolve(1), {
      name: 'call',
      ...{ method: 'getBalance' },
    });
    expect([call, call.extend({ dataExpiryLength: 1 }) as Call].map(({ method }) => method)).toEqual([
      'getBalance',
      'getBalance',
    ]);
  });

  it('a subclass may have another constructor if it defines how to create one from options', () => {
    class Named extends Endpoint {
      static override fromOptions(options: { readonly name?: string }): Named {
        return new Named(options.name ?? '');
      }
      constructor(name: string) {
        super(() => Promise.resolve(name), { name });
      }
    }
    expect(new Named('a').extend({ name: 'b' })).toBeInstanceOf(Named);
    expect(new Named('a').extend({ name: 'b' }).name).toBe('b');
  });
});

describe('bind', () => {
  it('bind returns an endpoint with the same keys, options and class', async () => {
    const add = async (a: { n: number }, b: { n: number }): Promise<number> => Promise.resolve(a.n + b.n);
    const sum = new Endpoint(add, { name: 'sum', dataExpiryLength: 5, sideEffect: true });
    const bound = sum.bind(undefined, { n: 1 });
    expect(bound).toBeInstanceOf(Endpoint);
    expect(bound.key({ n: 2 })).toBe(sum.key({ n: 1 }, { n: 2 }));
    expect(bound.bind(undefined, { n: 2 }).key()).toBe(sum.key({ n: 1 }, { n: 2 }));
    expect(bound.testKey(bound.key({ n: 2 }))).toBe(true);
    expect([bound.dataExpiryLength, bound.sideEffect, bound.name]).toEqual([5, true, 'sum']);
    await expect(bound({ n: 2 })).resolves.toBe(3);
    await expect(bound.bind(undefined, { n: 3 })()).resolves.toBe(4);
    const isTyped = (): unknown => [
      // @ts-expect-error: it takes no more arguments
      bound.bind(undefined, { n: 3 })({ n: 4 }),
      // @ts-expect-error: of the wrong type
      sum.bind(undefined, { n: '1' }),
    ];
    expect(isTyped).toBeDefined();
  });

  it('bind keeps its args when the endpoint is extended', async () => {
    const getDouble = new Endpoint(double, { name: 'getDouble' });
    const bound = getDouble.bind(undefined, 2) as unknown as typeof getDouble; // with `extend`, which its type leaves out
    const extended = bound.extend({ dataExpiryLength: 7 }) as unknown as Endpoint<() => Promise<unknown>>;
    expect([extended.key(), extended.dataExpiryLength]).toEqual([getDouble.key(2), 7]);
    await expect(extended()).resolves.toEqual({ n: 4, by: 'getDouble' });
  });

  it('bind works on endpoints over HTTP', () => {
    const getUser = new RestEndpoint({ path: '/users/:id', schema: User });
    const bound = getUser.bind(undefined, { id: '5' });
    expect(bound.key()).toBe('GET /users/5');
    expect(bound.schema).toBe(User);
    expect(getUser.testKey(bound.key())).toBe(true);
  });
});
