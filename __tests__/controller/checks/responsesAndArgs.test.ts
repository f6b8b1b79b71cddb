import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  RestEndpoint,
  type Schema,
  Select,
} from '../../../src/index.ts';

class User extends Entity {
  id = '';
  firstName = '';
  lastName = '';
  static override key = 'User';
}

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
  jest.spyOn(console, 'warn').mockImplementation((text: unknown) => told.push(String(text)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The warnings about two reads, by two equal endpoints, which have this schema and are answered with this response. */
async function toldOf(schema: Schema, response: unknown, sideEffect = false): Promise<string[]> {
  const controller = new Controller();
  for (let times = 0; times < 2; times++) {
    const options = { name: 'getSomething', schema, sideEffect };
    const getSomething = new Endpoint((_: { times: number }) => Promise.resolve(response), options);
    await controller.fetch(getSomething, { times });
  }
  return told;
}

describe('responses that lack every field of their schema', () => {
  it('a response that lacks every member of its schema causes one warning', async () => {
    const texts = await toldOf({ users: [User], total: 0 }, { data: [{ id: 1 }] });
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('getSomething');
    expect(texts[0]).toContain('it is an object { data } where there should be users, total');
    expect(texts[0]).toContain('errors.md#hf_nothing_matches');
  });

  it('a response whose records have no field of their class except the pk causes one warning', async () => {
    const texts = await toldOf(User, { id: 1, first_name: 'Ada', last_name: 'Lovelace' });
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('where User has firstName, lastName');
  });

  it.each<[string, Schema]>([
    ['a list', [User]],
    ['a Collection', new Collection([User], { argsKey: (params) => params })],
  ])('%s whose records have no field of their class except the pk causes one warning', async (_, schema) => {
    const texts = await toldOf(schema, [{ id: 1, first_name: 'Ada', last_name: 'Lovelace' }]);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('where User has firstName, lastName');
  });

  it.each<[string, Schema, unknown]>([
    ['has some members', { users: [User], total: 0 }, { users: [] }],
    ['is empty', { users: [User] }, {}],
    ['is null', User, null],
    ['has some fields', User, { id: 1, firstName: 'Ada', shoeSize: 38 }],
    ['is only a pk', User, { id: 1 }],
    ['is a list that is empty', [User], []],
    [
      'is a list of which one record has some',
      [User],
      [
        { id: 1, shoeSize: 38 },
        { id: 2, firstName: 'Ada' },
      ],
    ],
  ])('a response causes no warning if it %s', async (_, schema, response) => {
    expect(await toldOf(schema, response)).toEqual([]);
  });

  it('the response of a mutation causes no warning, because it may be partial', async () => {
    expect(await toldOf(User, { id: 1, updated_at: 'now' }, true)).toEqual([]);
  });

  it('a class that declares only its pk causes no warning', async () => {
    class Loose extends Entity {
      slug = '';
      override pk(): string {
        return this.slug;
      }
      static override key = 'Loose';
    }
    expect(await toldOf(Loose, { slug: 'a', title: 'A' })).toEqual([]);
  });
});

describe('params that name another entity than the response', () => {
  it.each([
    ['/users/:id/manager', { id: '5' }, 1],
    ['/users/:userId/manager', { userId: '5' }, 0],
    ['/users/:id/profile', { id: '7' }, 0],
    ['/users/:id', { id: 'me' }, 0],
  ])('a read of %s causes a warning: %s', (path, params, count) => {
    const getUser = new RestEndpoint({ path, schema: User });
    new Controller().setResponse(getUser, params, { id: '7', firstName: 'Ada' });
    expect(told).toHaveLength(count);
    if (count > 0) expect(told[0]).toContain('HF_PATH_PARAMETER');
  });
});

describe('primary keys that JSON.parse rounds', () => {
  class Tweet extends Entity {
    id: number | string = 0;
    text = '';
    static override key = 'Tweet';
  }
  const tweets = (ids: string): unknown => JSON.parse(`[${ids}]`.replace(/[^[\],]+/g, '{"id":$&,"text":""}'));

  it.each(['9007199254740993', '1234567890123456789', '-9007199254740993', '123456789012345678901234567890'])(
    'numeric pks such as %s cause one warning',
    async (id) => {
      const texts = await toldOf([Tweet], tweets(`1,${id},${id}1`));
      expect(texts).toEqual([expect.stringContaining(`Tweet has the pk ${Number(id)}, a number`)]);
      expect(texts[0]).toContain('errors.md#hf_pk_unsafe');
    },
  );

  it.each(['9007199254740991', '"1234567890123456789"', '0.1', '"1e300"'])(
    'the pk %s causes no warning',
    async (id) => {
      expect(await toldOf([Tweet], tweets(id))).toEqual([]);
    },
  );
});

describe('args that cannot form a key', () => {
  const getSomething = new Endpoint((_: unknown) => Promise.resolve(1), { name: 'getSomething' });

  it.each<[string, unknown]>([
    ['a function', { filter: () => true }],
    ['a symbol', Symbol('x')],
    ['an instance of Map', { tags: new Map() }],
    ['an instance of User', User.fromJS({ id: '1' })],
    ['an instance of Set', [{ deep: new Set() }]],
  ])('args that cannot form a key cause one warning: %s', async (found, arg) => {
    const controller = new Controller();
    await controller.fetch(getSomething, arg);
    await controller.fetch(getSomething, arg);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`getSomething is read with ${found} among its args`);
    expect(told[0]).toContain('HF_ARGS');
  });

  it.each<[string, unknown]>([
    ['plain data', { id: 1, tags: ['a', null], nested: { since: undefined, big: 1n } }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { id: 1 })],
    ['a date', { since: new Date(0) }],
    ['a URL', new URL('https://example.com')],
    ['nothing', undefined],
  ])('args that form a key cause no warning: %s', async (_, arg) => {
    await new Controller().fetch(getSomething, arg);
    expect(told).toEqual([]);
  });

  it('args of a query that cannot form a key cause one warning', () => {
    const controller = new Controller();
    const chosen = new Select(User, {
      where: ({ ids }: { ids: ReadonlySet<string> }) => ({ id: { in: [...ids] } }),
    });
    controller.get(chosen, { ids: new Set(['1']) });
    controller.watch(chosen, { ids: new Set(['2']) }, () => undefined);
    controller.get(User, User.fromJS({ id: '1' }));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('Select is read with an instance of Set among its args');
    expect(told[0]).toContain('HF_ARGS');
  });

  it('args of a mutation cause no warning', async () => {
    const save = getSomething.extend({ sideEffect: true });
    await new Controller().fetch(save, new FormData());
    expect(told).toEqual([]);
  });
});
