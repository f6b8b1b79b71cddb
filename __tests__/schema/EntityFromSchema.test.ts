import { describe, expect, it } from '@jest/globals';
import { type } from 'arktype';
import { Controller, createResource, Entity, EntityFromSchema, hasOwnKey, RestEndpoint } from 'holdfast';
import { HttpResponse } from 'msw';
import * as v from 'valibot';
import { z } from 'zod';
import { answer, prefix, startServer } from '../support/server.ts';
import { User } from '../support/entities.ts';

const server = startServer();

const options = { key: 'Article', schema: { author: User, createdAt: Date } } as const;

const ofZod = EntityFromSchema(
  z.object({
    id: z.string(),
    title: z.string(),
    tags: z.array(z.string()),
    summary: z.string().optional(),
    author: z.object({ id: z.string(), name: z.string() }),
    createdAt: z.iso.datetime(),
  }),
  options,
);
const ofValibot = EntityFromSchema(
  v.object({
    id: v.string(),
    title: v.string(),
    tags: v.array(v.string()),
    summary: v.optional(v.string()),
    author: v.object({ id: v.string(), name: v.string() }),
    createdAt: v.pipe(v.string(), v.isoTimestamp()),
  }),
  options,
);
const ofArkType = EntityFromSchema(
  type({
    id: 'string',
    title: 'string',
    tags: 'string[]',
    'summary?': 'string',
    author: { id: 'string', name: 'string' },
    createdAt: 'string.date.iso',
  }),
  options,
);

const full = {
  id: '1',
  title: 'Kelp',
  tags: ['sea'],
  author: { id: '7', name: 'Ada' },
  createdAt: '2026-11-01T12:00:00.000Z',
};

describe.each([
  ['Zod', ofZod],
  ['Valibot', ofValibot as typeof ofZod],
  ['ArkType', ofArkType as typeof ofZod],
])('an entity from a schema of %s', (_, Shaped) => {
  class Article extends Shaped {
    get heading(): string {
      return this.title.toUpperCase();
    }
  }
  const { get } = createResource({ urlPrefix: prefix, path: '/articles/:id', schema: Article });

  it('an entity from a schema stores a valid response, with its relations and conversions', async () => {
    answer(server, () => HttpResponse.json(full));
    const controller = new Controller();
    const article = await controller.fetch(get, { id: '1' });
    expect(article).toBeInstanceOf(Article);
    expect(article.heading).toBe('KELP');
    expect(article.author).toBe(controller.get(User, { id: '7' }));
    expect(article.createdAt).toEqual(new Date('2026-11-01T12:00:00Z'));
    expect(controller.getState().tables['Article']?.get('1')?.value).toEqual({ ...full, author: '7' });
    expect(hasOwnKey(Article)).toBe(true);
    await controller.stop();
  });

  it('an invalid response rejects with HF_SHAPE and the path of the invalid value, and stored data stays', async () => {
    const controller = new Controller();
    controller.set(Article, { id: '1' }, full);
    answer(server, () => HttpResponse.json({ ...full, title: 'new', tags: ['sea', 5] }));
    const error: unknown = await controller.fetch(get, { id: '1' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'HF_SHAPE', cause: [{ message: expect.any(String) }] });
    expect(String(error)).toContain('A value of Article is not valid at tags.1: ');
    expect(controller.get(Article, { id: '1' })).toMatchObject({ title: 'Kelp', tags: ['sea'] });
    await controller.stop();
  });

  it('an entity from a schema stores an incomplete value, and its row reads as missing until it is complete', () => {
    const controller = new Controller();
    const { tags, ...incomplete } = full;
    controller.set(Article, { id: '1' }, incomplete);
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
    controller.set(Article, { id: '1' }, { tags });
    expect(controller.get(Article, { id: '1' })).toMatchObject({ title: 'Kelp', tags: ['sea'] });
    expect(controller.get(Article, { id: '1' })?.summary).toBeUndefined();
  });

  it('a field with its own Holdfast schema is not validated: a pk, a Date and an entity are valid there', () => {
    const controller = new Controller();
    controller.set(User, { id: '8' }, { name: 'Ben' });
    const author = controller.get(User, { id: '8' });
    controller.set(Article, { id: '1' }, full);
    controller.set(Article, { id: '1' }, { author: '8', createdAt: new Date(0) });
    expect(controller.get(Article, { id: '1' })?.author).toBe(author);
    expect(controller.get(Article, { id: '1' })?.createdAt).toEqual(new Date(0));
    controller.set(Article, { id: '1' }, (draft) => {
      draft.title = 'changed';
    });
    expect(controller.get(Article, { id: '1' })?.title).toBe('changed');
  });

  it('a row that another class has stored with an invalid value reads as missing', () => {
    class Untyped extends Entity {
      id = '';
      static override key = 'Article';
    }
    const controller = new Controller();
    const invalid: object = { ...full, title: 5 };
    controller.set(Untyped, { id: '1' }, invalid);
    expect(controller.get(Untyped, { id: '1' })).toMatchObject({ title: 5 });
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
  });

  it('controller.set throws HF_SHAPE for an invalid value', () => {
    const controller = new Controller();
    // @ts-expect-error a title is a text
    expect(() => controller.set(Article, { id: '1' }, { ...full, title: 5 })).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE' }),
    );
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
  });
});

describe('EntityFromSchema', () => {
  it('EntityFromSchema determines the pk and the table name as EntityMixin does', () => {
    class Account extends EntityFromSchema(z.object({ username: z.string() }), { pk: 'username' }) {}
    expect(Account.pk({ username: 'ann' })).toBe('ann');
    expect(Account.key).toBe('Account');
    expect(hasOwnKey(Account)).toBe(false);
  });

  it('controller.set throws HF_PROCESS if the schema validates asynchronously', async () => {
    class Account extends EntityFromSchema(
      z.object({ id: z.string().refine(async (id) => Promise.resolve(id !== '')) }).and(z.unknown()),
      { key: 'Account' },
    ) {}
    const asynchronous = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: async (value: unknown) => Promise.resolve({ value }),
      },
    } as const;
    class Slow extends EntityFromSchema(asynchronous, { key: 'Slow' }) {}
    const controller = new Controller();
    for (const entity of [Account, Slow]) {
      expect(() => controller.set(entity, { id: '1' }, { id: '1' })).toThrow(
        expect.objectContaining({ code: 'HF_PROCESS' }),
      );
    }
    await controller.stop();
  });
});

describe.each([
  ['Zod', z.array(z.object({ id: z.string(), stars: z.coerce.number() }))],
  ['Valibot', v.array(v.object({ id: v.string(), stars: v.pipe(v.string(), v.transform(Number)) }))],
  ['ArkType', type({ id: 'string', stars: 'string.numeric.parse' }).array()],
])('the option response with a schema of %s', (_, response) => {
  const getList = new RestEndpoint({ urlPrefix: prefix, path: '/articles', response });

  it('an endpoint resolves with the output of its response schema', async () => {
    answer(server, () => HttpResponse.json([{ id: '1', stars: '5' }]));
    await expect(getList()).resolves.toEqual([{ id: '1', stars: 5 }]);
  });

  it('an invalid response rejects with HF_SHAPE and the path of the invalid value', async () => {
    answer(server, () =>
      HttpResponse.json([
        { id: '1', stars: '5' },
        { id: 2, stars: '5' },
      ]),
    );
    await expect(getList()).rejects.toMatchObject({
      code: 'HF_SHAPE',
      message: expect.stringContaining('at 1.id: '),
    });
  });
});
