import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity, RestEndpoint, type RestEndpointOptions } from 'holdfast';

class Book extends Entity {
  id = 0;
  title = '';
  author = 0;
  static override key = 'Book';
}

/** A server that adds whole lists of books. */
class BookEndpoint<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override async fetchResponse(_url: string, { body }: RequestInit): Promise<Response> {
    const sent = body === undefined ? [] : (JSON.parse(body as string) as object[]); // books, or nothing for a GET
    return Promise.resolve(Response.json(sent.map((book, index) => ({ ...book, id: index + 1 }))));
  }
}
const filter: { author?: number } = {};

describe('several entities that one request creates', () => {
  it.each([true, false])(
    'each is added to the lists that it matches, in the order that was sent (optimistic: %s)',
    async (optimistic) => {
      const books = createResource({
        path: '/books/:id',
        schema: Book,
        searchParams: filter,
        Endpoint: BookEndpoint,
        optimistic,
      }).extend((base) => ({
        createMany: base.create.extend({ schema: [Book], body: [] as readonly Partial<Book>[] }),
      }));
      const sent = [
        { title: 'Tides', author: 1 },
        { title: 'Bogs', author: 2 },
        { title: 'Reefs', author: 1 },
      ];
      for (const [name, endpoint] of Object.entries({
        createMany: books.createMany,
        push: books.getList.push,
        unshift: books.getList.unshift,
      })) {
        const controller = new Controller();
        const titles = (params: typeof filter): unknown =>
          controller.getResponse(books.getList, params).data?.map(({ title }) => title);
        for (const params of [{}, { author: 1 }, { author: 2 }, { author: 3 }])
          await controller.fetch(books.getList, params);
        const creating = controller.fetch(endpoint, sent);
        const shown = (): unknown => [{}, { author: 1 }, { author: 2 }, { author: 3 }].map(titles);
        const all = [['Tides', 'Bogs', 'Reefs'], ['Tides', 'Reefs'], ['Bogs'], []];
        // Only the endpoints of the list predict a list.
        if (optimistic && name !== 'createMany') expect(shown()).toEqual(all);
        await creating;
        expect([name, shown()]).toEqual([name, all]);
      }
    },
  );

  it('all of them are in a list that was requested before', async () => {
    let answer: (response: Response) => void = () => undefined;
    class LateEndpoint<O extends RestEndpointOptions = RestEndpointOptions> extends BookEndpoint<O> {
      override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
        const isList = init.body === undefined;
        return isList ? new Promise((resolve) => (answer = resolve)) : super.fetchResponse(url, init);
      }
    }
    const books = createResource({ path: '/late/:id', schema: Book, Endpoint: LateEndpoint });
    const controller = new Controller();
    const reading = controller.fetch(books.getList);
    const sent = Array.from({ length: 300 }, (_, index) => ({ title: `book ${index}` }));
    await controller.fetch(books.getList.push, sent);
    answer(Response.json([]));
    await reading;
    expect(controller.getResponse(books.getList).data?.length).toBe(300);
  });
});

describe('several entities that are removed at once', () => {
  it('each leaves the lists that it matches', () => {
    const books = createResource({ path: '/gone/:id', schema: Book, searchParams: filter });
    const controller = new Controller();
    const sent = [
      { id: 1, title: 'Tides', author: 1 },
      { id: 2, title: 'Bogs', author: 2 },
    ];
    const lists: readonly (typeof filter)[] = [{}, { author: 1 }, { author: 2 }];
    for (const params of lists)
      controller.setResponse(
        books.getList,
        params,
        sent.filter(({ author }) => [undefined, author].includes(params.author)),
      );
    controller.set(books.getList.schema.remove, {}, sent);
    expect(lists.map((params) => controller.getResponse(books.getList, params).data)).toEqual([[], [], []]);
  });
});
