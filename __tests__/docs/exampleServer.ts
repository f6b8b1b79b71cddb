import { http, HttpResponse, type JsonBodyType } from 'msw';
import { setupServer, type SetupServer } from 'msw/node';
import { network } from '../../docs/examples/prelude.tsx';

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

const ada = { id: '1', name: 'Ada' };
const grace = { id: '2', name: 'Grace' };

/** What the server of the examples has when a page begins. */
const tables: Record<string, Map<string, Item>> = {
  users: table(ada, grace),
  articles: table(
    { id: '1', title: 'Kelp', author: ada },
    { id: '2', title: 'Moss', author: grace },
    { id: '3', title: 'Fern', author: ada },
  ),
  comments: table(
    { id: '1', articleId: '1', text: 'Salty.' },
    { id: '2', articleId: '2', text: 'Soft.' },
    { id: '3', articleId: '1', text: 'Green.' },
  ),
  tasks: table(
    { id: '1', text: 'Water the moss', isDone: false },
    { id: '2', text: 'Dry the kelp', isDone: true },
  ),
  files: table(),
  loans: table({ id: '1', book_title: 'Ferns', borrower_name: 'Ada', version: 1 }),
  quotes: table({ id: 'ACME', symbol: 'ACME', price: 12 }),
};

function table(...items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

const origin = 'https://api.example.com';
const address = `${origin}/:table`;

/** Articles of `docs/realApi.md`, in the words of RealWorld's API: newest first. */
const stories = [
  { slug: 'kelp', title: 'Kelp', author: 'ada' },
  { slug: 'moss', title: 'Moss', author: 'grace' },
];
const conduit = 'https://conduit.example.com/api';
const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');
const page = (articles: typeof stories): Response =>
  HttpResponse.json({ articles, articlesCount: articles.length });

async function storyIn(request: Request): Promise<{ slug: string; title: string }> {
  const { article } = (await request.json()) as { article: { title: string } }; // as the page sends it
  return { ...article, slug: slugOf(article.title) };
}

/** Books of `docs/realApi.md`, served as PostgREST does: every response is a list. */
interface Book {
  readonly id: number;
  readonly title: string;
  readonly author_id: number;
}
const books: Book[] = [
  { id: 1, title: 'Tides', author_id: 1 },
  { id: 2, title: 'Bogs', author_id: 2 },
];
const booksFor = ({ url }: Request): Book[] => {
  const filters = [...new URL(url).searchParams].filter(([, value]) => value.startsWith('eq.'));
  return books.filter((book) =>
    filters.every(
      ([name, value]) => `eq.${String(new Map<string, unknown>(Object.entries(book)).get(name))}` === value,
    ),
  );
};

const rowsOf = (name: unknown): Map<string, Item> => tables[String(name)] ?? table();

const revisionOf = (item: Item | undefined): number => Number(item?.revision ?? 1);
const etagOf = (item: Item | undefined): string => `"${String(revisionOf(item))}"`;

const answer = (item: Item | undefined): HttpResponse<JsonBodyType> =>
  item === undefined ? HttpResponse.json({ message: 'Not found' }, { status: 404 }) : HttpResponse.json(item);

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  if (!request.headers.get('content-type')?.startsWith('multipart/')) {
    return (await request.json()) as Record<string, unknown>; // the examples send objects
  }
  const file = (await request.formData()).get('file') as File; // of the example of uploads
  return { name: file.name, size: file.size };
}

/** Makes the page fail for any other request, unless it goes to a server of an example. */
export function unhandled(request: Request): void {
  if (new URL(request.url).hostname !== 'localhost') throw new Error(`No server for ${request.url}`);
}

/** A REST server in memory at `https://api.example.com`, with a table for each kind of thing in the examples. */
export const server: SetupServer = setupServer(
  http.all(`${origin}/*`, () => (network.isDown ? HttpResponse.error() : undefined)),
  http.get(`${conduit}/articles`, () => page(stories)),
  http.get(`${conduit}/articles/feed`, () => page(stories.filter(({ author }) => author !== 'ada'))),
  http.post(`${conduit}/articles`, async ({ request }) => {
    const article = { author: 'ada', ...(await storyIn(request)) };
    if (article.title === '')
      return HttpResponse.json({ errors: { title: ["can't be blank"] } }, { status: 422 });
    stories.unshift(article);
    return HttpResponse.json({ article }, { status: 201 });
  }),
  http.put(`${conduit}/articles/:slug`, async ({ request, params }) => {
    const article = stories.find(({ slug }) => slug === params.slug);
    return HttpResponse.json({ article: Object.assign(article ?? {}, await storyIn(request)) });
  }),
  http.get(`${origin}/counted/:table`, ({ params }) => {
    const items = [...rowsOf(params.table).values()];
    return HttpResponse.json({ items, count: items.length });
  }),
  http.get(`${origin}/paged/:table`, ({ request, params }) => {
    const rows = [...rowsOf(params.table).values()];
    const number = Number(new URL(request.url).searchParams.get('page') ?? 1);
    const next = number * 2 < rows.length ? `${origin}/paged/articles?page=${String(number + 1)}` : null;
    return HttpResponse.json({ results: rows.slice(number * 2 - 2, number * 2), next, count: rows.length });
  }),
  http.get(`${origin}/rest/books`, ({ request }) => HttpResponse.json(booksFor(request))),
  http.post(`${origin}/rest/books`, async ({ request }) => {
    const sent = [(await request.json()) as Partial<Book> | readonly Partial<Book>[]].flat();
    const added = sent.map((book, index) => ({ ...book, id: books.length + index + 1 }) as Book);
    books.push(...added);
    return HttpResponse.json(added, { status: 201 });
  }),
  http.patch(`${origin}/rest/books`, async ({ request }) => {
    const changes = (await request.json()) as Partial<Book>;
    return HttpResponse.json(booksFor(request).map((book) => Object.assign(book, changes)));
  }),
  http.get(`${origin}/wrapped/:table`, ({ params }) => {
    const data = [...rowsOf(params.table).values()];
    return HttpResponse.json({ data, meta: { total: data.length } });
  }),
  http.post(`${origin}/wrapped/:table`, async ({ request, params }) => {
    const rows = rowsOf(params.table);
    const data = { ...(await bodyOf(request)), id: String(rows.size + 1) };
    rows.set(data.id, data);
    return HttpResponse.json({ data, meta: {} }, { status: 201 });
  }),
  http.patch(`${origin}/wrapped/:table/:id`, async ({ request, params }) => {
    const present = rowsOf(params.table).get(String(params.id));
    return HttpResponse.json({ data: { ...present, ...(await bodyOf(request)) }, meta: {} });
  }),
  http.post(`${origin}/token`, () => HttpResponse.json({ access: 'renewed' })),
  http.get(`${origin}/private/:table/:id`, ({ request, params }) =>
    request.headers.get('Authorization') === 'Bearer renewed'
      ? answer(rowsOf(params.table).get(String(params.id)))
      : HttpResponse.json({ error: 'expired' }, { status: 401 }),
  ),
  http.patch(`${origin}/versioned/:table/:id`, async ({ request, params }) => {
    const rows = rowsOf(params.table);
    const present = rows.get(String(params.id));
    const body = await bodyOf(request);
    if (present === undefined || body.version !== present.version)
      return HttpResponse.json(present, { status: present ? 409 : 404 });
    const item = { ...present, ...body, version: Number(present.version) + 1 };
    rows.set(item.id, item);
    return HttpResponse.json(item);
  }),
  http.get(`${origin}/tagged/:table/:id`, ({ params }) => {
    const item = rowsOf(params.table).get(String(params.id));
    return HttpResponse.json(item ?? null, { headers: { ETag: etagOf(item) } });
  }),
  http.patch(`${origin}/tagged/:table/:id`, async ({ request, params }) => {
    const rows = rowsOf(params.table);
    const present = rows.get(String(params.id));
    const isKnown = request.headers.get('If-Match') === etagOf(present);
    // The outbox sends a key with each mutation.
    if (present === undefined || !isKnown || !request.headers.has('Idempotency-Key'))
      return HttpResponse.json(present ?? null, { status: 412 });
    const item = { ...present, ...(await bodyOf(request)), revision: revisionOf(present) + 1 };
    rows.set(item.id, item);
    return new HttpResponse(null, { status: 204, headers: { ETag: etagOf(item) } });
  }),
  http.get(address, ({ request, params }) => {
    const search = new URL(request.url).searchParams;
    const cursor = Number(search.get('cursor') ?? 0);
    const limit = search.get('limit');
    for (const name of ['cursor', 'limit']) search.delete(name);
    const all = [...rowsOf(params.table).values()].filter((item) =>
      [...search].every(([name, value]) => String(item[name]) === value),
    );
    if (limit === null) return HttpResponse.json(all, { headers: { 'X-Total-Count': String(all.length) } });
    const end = cursor + Number(limit);
    return HttpResponse.json({
      items: all.slice(cursor, end),
      nextCursor: end < all.length ? String(end) : null,
    });
  }),
  http.head(`${origin}/*`, () => new HttpResponse(null, { status: 204 })),
  http.patch(`${address}/:id/:verb`, ({ params }) => answer(rowsOf(params.table).get(String(params.id)))),
  http.get(`${address}/:id`, ({ params }) => answer(rowsOf(params.table).get(String(params.id)))),
  http.post(`${origin}/tasks/search`, async ({ request }) => {
    const { text } = await bodyOf(request);
    const found = [...rowsOf('tasks').values()].filter((task) => String(task.text).includes(String(text)));
    return HttpResponse.json(found);
  }),
  http.post(`${address}/bulk-delete`, async ({ request, params }) => {
    const { ids } = await bodyOf(request);
    for (const id of ids as readonly string[]) rowsOf(params.table).delete(id);
    return new HttpResponse(null, { status: 204 });
  }),
  http.put(`${origin}/articles/:id/comment-order`, () => new HttpResponse(null, { status: 204 })),
  http.post(address, async ({ request, params }) => {
    const rows = rowsOf(params.table);
    const item = { ...(await bodyOf(request)), id: String(rows.size + 1) };
    if ('text' in item && item.text === '')
      return HttpResponse.json({ errors: { text: ["can't be blank"] } }, { status: 422 });
    rows.set(item.id, item);
    return HttpResponse.json(item, { status: 201 });
  }),
  ...[http.put, http.patch].map((method) =>
    method(`${address}/:id`, async ({ request, params }) => {
      const { conflict } = network;
      if (conflict !== undefined) return HttpResponse.json(conflict, { status: 409 });
      const rows = rowsOf(params.table);
      const present = rows.get(String(params.id));
      const item = present && { ...present, ...(await bodyOf(request)) };
      if (item !== undefined) rows.set(item.id, item);
      return answer(item);
    }),
  ),
  http.delete(`${address}/:id`, ({ params }) => {
    rowsOf(params.table).delete(String(params.id));
    return new HttpResponse(null, { status: 204 });
  }),
);
