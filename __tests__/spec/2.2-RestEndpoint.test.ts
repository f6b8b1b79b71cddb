import { describe, expect, it } from '@jest/globals';
import { Controller, RestEndpoint } from 'holdfast';
import { baseUrl, startServer } from './server.ts';
import { Article } from '../support/entities.ts';
import { failure } from '../support/failure.ts';

const server = startServer();

describe('2.2 options of RestEndpoint', () => {
  it('a RestEndpoint fills in the :name parameters of its path', async () => {
    server.json('GET /teams/red/articles/7', { id: '7' });
    const endpoint = new RestEndpoint({
      urlPrefix: baseUrl,
      path: '/teams/:team/articles/:id',
      schema: Article,
    });
    await new Controller().fetch(endpoint, { team: 'red', id: 7 });
    expect(server.asked).toEqual(['GET /teams/red/articles/7']);
  });

  it('an escaped question mark in a path is literal, so page=:page declares a named parameter', async () => {
    server.json('GET /articles?page=2', [{ id: '1' }]);
    const endpoint = new RestEndpoint({
      urlPrefix: baseUrl,
      path: '/articles\\?page=:page',
      schema: [Article],
    });
    const articles = await new Controller().fetch(endpoint, { page: 2 });
    expect(server.asked).toEqual(['GET /articles?page=2']);
    expect(articles.map(({ id }) => id)).toEqual(['1']);
  });

  it('a named query parameter is required like any other', async () => {
    const endpoint = new RestEndpoint({
      urlPrefix: baseUrl,
      path: '/articles\\?page=:page',
      schema: [Article],
    });
    // @ts-expect-error -- no page
    const error = await failure(new Controller().fetch(endpoint, {}));
    expect(error).toMatchObject({ code: 'HF_PATH_PARAMETER', message: expect.stringContaining('page') });
    expect(server.asked).toEqual([]);
  });

  it('the schema of a RestEndpoint describes the shape of the response', async () => {
    server.json('GET /front', { lead: { id: '1', title: 'Lead' }, others: [{ id: '2' }] });
    const endpoint = new RestEndpoint({
      urlPrefix: baseUrl,
      path: '/front',
      schema: { lead: Article, others: [Article] },
    });
    const front = await new Controller().fetch(endpoint);
    expect(front.lead).toEqual(Article.fromJS({ id: '1', title: 'Lead' }));
    expect(front.others[0]).toBeInstanceOf(Article);
  });
});
