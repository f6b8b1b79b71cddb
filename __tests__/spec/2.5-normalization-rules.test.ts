import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  validateRequired,
  type EntityValue,
  type Schema,
} from 'holdfast';
import { baseUrl, startServer } from './server.ts';
import { Tag, User } from '../support/entities.ts';

const server = startServer();
class ProfileWithoutFriends extends Entity {
  id = '';
  bio = '';
  owner = User.fromJS();
  static override key = 'Profile';
  static override schema = { owner: User };
}
class TaggedArticle extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  tags: Tag[] = [];
  static override key = 'Article';
  static override schema = { author: User, tags: [Tag] };
}

const getData = <const S extends Schema>(schema: S) =>
  new RestEndpoint({ urlPrefix: baseUrl, path: '/data', schema });
const rowOf = (controller: Controller, table: string, pk: string): unknown =>
  controller.getState().tables[table]?.get(pk)?.value;

const red = { id: 'r', label: 'red' };
const blue = { id: 'b', label: 'blue' };
const ann = { id: 'u', name: 'Ann' };

describe('2.5.1 nested members of Entity.schema', () => {
  it('nested entities are stored in their own tables, and their pks take their place', async () => {
    server.json('GET /data', { id: '1', title: 'One', author: ann, tags: [red, blue] });
    const controller = new Controller();
    await controller.fetch(getData(TaggedArticle));
    expect(rowOf(controller, 'Article', '1')).toEqual({
      id: '1',
      title: 'One',
      author: 'u',
      tags: ['r', 'b'],
    });
    expect(rowOf(controller, 'User', 'u')).toEqual(ann);
    expect(rowOf(controller, 'Tag', 'b')).toEqual(blue);
  });

  it('nested entities are denormalized when read, with the fields of later responses', async () => {
    server.json('GET /data', { id: '1', author: ann, tags: [red] });
    const controller = new Controller();
    await controller.fetch(getData(TaggedArticle));
    server.json('GET /data', { id: 'u', name: 'Anna' });
    await controller.fetch(getData(User));
    const article = controller.get(TaggedArticle, { id: '1' });
    expect(article?.author).toEqual(User.fromJS({ id: 'u', name: 'Anna' }));
    expect(article?.tags).toEqual([Tag.fromJS(red)]);
  });

  it('entities are normalized at every depth', async () => {
    server.json('GET /data', { page: { articles: [{ id: '1', author: ann, tags: [] }] } });
    const controller = new Controller();
    const { page } = await controller.fetch(getData({ page: { articles: [TaggedArticle] } }));
    expect(page.articles[0]?.author).toBe(controller.get(User, { id: 'u' }));
  });
});

describe('2.5.2 relations through Entity.schema', () => {
  it('a one-to-one relation reads as the related entity', async () => {
    server.json('GET /data', { id: 'p', bio: 'Writes', owner: ann });
    const controller = new Controller();
    const profile = await controller.fetch(getData(ProfileWithoutFriends));
    expect(profile.owner).toBe(controller.get(User, { id: 'u' }));
    expect(profile.owner.name).toBe('Ann');
  });

  it('a many-to-one relation reads as one shared entity, also after a change', async () => {
    server.json('GET /data', [
      { id: '1', author: ann },
      { id: '2', author: ann },
    ]);
    const controller = new Controller();
    const articles = await controller.fetch(getData([TaggedArticle]));
    expect(articles.map(({ author }) => author.name)).toEqual(['Ann', 'Ann']);
    controller.set(User, { id: 'u' }, { name: 'Eve' });
    expect(controller.getResponse(getData([TaggedArticle])).data?.map(({ author }) => author.name)).toEqual([
      'Eve',
      'Eve',
    ]);
  });

  it('a many-to-many relation reads as lists that share their entities', async () => {
    server.json('GET /data', [
      { id: '1', author: ann, tags: [red, blue] },
      { id: '2', author: ann, tags: [blue] },
      { id: '3', author: ann, tags: [blue, red] },
    ]);
    const articles = await new Controller().fetch(getData([TaggedArticle]));
    expect(articles.map(({ tags }) => tags.map(({ label }) => label))).toEqual([
      ['red', 'blue'],
      ['blue'],
      ['blue', 'red'],
    ]);
    expect(new Set(articles.flatMap(({ tags }) => tags)).size).toBe(2);
  });
});

describe('2.5.3 two references to the same key and pk', () => {
  it('references to one pk read as the identical object within one response', async () => {
    server.json('GET /data', [
      { id: '1', author: ann },
      { id: '2', author: { ...ann } },
    ]);
    const [first, second] = await new Controller().fetch(getData([TaggedArticle]));
    expect(first?.author === second?.author).toBe(true);
    expect(first?.author).toBeInstanceOf(User);
  });

  it('references to one pk read as the identical object across endpoints, schemas and depths', async () => {
    const controller = new Controller();
    server.json('GET /data', { id: '1', author: ann });
    const article = await controller.fetch(getData(TaggedArticle));
    const getProfile = new RestEndpoint({
      urlPrefix: baseUrl,
      path: '/profile',
      schema: { only: ProfileWithoutFriends },
    });
    server.json('GET /profile', { only: { id: 'p', owner: ann } });
    const { only: profile } = await controller.fetch(getProfile);
    expect(profile.owner === article.author).toBe(true);
    expect(controller.get(User, { id: 'u' }) === article.author).toBe(true);
  });

  it('references to one pk read as the identical object whether the pk arrived as a number or a string', async () => {
    server.json('GET /data', [
      { id: '1', author: { id: 5, name: 'Ann' } },
      { id: '2', author: { id: '5', name: 'Ann' } },
    ]);
    const [first, second] = await new Controller().fetch(getData([TaggedArticle]));
    expect(first?.author === second?.author).toBe(true);
  });

  it('references to different pks read as different objects', async () => {
    server.json('GET /data', [
      { id: '1', author: ann },
      { id: '2', author: { ...ann, id: 'v' } },
    ]);
    const [first, second] = await new Controller().fetch(getData([TaggedArticle]));
    expect(first?.author === second?.author).toBe(false);
  });
});

describe('2.5.4 reverse relations', () => {
  class Book extends Entity {
    id = '';
    title = '';
    writers: Writer[] = [];
    static override key = 'Book';
    static override merge(existing: { writers?: string[] }, incoming: { writers?: string[] }) {
      const writers = new Set([...(existing.writers ?? []), ...(incoming.writers ?? [])]);
      return { ...existing, ...incoming, writers: [...writers] };
    }
    static override process(value: object, parent: { id: string }, key?: string) {
      return key === 'books' ? { ...value, writers: [parent.id] } : { ...value };
    }
  }
  class Writer extends Entity {
    id = '';
    name = '';
    books: Book[] = [];
    static override key = 'Writer';
    static override schema: Record<string, Schema> = { books: [Book] };
  }
  Book.schema = { writers: [Writer] };

  const dune = { id: 'd', title: 'Dune' };
  const emma = { id: 'e', title: 'Emma' };

  it('process writes the pk of the parent into the nested entity', async () => {
    server.json('GET /data', { id: 'w', name: 'Ann', books: [dune, emma] });
    const controller = new Controller();
    const writer = await controller.fetch(getData(Writer));
    expect(rowOf(controller, 'Book', 'd')).toEqual({ ...dune, writers: ['w'] });
    expect(writer.books.map(({ title }) => title)).toEqual(['Dune', 'Emma']);
    for (const book of writer.books) expect(book.writers[0] === writer).toBe(true);
  });

  it('merge keeps the accumulated lists, within a response and across responses', async () => {
    server.json('GET /data', [
      { id: 'w', name: 'Ann', books: [dune, emma] },
      { id: 'x', name: 'Bob', books: [emma] },
    ]);
    const controller = new Controller();
    await controller.fetch(getData([Writer]));
    server.json('GET /data', [{ id: 'y', name: 'Cyd', books: [emma] }]);
    await controller.fetch(getData([Writer]));
    const names = (id: string) => controller.get(Book, { id })?.writers.map(({ name }) => name);
    expect(names('e')).toEqual(['Ann', 'Bob', 'Cyd']);
    expect(names('d')).toEqual(['Ann']);
  });
});

describe('2.5.5 circular schemas', () => {
  class Department extends Entity {
    id = '';
    name = '';
    lead = Worker.fromJS();
    address = User.fromJS();
    static override key = 'Department';
    static override schema: Record<string, Schema> = { address: User };
  }
  class Worker extends Entity {
    id = '';
    name = '';
    department: Department | undefined = undefined;
    boss: Worker | undefined = undefined;
    static override key = 'Worker';
    static override schema: Record<string, Schema> = { department: Department };
  }
  Department.schema = { ...Department.schema, lead: Worker };
  Worker.schema = { ...Worker.schema, boss: Worker };

  const response = {
    id: 'd',
    name: 'Sales',
    address: ann,
    lead: { id: 'l', name: 'Lee', department: 'd', boss: { id: 'm', name: 'Max', boss: 'm' } },
  };

  it('a circular schema can be assigned after all classes are defined', async () => {
    server.json('GET /data', response);
    const department = await new Controller().fetch(getData(Department));
    expect(department.lead).toBeInstanceOf(Worker);
    expect(department.lead.department === department).toBe(true);
  });

  it('a circular schema can refer to its own class', async () => {
    server.json('GET /data', response);
    const { lead } = await new Controller().fetch(getData(Department));
    expect(lead.boss?.name).toBe('Max');
    expect(lead.boss?.boss === lead.boss).toBe(true);
  });

  it('an assigned schema keeps the members that it spreads', async () => {
    server.json('GET /data', response);
    const controller = new Controller();
    const department = await controller.fetch(getData(Department));
    expect(department.address).toBe(controller.get(User, { id: 'u' }));
    expect(department.lead.department).toBe(department);
  });

  it('the schema of a subclass keeps the members of the base class that it spreads', async () => {
    class Branch extends Department {
      deputy = User.fromJS();
      static override key = 'Branch';
      static override schema = { ...super.schema, deputy: User };
    }
    server.json('GET /data', { ...response, deputy: { id: 'v', name: 'Bob' } });
    const branch = await new Controller().fetch(getData(Branch));
    expect([branch.address, branch.lead, branch.deputy].map(({ name }) => name)).toEqual([
      'Ann',
      'Lee',
      'Bob',
    ]);
  });
});

describe('2.5.6 summary and detail shapes', () => {
  class ArticleSummary extends Entity {
    id = '';
    title = '';
    static override key = 'Piece';
  }
  class ArticleDetail extends ArticleSummary {
    content = '';
    createdAt = new Date(0);
    static override schema = { createdAt: Date };
    static override validate(processed: EntityValue) {
      return validateRequired(processed, this.defaults);
    }
  }
  const ArticleResource = createResource({ urlPrefix: baseUrl, path: '/pieces/:id', schema: ArticleDetail });
  const getList = ArticleResource.getList.extend({ schema: [ArticleSummary] });
  const summary = { id: '1', title: 'One' };
  const detail = { ...summary, content: 'Text', createdAt: '2020-02-02T00:00:00.000Z' };

  it('summary and detail classes share the static key', () => {
    expect(ArticleDetail.key).toBe(ArticleSummary.key);
  });

  it('a list extended with { schema: [SummaryEntity] } reads summaries', async () => {
    server.json('GET /pieces', [summary]);
    const [piece] = await new Controller().fetch(getList);
    expect(piece).toBeInstanceOf(ArticleSummary);
    expect(piece).not.toBeInstanceOf(ArticleDetail);
    expect(piece?.title).toBe('One');
  });

  it('a detail read fetches if validate rejects the stored summary', async () => {
    server.json('GET /pieces', [summary]);
    server.json('GET /pieces/1', detail);
    const controller = new Controller();
    await controller.fetch(getList);
    expect(controller.getResponse(ArticleResource.get, { id: '1' }).data).toBeUndefined();
    const article = await controller.fetchIfStale(ArticleResource.get, { id: '1' });
    expect(server.asked).toEqual(['GET /pieces', 'GET /pieces/1']);
    expect(article).toEqual(
      ArticleDetail.fromJS({ ...detail, createdAt: new Date('2020-02-02T00:00:00.000Z') }),
    );
  });

  it('a stored detail is read without a fetch, and keeps its fields when the next list arrives', async () => {
    server.json('GET /pieces', [{ id: '1', title: 'Renamed' }]);
    server.json('GET /pieces/1', detail);
    const controller = new Controller();
    await controller.fetch(ArticleResource.get, { id: '1' });
    await controller.fetch(getList);
    const article = await controller.fetchIfStale(ArticleResource.get, { id: '1' });
    expect(server.asked).toEqual(['GET /pieces/1', 'GET /pieces']);
    expect([article.title, article.content]).toEqual(['Renamed', 'Text']);
  });
});

describe('2.5.7 detail data in a nested entity', () => {
  class UserSummary extends Entity {
    id = '';
    name = '';
    static override key = 'Reader';
  }
  class ArticleMeta extends Entity {
    id = '';
    likes = 0;
    comments = 0;
    readers: UserSummary[] = [];
    static override key = 'ArticleMeta';
    static override schema = { readers: [UserSummary] };
  }
  class Post extends Entity {
    id = '';
    title = '';
    meta: ArticleMeta | undefined = undefined;
    static override key = 'Post';
    static override schema = { meta: ArticleMeta };
  }
  const PostResource = createResource({ urlPrefix: baseUrl, path: '/posts/:id', schema: Post });

  it('a nested entity holds counts and a list of summaries, and its parent is readable without it', async () => {
    server.json('GET /posts', [{ id: '1', title: 'One' }]);
    server.json('GET /posts/1', {
      id: '1',
      title: 'One',
      meta: { id: '1', likes: 3, comments: 4, readers: [ann, { id: 'v', name: 'Bob' }] },
    });
    const controller = new Controller();
    const [listed] = await controller.fetch(PostResource.getList);
    expect(listed?.title).toBe('One');
    expect(listed?.meta).toBeUndefined();

    const { meta } = await controller.fetch(PostResource.get, { id: '1' });
    expect(meta).toBeInstanceOf(ArticleMeta);
    expect([meta?.likes, meta?.comments]).toEqual([3, 4]);
    expect(meta?.readers.map(({ name }) => name)).toEqual(['Ann', 'Bob']);
    expect(meta?.readers[0]).toBeInstanceOf(UserSummary);
    expect(controller.getResponse(PostResource.getList).data?.[0]?.meta).toBe(meta);
  });
});
