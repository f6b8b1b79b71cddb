import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  type EndpointInterface,
  type EntityClass,
} from 'holdfast';
import { Manual, quiet, request, sent } from '../../support/manualRequests.ts';

class ArticleWithSlug extends Entity {
  slug = '';
  title = '';
  tags: string[] = [];
  override pk() {
    return this.slug;
  }
  static override key = 'Article';
}

const options = { optimistic: true, Endpoint: Manual } as const;
const ArticleResource = createResource({ path: '/articles/:slug', schema: ArticleWithSlug, ...options });

let controller: Controller;

beforeEach(() => {
  sent.length = 0;
  controller = new Controller();
  controller.setResponse(ArticleResource.getList, [{ slug: 'old', title: 'Old' }]);
});

const list = () => controller.getResponse(ArticleResource.getList).data ?? [];

describe('an optimistic create of an entity with a pk() of its own', () => {
  it('an optimistic create shows the item under a temporary pk that links and mutations can use', async () => {
    const done = quiet(controller.fetch(ArticleResource.create, { title: 'New' }));
    const shown = list()[1]!;
    expect(shown.slug).toMatch(/^optimistic-/);
    expect(shown.pk()).toBe(shown.slug);
    expect(controller.keyOf(shown)).toBe(shown.slug);
    expect(controller.get(ArticleWithSlug, { slug: shown.slug })).toBe(shown);
    expect(controller.getResponse(ArticleResource.get, { slug: shown.slug }).data).toBe(shown);
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: shown.slug }, { title: 'Newer' }));
    expect(list()[1]).toMatchObject({ slug: shown.slug, title: 'Newer' });

    await (await request()).answer({ slug: 'new', title: 'New' });
    const made = await done;
    expect(made.slug).toBe('new');
    expect(controller.keyOf(made)).toBe(shown.slug);
    expect(controller.get(ArticleWithSlug, { slug: shown.slug })).toBe(made);
  });

  it.each([
    ['an empty text', { slug: '', title: 'New' }],
    ['null', { slug: null as unknown as string, title: 'New' }],
    ['undefined', { slug: undefined as unknown as string, title: 'New' }],
  ])('an optimistic create treats %s as no pk', (_, body) => {
    void quiet(controller.fetch(ArticleResource.create, body));
    expect(list()[1]!.slug).toMatch(/^optimistic-/);
  });

  it('an optimistic create keeps a pk that the app chooses itself', async () => {
    void quiet(controller.fetch(ArticleResource.create, { slug: 'mine', title: 'New' }));
    expect(controller.keyOf(list()[1]!)).toBe('mine');
    await (await request()).answer({ slug: 'mine', title: 'New' });
    expect(list().map(({ slug }) => slug)).toEqual(['old', 'mine']);
  });

  it('two pending creates stay apart, and the rejected one is rolled back', async () => {
    const first = quiet(controller.fetch(ArticleResource.create, { title: 'One' }));
    void quiet(controller.fetch(ArticleResource.create, { title: 'Two' }));
    const keys = list().map((each) => controller.keyOf(each));
    expect(new Set(keys).size).toBe(3);
    await (await request(0)).fail();
    await expect(first).rejects.toThrow('refused');
    expect(list().map(({ title }) => title)).toEqual(['Old', 'Two']);
    await (await request(1)).answer({ slug: 'two', title: 'Two' });
    expect(list().map((each) => controller.keyOf(each))).toEqual([keys[0], keys[2]]);
  });

  it('the created item is shown once if the server responds with an existing one', async () => {
    void quiet(controller.fetch(ArticleResource.create, { title: 'Old' }));
    const { slug } = list()[1]!;
    await (await request()).answer({ slug: 'old', title: 'Old!' });
    expect(list().map(({ title }) => title)).toEqual(['Old!']);
    expect(controller.get(ArticleWithSlug, { slug })).toBe(list()[0]);
    expect(controller.keyOf(list()[0]!)).toBe('old');
  });

  it('the created item is removed if the response does not identify it', async () => {
    void quiet(controller.fetch(ArticleResource.create, { title: 'New' }));
    await (await request()).answer(undefined);
    expect(list().map(({ title }) => title)).toEqual(['Old']);
  });
});

/** What a class makes of its fields, and what the server answers. */
const KINDS: readonly [
  string,
  EntityClass & typeof Entity,
  path: string,
  object,
  answer: object,
  link: string[],
][] = [
  [
    'is made of several fields',
    class Grouped extends Entity {
      group = 0;
      id = 0;
      title = '';
      override pk() {
        return `${this.group}/${this.id}`;
      }
      static override key = 'Grouped';
    },
    '/groups/:group/articles/:id',
    { group: 5, title: 'New' },
    { group: 5, id: 7, title: 'New' },
    ['group', 'id'],
  ],
  [
    'is a number in another field',
    class Numbered extends Entity {
      number = 0;
      title = '';
      override pk() {
        return this.number;
      }
      static override key = 'Numbered';
    },
    '/numbered/:number',
    { title: 'New' },
    { number: 7, title: 'New' },
    ['number'],
  ],
  [
    'throws while a field is missing',
    class Coded extends Entity {
      code = '';
      title = '';
      override pk() {
        return this.code.toUpperCase();
      }
      static override key = 'Coded';
    },
    '/coded/:code',
    { title: 'New' },
    { code: 'x', title: 'New' },
    [],
  ],
  [
    'comes of the arguments',
    class Argued extends Entity {
      name = '';
      title = '';
      override pk(_parent?: unknown, _key?: string, args?: readonly unknown[]) {
        const { name } = { ...(args?.[0] as { name?: string }) };
        return this.name || name;
      }
      static override key = 'Argued';
    },
    '/argued/:name',
    { title: 'New' },
    { name: 'x', title: 'New' },
    ['name'],
  ],
];

it.each(KINDS)(
  'an optimistic create gives a temporary pk to an entity whose pk() %s',
  async (_, schema, path, body, answer, link) => {
    const resource = createResource({ path, schema, ...options });
    const { group } = body as { group?: number };
    const params = group === undefined ? [] : [{ group }];
    const list: EndpointInterface = resource.getList; // of any of the kinds
    const create: EndpointInterface = resource.create;
    controller.setResponse(list, ...params, []);
    const items = () => (controller.getResponse(list, ...params).data ?? []) as object[];
    void quiet(controller.fetch(create, ...params, body));
    const [shown] = items();
    const key = controller.keyOf(shown!);
    expect(key).toContain('optimistic-');
    if (link.length > 0) {
      const named = Object.fromEntries(
        link.map((field) => [field, (shown as Record<string, unknown>)[field]]),
      );
      expect(controller.get(schema, named)).toBe(shown);
    }
    await (await request()).answer(answer);
    expect(items()).toMatchObject([answer]);
    expect(controller.keyOf(items()[0]!)).toBe(key);
    // An open form still holds the object from before the response.
    expect(controller.keyOf(shown!)).toBe(key);
  },
);

describe('a create whose response wraps the entity', () => {
  const wrapped = {
    create: ArticleResource.create.extend({ schema: { article: ArticleWithSlug } }),
    partialUpdate: ArticleResource.partialUpdate.extend({ schema: { article: ArticleWithSlug } }),
  };

  it.each([
    ['bare', { title: 'New' }],
    ['wrapped likewise', { article: { title: 'New' } }],
  ])('a wrapped create shows a body that is %s', async (_, body) => {
    const done = quiet(controller.fetch(wrapped.create, body as never));
    const shown = list()[1]!;
    expect(shown).toMatchObject({ title: 'New', slug: expect.stringMatching(/^optimistic-/) });
    await (await request()).answer({ article: { slug: 'new', title: 'New' } });
    expect((await done).article).toBe(list()[1]);
    expect(controller.keyOf(list()[1]!)).toBe(shown.slug);
  });

  it('a wrapped create of a collection is shown optimistically, in the list that it names', async () => {
    const getFeed = ArticleResource.getList.extend({
      path: '/feed',
      schema: { articles: new Collection([ArticleWithSlug]) },
    });
    controller.setResponse(getFeed, { articles: [] });
    const create = ArticleResource.create.extend({ schema: { article: getFeed.schema.articles.push } });
    void quiet(controller.fetch(create, { title: 'New' }));
    expect(controller.getResponse(getFeed).data?.articles).toMatchObject([{ title: 'New' }]);
    await (await request()).answer({ article: { slug: 'new', title: 'New' } });
    expect(controller.getResponse(getFeed).data?.articles).toMatchObject([{ slug: 'new', title: 'New' }]);
  });

  it('a wrapped update is shown optimistically', async () => {
    void quiet(
      controller.fetch(wrapped.partialUpdate, { slug: 'old' }, { article: { title: 'Older' } } as never),
    );
    expect(list()).toMatchObject([{ slug: 'old', title: 'Older' }]);
    await (await request()).answer({ article: { slug: 'old', title: 'Oldest' } });
    expect(list()).toMatchObject([{ slug: 'old', title: 'Oldest' }]);
  });
});

it('an endpoint of any kind gives a temporary pk to the item of its optimistic response', async () => {
  class TagWithNameAsPk extends Entity {
    name = '';
    label = '';
    override pk() {
      return this.name;
    }
    static override key = 'Tag';
  }
  const make: EndpointInterface = new Manual({
    path: '/tags',
    method: 'POST',
    body: {} as { label: string },
    schema: TagWithNameAsPk,
    getOptimisticResponse: (_snapshot: unknown, body: object) => ({ ...body }),
  });
  const done = quiet(controller.fetch(make, { label: 'New' }));
  const all = [...(controller.getState().tables['Tag']?.entries() ?? [])];
  expect(all).toEqual([[expect.stringMatching(/^optimistic-/), expect.anything()]]);
  await (await request()).answer({ name: 'new', label: 'New' });
  expect(controller.keyOf((await done) as TagWithNameAsPk)).toBe(all[0]![0]);
});

class PageOfArgs extends Entity {
  id = '';
  title = '';
  body = '';
  override pk(_parent?: unknown, _key?: string, args?: readonly unknown[]) {
    return `${this.id} ${(args?.[0] as { locale?: string } | undefined)?.locale}`;
  }
  static override key = 'PageOfArgs';
}
class PageWithLocale extends Entity {
  id = '';
  title = '';
  body = '';
  locale = '';
  override pk() {
    return `${this.id} ${this.locale}`;
  }
  static override key = 'PageWithLocale';
}

describe.each([
  ['the response lacks', PageOfArgs, () => ({})],
  ['the response contains', PageWithLocale, (locale: string) => ({ locale })],
])('a pk that depends on a param of the query string, which %s', (_, schema, answer) => {
  const partialUpdate: EndpointInterface = createResource({
    path: '/pages/:id',
    schema,
    ...options,
  }).partialUpdate;
  const titles = () =>
    ['de', 'fr'].map(
      (locale) => controller.get(schema as typeof PageWithLocale, { id: '1', locale } as object)?.title,
    );

  it('an update of one variant does not rename another one', async () => {
    for (const [nth, locale] of ['de', 'fr'].entries()) {
      const title = `in ${locale}`;
      void quiet(controller.fetch(partialUpdate, { id: '1', locale }, { title }));
      await (await request(nth)).answer({ id: '1', title, body: 'text', ...answer(locale) });
    }
    expect(titles()).toEqual(['in de', 'in fr']);
  });

  it('an update of a variant that is not stored is not shown with the defaults of its other fields', () => {
    void quiet(controller.fetch(partialUpdate, { id: '1', locale: 'de' }, { title: 'New' }));
    expect(titles()).toEqual([undefined, undefined]);
  });
});

it('the temporary pk also fills a path parameter that is not the pk', () => {
  class Page extends Entity {
    id = 0;
    slug = '';
    title = '';
    static override key = 'Page';
  }
  const PageResource = createResource({ path: '/pages/:slug', schema: Page, ...options });
  controller.setResponse(PageResource.getList, []);
  void quiet(controller.fetch(PageResource.create, { title: 'New' }));
  const [page] = controller.getResponse(PageResource.getList).data ?? [];
  expect(page!.slug).toBe(String(page!.id));
});
