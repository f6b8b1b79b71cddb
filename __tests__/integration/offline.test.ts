import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, Entity, reachability, RestEndpoint, type Snapshot } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { http, HttpResponse } from 'msw';
import { prefix, startServer } from '../support/server.ts';

const server = startServer();

class ArticleWithCover extends Entity {
  id: number | string = 0;
  title = '';
  cover = '';
  static override key = 'Article';
}

/** A request as the server saw it. */
interface Seen {
  readonly what: string;
  readonly body: unknown;
  readonly key: string | null;
  readonly token: string | null;
}

let articles: Map<string, { id: number; title: string; cover?: string }>;
let seen: Seen[];
let isUp: boolean;
let controllers: Controller[];

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  articles = new Map([1, 2, 3].map((id) => [String(id), { id, title: `article ${id}` }]));
  seen = [];
  isUp = true;
  controllers = [];
  const { url } = { url: (path: string) => `${prefix}${path}` };
  const done = new Map<string | null, Response>();
  /** Does what is asked, once for each key. */
  const answering =
    (read: (request: Request) => Promise<unknown>, act: (id: string, body: never) => unknown) =>
    async ({ request, params }: { request: Request; params: object }): Promise<Response> => {
      if (!isUp) return HttpResponse.error();
      const { method, headers } = request;
      const key = headers.get('Idempotency-Key');
      const body = await read(request);
      if (method !== 'GET' && method !== 'HEAD')
        seen.push({
          what: `${method} ${request.url.slice(prefix.length)}`,
          body,
          key,
          token: headers.get('Authorization'),
        });
      const known = key === null ? undefined : done.get(key);
      if (known !== undefined) return known.clone();
      const { id = '' } = params as { readonly id?: string }; // of the paths below
      const answer = act(id, body as never) as object | undefined;
      const response =
        answer === undefined ? new HttpResponse(null, { status: 204 }) : HttpResponse.json(answer);
      if (key !== null) done.set(key, response.clone());
      return response;
    };
  const json = (request: Request): Promise<unknown> => request.json();
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  const change = (id: string, fields: object): object => {
    const changed = { ...articles.get(id)!, ...fields, id: Number(id) };
    articles.set(id, changed);
    return changed;
  };
  server.use(
    http.get(
      url('/article'),
      answering(nothing, () => [...articles.values()]),
    ),
    http.get(
      url('/article/:id'),
      answering(nothing, (id) => articles.get(id)),
    ),
    http.post(
      url('/article'),
      answering(json, (_, fields) => change(String(articles.size + 1), fields)),
    ),
    http.patch(
      url('/article/:id'),
      answering(json, (id, fields) => change(id, fields)),
    ),
    http.delete(
      url('/article/:id'),
      answering(nothing, (id) => void articles.delete(id)),
    ),
    http.post(
      url('/article/:id/cover'),
      answering(
        async (request) => {
          const form = await request.formData();
          const file = form.get('file') as File;
          return { of: form.get('of'), name: file.name, type: file.type, text: await file.text() };
        },
        (id, { name }: { name: string }) => change(id, { cover: name }),
      ),
    ),
    http.put(
      url('/article/:id/text'),
      answering(
        async (request) => ({ type: request.headers.get('Content-Type'), text: await request.text() }),
        (id) => change(id, {}),
      ),
    ),
    http.head(url('/*'), () => (isUp ? new HttpResponse() : HttpResponse.error())),
  );
});

afterEach(async () => {
  await Promise.all(controllers.map((controller) => controller.stop()));
});

/** The app, as it is after each load of its page. */
async function open() {
  const ArticleResource = createResource({
    urlPrefix: prefix,
    path: '/article/:id',
    schema: ArticleWithCover,
    optimistic: true,
    dataExpiryLength: Infinity,
  });
  const setCover = new RestEndpoint({
    urlPrefix: prefix,
    path: '/article/:id/cover',
    method: 'POST',
    schema: ArticleWithCover,
    name: 'setCover',
    body: new FormData(),
    getOptimisticResponse: (_: Snapshot, { id }: { id: number | string }, form: FormData) => ({
      id,
      cover: (form.get('file') as File).name,
    }),
  });
  const setText = new RestEndpoint({
    urlPrefix: prefix,
    path: '/article/:id/text',
    method: 'PUT',
    schema: ArticleWithCover,
    name: 'setText',
    body: new Blob(),
  });
  const reach = reachability({ delay: () => Infinity });
  const box = outbox({
    endpoints: [ArticleResource, setCover, setText],
    init: () => ({ headers: { Authorization: 'Bearer now' } }),
  });
  const controller = new Controller({ plugins: [indexedDB({ name: 'app' }), box, reach] });
  controllers.push(controller);
  await controller.ready;
  const shown = async (): Promise<string[]> => {
    const list = await controller.fetchIfStale(ArticleResource.getList);
    return list.map(({ title, cover }) => [title, cover].filter(Boolean).join(' with '));
  };
  return { ArticleResource, setCover, setText, controller, box, reach, shown };
}

describe('an app without its server', () => {
  it('creates, edits, deletes and files made offline are each sent once, in order, after a restart', async () => {
    const { ArticleResource, setCover, setText, controller, box, shown } = await open();
    expect(await shown()).toEqual(['article 1', 'article 2', 'article 3']);
    await controller.flush();
    isUp = false;
    const made = await controller.fetch(ArticleResource.create, { title: 'made' });
    expect(controller.environment.isOnline).toBe(false);
    await controller.fetch(ArticleResource.partialUpdate, { id: made.id }, { title: 'made, edited' });
    const form = new FormData();
    form.append('of', String(made.id));
    form.append('file', new File(['<svg/>'], 'cover.svg', { type: 'image/svg+xml' }));
    await controller.fetch(setCover, { id: made.id }, form);
    await controller.fetch(setText, { id: made.id }, new Blob(['# Made'], { type: 'text/markdown' }));
    await controller.fetch(ArticleResource.partialUpdate, { id: 1 }, { title: 'edited' });
    await controller.fetch(ArticleResource.delete, { id: 2 });
    const before = ['edited', 'article 3', 'made, edited with cover.svg'];
    expect(await shown()).toEqual(before);
    expect(box.status.get().pending).toHaveLength(6);
    expect(seen).toEqual([]);
    await controller.stop();

    const again = await open();
    expect(await again.shown()).toEqual(before);
    expect(again.box.status.get().pending).toHaveLength(6);
    isUp = true;
    expect(await again.reach.probe()).toBe(true);
    expect(await again.box.drain()).toBe(true);
    expect(seen.map(({ what }) => what)).toEqual([
      'POST /article',
      'PATCH /article/4',
      'POST /article/4/cover',
      'PUT /article/4/text',
      'PATCH /article/1',
      'DELETE /article/2',
    ]);
    expect(seen.map(({ body }) => body)).toEqual([
      { title: 'made' },
      { title: 'made, edited' },
      { of: '4', name: 'cover.svg', type: 'image/svg+xml', text: '<svg/>' },
      { type: 'text/markdown', text: '# Made' },
      { title: 'edited' },
      undefined,
    ]);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(6);
    expect(new Set(seen.map(({ token }) => token))).toEqual(new Set(['Bearer now']));
    expect(await again.shown()).toEqual(before);
    expect(await again.controller.fetch(again.ArticleResource.get, { id: made.id })).toMatchObject({ id: 4 });
    await again.controller.stop();

    const last = await open();
    expect(last.box.status.get().entries).toEqual([]);
    expect(await last.shown()).toEqual(before);
    expect(await last.controller.fetch(last.ArticleResource.getList)).toHaveLength(3);
  });
});
