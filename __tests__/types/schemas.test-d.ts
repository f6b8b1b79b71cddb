import type { Controller } from '../../src/controller/Controller.ts';
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import type { EndpointData } from '../../src/endpoint/EndpointInterface.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { All } from '../../src/schema/query/All.ts';
import { ArraySchema } from '../../src/schema/ArraySchema.ts';
import { Collection } from '../../src/schema/collection/Collection.ts';
import { Entity } from '../../src/schema/entity/Entity.ts';
import { EntityFromSchema } from '../../src/schema/entity/EntityFromSchema.ts';
import { Lazy } from '../../src/schema/Lazy.ts';
import { Scalar } from '../../src/schema/Scalar.ts';
import type { Denormalize } from '../../src/schema/Schema.ts';
import { Query } from '../../src/schema/query/Query.ts';
import { Union } from '../../src/schema/Union.ts';
import { Values } from '../../src/schema/Values.ts';
import { assertType, type Equal } from './equal.ts';
import { Article } from '../support/entities.ts';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

class Video extends Entity {
  id = '';
  length = 0;
}

export function shapes(): void {
  const item = new Union({ article: Article, video: Video }, ({ type }) => type);
  assertType<Equal<Denormalize<typeof item>, Article | Video>>();
  const byFunction = new Union({ article: Article, video: Video }, (value) => value['kind']);
  assertType<Equal<Denormalize<typeof byFunction>, Article | Video>>();

  const list = new ArraySchema(Article);
  assertType<Equal<Denormalize<typeof list>, Article[]>>();
  const items = new ArraySchema(item);
  assertType<Equal<Denormalize<typeof items>, (Article | Video)[]>>();

  const map = new Values(Article);
  assertType<Equal<Denormalize<typeof map>, Record<string, Article>>>();
  const nested = { list, map, item, next: '' };
  assertType<
    Equal<
      Denormalize<typeof nested>,
      { list: Article[]; map: Record<string, Article>; item: Article | Video; next: string }
    >
  >();

  // @ts-expect-error a union is of entities
  new Union({ article: Date }, ({ type }) => type);
  // @ts-expect-error a discriminator is needed
  new Union({ article: Article });
  // @ts-expect-error a schema is needed
  new Values();
}

export function queries(controller: Controller): void {
  const all = new All(Article);
  assertType<Equal<Denormalize<typeof all>, Article[]>>();
  const either = new All(new Union({ article: Article, video: Video }, ({ type }) => type));
  assertType<Equal<Denormalize<typeof either>, (Article | Video)[]>>();
  // @ts-expect-error all of a list is no kind
  new All([Article]);

  const titles = new Query(all, (articles, { by }: { by: string }) =>
    articles.map(({ title }) => title + by),
  );
  assertType<Equal<Denormalize<typeof titles>, string[]>>();
  const found = controller.get(titles, { by: 'ann' });
  assertType<Equal<typeof found, string[] | undefined>>();
  // @ts-expect-error the function wants args
  controller.get(titles);
  // @ts-expect-error a wrong name
  controller.get(titles, { byy: 'ann' });
  const count = new Query([Article], (articles) => articles.length);
  assertType<Equal<Denormalize<typeof count>, number>>();
  // @ts-expect-error an article has no such field
  new Query(Article, (article) => String(article.body));
  controller.watch(titles, { by: 'ann' }, (data) => {
    assertType<Equal<typeof data, string[] | undefined>>();
  });
  controller.watch(Article, { id: 1 }, (data) => {
    assertType<Equal<typeof data, Article | undefined>>();
  });
}

export async function collections(controller: Controller): Promise<void> {
  const articles = new Collection([Article]);
  assertType<Equal<Denormalize<typeof articles>, Article[]>>();
  assertType<Equal<Denormalize<typeof articles.push>, Article>>();
  const map = new Collection(new Values(Article));
  assertType<Equal<Denormalize<typeof map>, Record<string, Article>>>();
  assertType<Equal<Denormalize<typeof map.assign>, Record<string, Article>>>();
  new Collection([Article], { argsKey: ({ group }: { group: string }) => ({ group }) });
  new Collection([Article], { nestKey: (parent) => ({ author: parent['id'] }) });
  // @ts-expect-error a misspelled option
  new Collection([Article], { argKey: () => ({}) });

  const Articles = createResource({
    path: '/groups/:group/articles/:id',
    schema: Article,
    paginationField: 'cursor',
  });
  assertType<Equal<EndpointData<typeof Articles.getList>, Article[]>>();
  const made = await controller.fetch(Articles.getList.push, { group: 'a' }, { title: 'new' });
  assertType<Equal<typeof made, Article>>();
  const moved = await controller.fetch(Articles.getList.move, { group: 'a', id: '5' }, { group: 'b' });
  assertType<Equal<typeof moved, Article>>();
  const whole = await controller.fetch(Articles.getList.getPage, { group: 'a', cursor: 2 });
  assertType<Equal<typeof whole, Article[]>>();
  // @ts-expect-error a parameter of the path is missing
  await controller.fetch(Articles.getList.push, {}, { title: 'new' });
  // @ts-expect-error the page is missing
  await controller.fetch(Articles.getList.getPage, { group: 'a' });
  const getFrom = Articles.getList.paginated(({ from, ...rest }: { group: string; from: number }) => [rest]);
  const grown = await controller.fetch(getFrom, { group: 'a', from: 20 });
  assertType<Equal<typeof grown, Article[]>>();
  // @ts-expect-error the page is missing
  await controller.fetch(getFrom, { group: 'a' });
  const search = new RestEndpoint({
    path: '/search',
    method: 'POST',
    sideEffect: false,
    searchParams: { page: 0 },
    body: {} as { text: string },
    schema: articles,
    paginationField: 'page',
  });
  // A declared query parameter is not repeated in the body.
  const found = await controller.fetch(search.getPage, { page: 2 }, { text: 'salt' });
  assertType<Equal<typeof found, Article[]>>();
  // @ts-expect-error the page is missing
  await controller.fetch(search.getPage, {}, { text: 'salt' });
  const inBody = search.extend({ searchParams: undefined, body: {} as { text: string; page?: number } });
  await controller.fetch(inBody.getPage, { text: 'salt', page: 2 });
  const Unpaged = createResource({ path: '/articles/:id', schema: Article });
  // @ts-expect-error without `paginationField` no param selects a page
  await controller.fetch(Unpaged.getList.getPage, { page: 2 });
  const Tasks = createResource({ path: '/tasks/:id', schema: Article, searchParams: { group: '' } });
  // The path of one item needs no param of the list.
  await controller.fetch(Tasks.getList.move, { id: '5' }, { group: 'b' });
  await controller.fetch(Tasks.getList.move, { id: '5', group: 'a' }, { group: 'b' });
  // @ts-expect-error but no other one
  await controller.fetch(Tasks.getList.move, { id: '5', team: 'a' }, { group: 'b' });
  await controller.fetch(Articles.getList.push, { group: 'a' }, [{ title: 'new' }, { title: 'newer' }]);
  await controller.fetch(Tasks.getList.unshift, { title: 'new', group: 'a' });
  await controller.fetch(Tasks.getList.remove, new FormData());
  // @ts-expect-error a field of another type
  await controller.fetch(Tasks.getList.push, { title: 5 });
  // @ts-expect-error a misspelled field
  await controller.fetch(Tasks.getList.push, { titel: 'new' });
  // @ts-expect-error a list of another type
  await controller.fetch(Tasks.getList.push, [{ title: 5 }]);
  // @ts-expect-error a misspelled field
  await controller.fetch(Tasks.getList.move, { id: '5' }, { gruop: 'b' });
  const Titled = createResource({
    path: '/titled/:id',
    schema: Article,
    searchParams: {} as { title: number },
  });
  // A field that selects lists has its own type, not that of the parameter.
  await controller.fetch(Titled.getList.push, { title: 'new' });
  const Drafts = createResource({ path: '/drafts/:id', schema: Article, body: {} as { draft: string } });
  await controller.fetch(Drafts.getList.push, { draft: 'x' });
  // @ts-expect-error the resource has declared another body
  await controller.fetch(Drafts.getList.push, { title: 'new' });
  const getMap = new RestEndpoint({ path: '/map', schema: map });
  await controller.fetch(getMap.assign, { a: { title: 'new' } });
  // @ts-expect-error a field of another type
  await controller.fetch(getMap.assign, { a: { title: 5 } });
  const getSorted = new RestEndpoint({
    path: '/sorted',
    schema: new Query(new Collection([Article]), (all) => all),
  });
  // @ts-expect-error a field of another type
  await controller.fetch(getSorted.push, { title: 5 });
  const getWrapped = new RestEndpoint({ path: '/wrapped', schema: { items: new Collection([Article]) } });
  // The body may be wrapped, too.
  await controller.fetch(getWrapped.push, { item: { title: 'new' } });
  const counted = Tasks.getList.push.extend({ body: {} as { title: string; count: number } });
  await controller.fetch(counted, { title: 'new', count: 5 });
  // @ts-expect-error the page is missing
  await controller.fetch(Tasks.getList.paginated('page'), {});
  const plain = Articles.getList.extend({ schema: [Article] });
  // @ts-expect-error there is no collection
  await controller.fetch(plain.push, { group: 'a' }, {});
}

class AuthorWithLazyArticles extends Entity {
  id = '';
  articles: string[] = [];
  favourite = '';
  static override key = 'Author';
  static override schema = { articles: new Lazy([Article]), favourite: new Lazy(Article) };
}

export function lazyRelations(controller: Controller): void {
  assertType<Equal<Denormalize<(typeof AuthorWithLazyArticles)['schema']['articles']>, string[]>>();
  assertType<Equal<Denormalize<(typeof AuthorWithLazyArticles)['schema']['favourite']>, string>>();
  const articles = controller.get(AuthorWithLazyArticles.schema.articles.query, ['1']);
  assertType<Equal<typeof articles, Article[] | undefined>>();
  const favourite = controller.get(AuthorWithLazyArticles.schema.favourite.query, '1');
  assertType<Equal<typeof favourite, Article | undefined>>();
  // @ts-expect-error a schema is needed
  new Lazy();
}

export function scalars(): void {
  // oxlint-disable-next-line typescript/no-unsafe-return, typescript/no-unsafe-member-access -- as apps write it
  new Scalar({ lens: (args) => args[0]?.currency, key: 'currency' });
  new Scalar({ lens: ([params]: readonly [{ currency: string }]) => params.currency, key: 'currency' });
  new Scalar({ lens: () => 'EUR', key: 'currency', entity: Article });
  // @ts-expect-error a lens value is a string or a number
  new Scalar({ lens: () => ({}), key: 'currency' });
  // @ts-expect-error a key is needed
  new Scalar({ lens: () => 'EUR' });
  // @ts-expect-error it is of an entity
  new Scalar({ lens: () => 'EUR', key: 'currency', entity: Date });
}

class ZodBook extends EntityFromSchema(
  z.object({
    id: z.string(),
    pages: z.number().optional(),
    on: z.string().nullable(),
    by: z.object({}),
    in: z.string(),
  }),
  { key: 'Book', pk: 'id', schema: { by: Article, on: Date, in: [Article] } },
) {
  get isLong(): boolean {
    return (this.pages ?? 0) > 500;
  }
}
class ValibotBook extends EntityFromSchema(v.object({ id: v.string(), pages: v.optional(v.number()) })) {}
class ArkTypeBook extends EntityFromSchema(type({ id: 'string', 'pages?': 'number' })) {}

export async function entitiesFromSchemas(controller: Controller): Promise<void> {
  const book = new ZodBook();
  assertType<Equal<typeof book.id, string>>();
  assertType<Equal<typeof book.pages, number | undefined>>();
  assertType<Equal<typeof book.by, Article | undefined>>();
  assertType<Equal<typeof book.on, Date | null>>();
  assertType<Equal<typeof book.in, Article[]>>();
  // @ts-expect-error no such field
  assertType<Equal<typeof book.page, unknown>>();
  assertType<Equal<ValibotBook['pages'], number | undefined>>();
  assertType<Equal<ArkTypeBook['pages'], number | undefined>>();
  const Books = createResource({ path: '/books/:id', schema: ZodBook });
  const [first] = await controller.fetch(Books.getList);
  assertType<Equal<typeof first, ZodBook | undefined>>();
  // @ts-expect-error no such field
  EntityFromSchema(z.object({ id: z.string() }), { pk: 'isbn' });
  // @ts-expect-error not a schema
  EntityFromSchema({ id: '' });
}
