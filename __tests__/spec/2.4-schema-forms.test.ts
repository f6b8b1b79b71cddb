import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Entity, RestEndpoint } from 'holdfast';
import { assertType, type Equal } from '../types/equal.ts';
import { baseUrl, startServer } from './server.ts';
import { User } from '../support/entities.ts';
import { failure } from '../support/failure.ts';

const server = startServer();
class PublishedArticle extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  publishedAt = new Date(0);
  static override key = 'Article';
  static override schema = { author: User, publishedAt: Date };
}

const ann = { id: 'u', name: 'Ann' };
const one = { id: '1', title: 'One', author: ann };
const two = { id: '2', title: 'Two', author: ann };
const at = { urlPrefix: baseUrl, path: '/data' } as const;

describe('2.4 schema forms', () => {
  it('a schema that is an Entity class returns one entity', async () => {
    server.json('GET /data', one);
    const controller = new Controller();
    const article = await controller.fetch(new RestEndpoint({ ...at, schema: PublishedArticle }));
    assertType<Equal<typeof article, PublishedArticle>>();
    expect(article).toBeInstanceOf(PublishedArticle);
    expect(article.title).toBe('One');
    expect(controller.get(PublishedArticle, { id: '1' })).toBe(article);
  });

  it('a schema [Entity] returns a list of entities, in the order of the response', async () => {
    server.json('GET /data', [two, one]);
    const controller = new Controller();
    const articles = await controller.fetch(new RestEndpoint({ ...at, schema: [PublishedArticle] }));
    expect(Array.isArray(articles)).toBe(true);
    expect(articles.map(({ title }) => title)).toEqual(['Two', 'One']);
    expect(articles.map((article) => article.constructor)).toEqual([PublishedArticle, PublishedArticle]);
    expect(controller.get(PublishedArticle, { id: '1' })).toBe(articles[1]);
  });

  it('a schema [Entity] returns an empty list for an empty response', async () => {
    server.json('GET /data', []);
    expect(await new Controller().fetch(new RestEndpoint({ ...at, schema: [PublishedArticle] }))).toEqual([]);
  });

  it('a schema that is an object normalizes the fields that have a schema', async () => {
    server.json('GET /data', { best: one, user: ann, related: [one, two] });
    const controller = new Controller();
    const page = await controller.fetch(
      new RestEndpoint({
        ...at,
        schema: { best: PublishedArticle, user: User, related: [PublishedArticle] },
      }),
    );
    expect(page.related[0]).toBe(page.best);
    expect(page.user).toBe(page.best.author);
    expect(controller.get(User, { id: 'u' })).toBe(page.user);
    expect(controller.get(PublishedArticle, { id: '2' })).toBe(page.related[1]);
  });

  it('an empty string in a schema stands for a plain string that is returned unchanged', async () => {
    const schema = { results: [PublishedArticle], nextPage: '', prevPage: '' };
    server.json('GET /data', { results: [one, two], nextPage: 'cursor-3', prevPage: '' });
    const page = await new Controller().fetch(new RestEndpoint({ ...at, schema }));
    assertType<Equal<typeof page.nextPage, string>>();
    expect(Object.keys(page).sort()).toEqual(['nextPage', 'prevPage', 'results']);
    expect([page.nextPage, page.prevPage]).toEqual(['cursor-3', '']);
    expect(page.results.map((article) => article.pk())).toEqual(['1', '2']);
  });

  it('a plain string in a schema has the value of the last response', async () => {
    const endpoint = new RestEndpoint({
      ...at,
      schema: { results: [PublishedArticle], nextPage: '', prevPage: '' },
    });
    const controller = new Controller();
    server.json('GET /data', { results: [one], nextPage: 'a', prevPage: 'b' });
    await controller.fetch(endpoint);
    server.json('GET /data', { results: [one], nextPage: 'c', prevPage: 'b' });
    await controller.fetch(endpoint);
    expect(controller.getResponse(endpoint).data).toMatchObject({ nextPage: 'c', prevPage: 'b' });
  });

  it('the schema Date converts the field of an entity to a date', async () => {
    server.json('GET /data', { ...one, publishedAt: '2021-01-02T03:04:05.000Z' });
    const { publishedAt } = await new Controller().fetch(
      new RestEndpoint({ ...at, schema: PublishedArticle }),
    );
    assertType<Equal<typeof publishedAt, Date>>();
    expect(publishedAt).toBeInstanceOf(Date);
    expect(publishedAt.toISOString()).toBe('2021-01-02T03:04:05.000Z');
  });

  it('the schema Date converts the field of an object', async () => {
    server.json('GET /data', { article: one, until: '2021-01-02T03:04:05.000Z' });
    const page = await new Controller().fetch(
      new RestEndpoint({ ...at, schema: { article: PublishedArticle, until: Date } }),
    );
    expect(page.until).toEqual(new Date('2021-01-02T03:04:05.000Z'));
  });

  it('the schema Delete marks the entity as deleted in the cache', async () => {
    server.json('GET /data', [one, two]);
    server.json('DELETE /data', { id: '1' });
    const controller = new Controller();
    const list = new RestEndpoint({ ...at, schema: [PublishedArticle] });
    const [, second] = await controller.fetch(list);
    await controller.fetch(
      new RestEndpoint({ ...at, method: 'DELETE', schema: new Delete(PublishedArticle) }),
    );
    expect(controller.get(PublishedArticle, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(list).data).toEqual([second]);
    expect(controller.get(PublishedArticle, { id: '2' })).toBe(second);
    expect(controller.get(User, { id: 'u' })?.name).toBe('Ann');
  });

  it('the schema Delete is constructed from an entity class', () => {
    expect(new Delete(PublishedArticle).entity).toBe(PublishedArticle);
    // @ts-expect-error -- a list is no entity
    new Delete([PublishedArticle]);
  });

  it.each([
    ['Entity class', PublishedArticle, [one], /Article/],
    ['[Entity]', [PublishedArticle], one, /list/],
    ['object of field to schema', { best: PublishedArticle }, [one], /object/],
  ])(
    'a response of another shape than %s causes an error and stores nothing',
    async (_form, schema, response, message) => {
      server.json('GET /data', response);
      const controller = new Controller();
      const error = await failure(controller.fetch(new RestEndpoint({ ...at, schema })));
      expect(error).toMatchObject({ code: 'HF_SHAPE', message: expect.stringMatching(message) });
      expect(controller.get(PublishedArticle, { id: '1' })).toBeUndefined();
    },
  );
});
