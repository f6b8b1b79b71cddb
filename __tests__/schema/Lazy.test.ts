import { describe, expect, it } from '@jest/globals';
import { Collection, Controller, Delete, Endpoint, Entity, Lazy, Union, Values, type Schema } from 'holdfast';
import { shapeOf } from '../../src/schema/shapeOf.ts';

class BookWithAuthor extends Entity {
  id = '';
  title = '';
  author = '';
  static override key = 'Book';
}
class Magazine extends Entity {
  id = '';
  title = '';
  static override key = 'Magazine';
}
const byAuthor = new Collection([BookWithAuthor], { nestKey: ({ id }) => ({ author: id }) });
const item = new Union({ book: BookWithAuthor, magazine: Magazine }, ({ type }) => type);
class AuthorWithLazyBooks extends Entity {
  id = '';
  name = '';
  books: string[] = [];
  favourite = '';
  byTitle: Record<string, string> = {};
  read: unknown = undefined;
  works = '';
  static override key = 'Author';
  static override schema = {
    books: new Lazy([BookWithAuthor]),
    favourite: new Lazy(BookWithAuthor),
    byTitle: new Lazy(new Values(BookWithAuthor)),
    read: new Lazy([item]),
    works: new Lazy(byAuthor),
  };
}
// The other side of the schema that points both ways.
class Novel extends BookWithAuthor {
  writer = AuthorWithLazyBooks.fromJS();
  static override schema = { writer: AuthorWithLazyBooks };
}

function endpointOf<const S extends Schema & {}>(schema: S, name = 'get') {
  return new Endpoint(() => Promise.resolve(), { name, schema });
}
const getAuthor = endpointOf(AuthorWithLazyBooks);

function authorWith(fields: object): { controller: Controller; author: AuthorWithLazyBooks } {
  const controller = new Controller();
  controller.setResponse(getAuthor, { id: '1', name: 'Ann', ...fields });
  return { controller, author: controller.get(AuthorWithLazyBooks, { id: '1' }) as AuthorWithLazyBooks };
}

describe('Lazy', () => {
  it('Lazy normalizes the entities of the relation, and reads as their pks', () => {
    const { controller, author } = authorWith({ books: [{ id: 'a', title: 'A' }, { id: 'b' }, 'c'] });
    expect(author.books).toEqual(['a', 'b', 'c']);
    expect(controller.get(BookWithAuthor, { id: 'a' })?.title).toBe('A');
  });

  it('a lazy list of pks is resolved by its query, without entities that are not stored', () => {
    const { controller, author } = authorWith({ books: [{ id: 'a' }, { id: 'b' }, 'c'] });
    const books = controller.get(AuthorWithLazyBooks.schema.books.query, author.books);
    expect(books).toEqual([
      controller.get(BookWithAuthor, { id: 'a' }),
      controller.get(BookWithAuthor, { id: 'b' }),
    ]);
    expect(books?.[0]).toBe(controller.get(BookWithAuthor, { id: 'a' }));
    expect(controller.get(AuthorWithLazyBooks.schema.books.query, author.books)).toBe(books);
    expect(controller.get(AuthorWithLazyBooks.schema.books.query, undefined)).toBeUndefined();
    expect(controller.get(AuthorWithLazyBooks.schema.books.query, [])).toEqual([]);
  });

  it('a lazy entity is resolved by its pk or by its args', () => {
    const { controller, author } = authorWith({ favourite: { id: 'a', title: 'A' } });
    expect(author.favourite).toBe('a');
    const { query } = AuthorWithLazyBooks.schema.favourite;
    expect(controller.get(query, author.favourite)).toBe(controller.get(BookWithAuthor, { id: 'a' }));
    expect(controller.get(query, { id: 'a' })).toBe(controller.get(BookWithAuthor, { id: 'a' }));
    expect(controller.get(query, 'other')).toBeUndefined();
    expect(controller.get(query, null)).toBeUndefined();
  });

  it('lazy maps, unions and collections are resolved', () => {
    const { controller, author } = authorWith({
      byTitle: { A: { id: 'a' }, __proto__: null },
      read: [
        { type: 'book', id: 'a' },
        { type: 'magazine', id: 'a' },
      ],
      works: [{ id: 'a' }, { id: 'b' }],
    });
    const book = controller.get(BookWithAuthor, { id: 'a' });
    expect(author.byTitle).toEqual({ A: 'a' });
    expect(controller.get(AuthorWithLazyBooks.schema.byTitle.query, author.byTitle)?.['A']).toBe(book);
    const read = controller.get(AuthorWithLazyBooks.schema.read.query, author.read);
    expect(read).toEqual([book, controller.get(Magazine, { id: 'a' })]);
    const works = controller.get(AuthorWithLazyBooks.schema.works.query, author.works);
    expect(works?.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(works?.[0]).toBe(book);
  });

  it('a lazy object is resolved by the entities that it holds, not by its own id', () => {
    class Loan extends Entity {
      id = '';
      made: unknown = undefined;
      static override key = 'Loan';
      static override schema = { made: new Lazy({ book: BookWithAuthor, id: '' }) };
    }
    const controller = new Controller();
    controller.set([BookWithAuthor], [{ id: 'a' }, { id: 'b' }]);
    controller.setResponse(endpointOf(Loan), { id: '1', made: { book: 'a', id: 'b' } });
    const made = controller.get(Loan, { id: '1' })?.made;
    expect(made).toEqual({ book: 'a', id: 'b' });
    expect(controller.get(Loan.schema.made.query, made)).toEqual({
      book: controller.get(BookWithAuthor, { id: 'a' }),
      id: 'b',
    });
  });

  it('an entity keeps its identity when lazily related entities change', () => {
    const { controller, author } = authorWith({ books: [{ id: 'a', title: 'A' }] });
    const { query } = AuthorWithLazyBooks.schema.books;
    const books = controller.get(query, author.books);
    controller.set(BookWithAuthor, { id: 'a' }, { title: 'changed' });
    expect(controller.get(AuthorWithLazyBooks, { id: '1' })).toBe(author);
    expect(controller.get(query, author.books)).not.toBe(books);
    expect(controller.get(query, author.books)?.[0]?.title).toBe('changed');
    controller.set(AuthorWithLazyBooks, { id: '1' }, { name: 'Ben' });
    expect(controller.get(AuthorWithLazyBooks, { id: '1' })?.books).toBe(author.books);
  });

  it('the members of a schema with references in both directions are kept apart', () => {
    const controller = new Controller();
    controller.setResponse(
      endpointOf([Novel]),
      ['a', 'b'].map((id) => ({ id, writer: { id: '1', books: ['a', 'b'] } })),
    );
    const [first, second] = ['a', 'b'].map((id) => controller.get(Novel, { id }));
    expect(first?.writer.books).toEqual(['a', 'b']);
    controller.set(Novel, { id: 'a' }, { title: 'changed' });
    expect(controller.get(Novel, { id: 'b' })).toBe(second);
    expect(controller.get(Novel, { id: 'a' })).not.toBe(first);
    expect(controller.get(Novel, { id: 'a' })?.writer).toBe(first?.writer);
  });

  it('a lazy query notifies its own watchers of a change and a deletion, but not those of the entity', () => {
    const { controller, author } = authorWith({ books: [{ id: 'a' }, { id: 'b' }] });
    const seen: unknown[] = [];
    let authors = 0;
    controller.watch(AuthorWithLazyBooks.schema.books.query, author.books, (books) =>
      seen.push(books?.map(({ id, title }) => id + title)),
    );
    controller.watch(AuthorWithLazyBooks, { id: '1' }, () => (authors += 1));
    controller.set(BookWithAuthor, { id: 'a' }, { title: '!' });
    controller.setResponse(endpointOf(new Delete(BookWithAuthor), 'delete'), { id: 'b' });
    expect(seen).toEqual([['a!', 'b'], ['a!']]);
    expect(authors).toBe(0);
  });

  it('a lazy relation in a result reads as pks, distinguished from those of other entities', () => {
    const controller = new Controller();
    const endpoint = endpointOf({ author: new Lazy(AuthorWithLazyBooks), next: '' });
    controller.setResponse(endpoint, { author: { id: '1' }, next: 'x' });
    expect(controller.getResponse(endpoint).data).toEqual({ author: '1', next: 'x' });
    expect(shapeOf(new Lazy(BookWithAuthor))).not.toBe(shapeOf(new Lazy(AuthorWithLazyBooks)));
  });

  it('a recipe may assign entities and pks to a lazy relation', () => {
    const { controller, author } = authorWith({ books: [{ id: 'a' }] });
    controller.set(BookWithAuthor, { id: 'b' }, { title: 'B' });
    controller.set(AuthorWithLazyBooks, { id: '1' }, (draft) => {
      draft.books = ['b', ...(draft.books ?? [])];
    });
    const changed = controller.get(AuthorWithLazyBooks, { id: '1' });
    expect(changed?.books).toEqual(['b', 'a']);
    expect(controller.get(AuthorWithLazyBooks.schema.books.query, changed?.books)?.[0]?.title).toBe('B');
    expect(author.books).toEqual(['a']);
  });
});
