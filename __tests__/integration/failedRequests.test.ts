import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity, HoldfastError, NetworkError } from 'holdfast';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Author } from '../support/entities.ts';
import { failure } from '../support/failure.ts';

/** Not shared, because error messages contain the name of the class. */
class Article extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  static override key = 'Article';
  static override schema = { author: Author };
}

const good = { id: '1', title: 'Kept', author: { id: 'a', name: 'Ann' } };

let server: Server;
let answer: RequestListener;

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };
const html =
  (status: number): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Oops</h1>');
  };

async function listen(): Promise<string> {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
}

async function close(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A controller that has fetched the good article, and its resource. */
async function setUp() {
  const ArticleResource = createResource({
    urlPrefix: await listen(),
    path: '/articles/:id',
    schema: Article,
  });
  const controller = new Controller();
  answer = json(good);
  const article = await controller.fetch(ArticleResource.get, { id: '1' });
  return { controller, ArticleResource, article };
}

describe('a request that goes wrong', () => {
  let context: Awaited<ReturnType<typeof setUp>>;

  beforeEach(async () => {
    context = await setUp();
  });
  afterEach(close);

  const fails = (how: RequestListener): Promise<unknown> => {
    answer = how;
    return failure(context.controller.fetch(context.ArticleResource.get, { id: '1' }));
  };
  const expectKept = (): void => {
    expect(context.controller.get(Article, { id: '1' })).toBe(context.article);
    expect(context.controller.get(Author, { id: 'a' })).toBe(context.article.author);
  };

  it.each([
    [
      'a list where an object is declared',
      json([good]),
      /Article\.get.*should be an object \(Article\), but a list of 1 arrived/,
    ],
    ['a string', json('hello'), /Article\.get.*the string "hello"/],
    [
      'an entity of the wrong kind inside',
      json({ ...good, author: [1] }),
      /author in the response of Article\.get.*a list of 1/,
    ],
  ])('an error for a response of another shape describes what arrived: %s', async (_what, how, message) => {
    const error = await fails(how);
    expect(error).toBeInstanceOf(HoldfastError);
    expect(error).toMatchObject({ code: 'HF_SHAPE', message: expect.stringMatching(message) });
    expectKept();
  });

  it('an error for an entity without a pk names its class and place', async () => {
    const error = await fails(json({ ...good, author: { name: 'Nobody' } }));
    expect(error).toMatchObject({
      code: 'HF_PK_MISSING',
      message: expect.stringMatching(/author in the response of Article\.get.*Author/),
    });
    expectKept();
  });

  it('an HTML page is not accepted as data', async () => {
    const error = await fails(html(200));
    expect(error).toMatchObject({
      code: 'HF_SHAPE',
      status: 0,
      isFromApi: false,
      message: expect.stringContaining('Article.get'),
    });
    expectKept();
  });

  it('truncated JSON is not accepted as data', async () => {
    const error = await fails((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id": "1", "ti'),
    );
    expect(error).toMatchObject({ code: 'HF_RESPONSE_PARSE' });
    expectKept();
  });

  it.each([404, 500])('an error page causes an error with its status: %i', async (status) => {
    const error = await fails(html(status));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      code: 'HF_NETWORK',
      status,
      method: 'GET',
      url: expect.stringMatching(/\/articles\/1$/),
    });
    expectKept();
  });

  it('old data is shown beside a server error, but not beside a 404', async () => {
    await fails(html(500));
    expect(context.controller.getResponse(context.ArticleResource.get, { id: '1' }).data).toBe(
      context.article,
    );
    await fails(json({ error: 'not found' }, 404));
    expect(context.controller.getResponse(context.ArticleResource.get, { id: '1' }).data).toBeUndefined();
    expectKept();
  });

  it('a request has status 0 and the cause when the server is unreachable', async () => {
    await close();
    const error = await failure(context.controller.fetch(context.ArticleResource.get, { id: '1' }));
    expect(error).toMatchObject({ code: 'HF_NETWORK', status: 0, cause: { name: 'TypeError' } });
    expectKept();
    expect(context.controller.getResponse(context.ArticleResource.get, { id: '1' }).data).toBe(
      context.article,
    );
    await new Promise<void>((resolve) => server.listen(0, resolve));
  });

  it('a missing path parameter is refused before any request', async () => {
    let requests = 0;
    answer = (_request, response) => {
      requests += 1;
      response.end();
    };
    // @ts-expect-error: the parameter is missing on purpose
    const error = await failure((async () => context.controller.fetch(context.ArticleResource.get, {}))());
    expect(error).toMatchObject({ code: 'HF_PATH_PARAMETER', message: expect.stringContaining('id') });
    expect(requests).toBe(0);
    expectKept();
  });
});
