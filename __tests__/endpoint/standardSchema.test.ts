import { describe, expect, it } from '@jest/globals';
import { Collection, Controller, createResource, RestEndpoint, type StandardSchema } from 'holdfast';
import { HttpResponse } from 'msw';
import { Article } from './models.ts';
import { answer, prefix, startServer } from '../support/server.ts';

const server = startServer();
const urlPrefix = prefix;

interface Valid {
  readonly id: string;
  readonly title: string;
}

type Check<Output> = StandardSchema<Output>['~standard']['validate'];

/** A schema as the libraries make them, of a function that checks. */
const schemaOf = <Output>(validate: Check<Output>): StandardSchema<Output> => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

const checkArticle: Check<Valid> = (value) => {
  const { id, title } = Object(value) as Record<string, unknown>; // read by name
  if (typeof title !== 'string') return { issues: [{ message: 'not a string', path: ['title'] }] };
  return { value: { id: String(id), title: title.trim() } };
};

const article = schemaOf(checkArticle);

describe('the option response', () => {
  it('an endpoint stores the output of its response schema, and resolves with it', async () => {
    answer(server, () => HttpResponse.json({ id: 5, title: ' Kelp ', secret: 'x' }));
    const get = new RestEndpoint({ urlPrefix, path: '/articles/:id', schema: Article, response: article });
    await expect(get({ id: 5 })).resolves.toEqual({ id: '5', title: 'Kelp' });
    const controller = new Controller();
    await controller.fetch(get, { id: 5 });
    expect(controller.get(Article, { id: 5 })).toMatchObject({ id: '5', title: 'Kelp' });
    await controller.stop();
  });

  it.each([
    ['a path of keys', ['articles', 0, 'title'], 'at articles.0.title: not a string'],
    ['a path of segments', [{ key: 'articles' }, { key: 1 }], 'at articles.1: not a string'],
    ['no path', undefined, 'at the top level: not a string'],
  ])(
    'a response that fails validation rejects with HF_SHAPE for %s, and stored data stays',
    async (_, path, text) => {
      const issues = [{ message: 'not a string', ...(path && { path }) }];
      answer(server, () => HttpResponse.json({ id: '5', title: 7 }));
      const get = new RestEndpoint({
        name: 'getArticle',
        urlPrefix,
        path: '/articles/:id',
        schema: Article,
        response: schemaOf<Valid>(() => ({ issues })),
      });
      const controller = new Controller();
      controller.setResponse(get, { id: '5' }, { id: '5', title: 'before' });
      const error: unknown = await controller.fetch(get, { id: '5' }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'HF_SHAPE', cause: issues });
      expect(String(error)).toContain(`The response of getArticle is not valid ${text}`);
      // The error is soft: the data stays readable, with the error beside it.
      expect(controller.getResponse(get, { id: '5' }).data?.title).toBe('before');
      expect(controller.getError(get, { id: '5' })).toBe(error);
      await controller.stop();
    },
  );

  it('a response schema that checks asynchronously is awaited before process', async () => {
    answer(server, () => HttpResponse.json({ id: '5', title: 'Kelp' }));
    const get = new RestEndpoint({
      urlPrefix,
      path: '/articles/:id',
      response: schemaOf(async (value) => Promise.resolve(checkArticle(value))),
      process: ({ title }: Valid) => title.length,
    });
    await expect(get({ id: '5' })).resolves.toBe(4);
  });

  it('a response schema may be a function, as in ArkType', async () => {
    answer(server, () => HttpResponse.json({ id: '5', title: 7 }));
    const callable = Object.assign((value: unknown) => value, article);
    const get = new RestEndpoint({ urlPrefix, path: '/articles/:id', response: callable });
    await expect(get({ id: '5' })).rejects.toMatchObject({ code: 'HF_SHAPE' });
  });

  it('extend changes the response schema, pages of a list inherit it, and changes of the list do not', async () => {
    const list = schemaOf((value) =>
      Array.isArray(value) ? { value: value as Valid[] } : { issues: [{ message: 'not a list' }] },
    );
    const base = createResource({ urlPrefix, path: '/articles/:id', schema: Article });
    const getList = base.getList.extend({
      schema: new Collection([Article]),
      paginationField: 'page',
      response: list,
    });
    answer(server, () => HttpResponse.json({ id: '6', title: 'one' }));
    await expect(getList()).rejects.toMatchObject({ code: 'HF_SHAPE' });
    await expect(getList.getPage({ page: 2 })).rejects.toMatchObject({ code: 'HF_SHAPE' });
    await expect(getList.push({ title: 'one' })).resolves.toMatchObject({ id: '6' });
    await expect(getList.extend({ response: undefined, schema: undefined })()).resolves.toMatchObject({
      id: '6',
    });
  });
});
