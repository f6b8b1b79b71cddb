import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Collection, createResource, Endpoint, RestEndpoint, Values } from 'holdfast';
import { Network } from './network.ts';
import { ArticleWithText, openTab, type Tab } from '../support/tabs.ts';

let network: Network;

beforeEach(() => {
  network = new Network();
  network.install();
});
afterEach(() => network.restore());

interface Params {
  readonly by?: string;
}

const articles = new Collection([ArticleWithText]);
const list = new Endpoint((_params: Params) => Promise.resolve([{ id: '1', title: 'first' }]), {
  name: 'list',
  schema: articles,
  key: ({ by = '' }) => `list ${by}`,
});
const adding = { name: 'add', sideEffect: true } as const;
const post = (_params: Params, body: { id: string }): Promise<object> => Promise.resolve({ ...body });
const add = new Endpoint(post, { ...adding, schema: articles.push });
const addFirst = new Endpoint(post, { ...adding, schema: articles.unshift });

const ids = ({ controller }: Tab, params: Params = {}): string[] | undefined =>
  controller.getResponse(list, params).data?.map(({ id }) => id);

describe('what one tab adds to lists', () => {
  it('an item added in one tab is added to lists that only another tab has', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    first.controller.setResponse(list, {}, [{ id: '1' }]);
    await network.deliver();
    // The first tab does not know this one yet when it adds to it.
    second.controller.setResponse(list, { by: 'ann' }, [{ id: '1' }]);
    second.controller.setResponse(list, { by: 'ben' }, [{ id: '1' }]);
    await first.controller.fetch(add, { by: 'ann' }, { id: '2' });
    await network.deliver();
    expect([ids(second), ids(second, { by: 'ann' }), ids(second, { by: 'ben' })]).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['1'],
    ]);
  });

  it('items added to a list in two tabs at the same time are all kept', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    first.controller.setResponse(list, {}, [{ id: '1' }]);
    await network.deliver();
    await Promise.all([
      first.controller.fetch(add, {}, { id: '2' }),
      second.controller.fetch(addFirst, {}, { id: '3' }),
    ]);
    await network.deliver();
    expect([ids(first), ids(second)]).toEqual([
      ['3', '1', '2'],
      ['3', '1', '2'],
    ]);
  });

  it('tabs that have loaded different pages of a list show the same version of it', async () => {
    const [first, second] = [openTab(), openTab()];
    const getPages = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/articles',
      name: 'getPages',
      schema: new Collection([ArticleWithText]),
      paginationField: 'page',
      searchParams: {},
      fetchResponse: async (url: string) => Response.json([{ id: new URL(url).search || 'first' }]),
    });
    const shown = ({ controller }: Tab) => controller.getResponse(getPages, {}).data?.map(({ id }) => id);
    await network.deliver();
    await first.controller.fetch(getPages, {});
    await network.deliver();
    await first.controller.fetch(getPages.getPage, { page: 2 });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await second.controller.fetch(getPages.getPage, { page: 3 });
    expect([shown(first), shown(second)]).toEqual([
      ['first', '?page=2'],
      ['first', '?page=3'],
    ]);
    await network.deliver();
    expect(shown(first)).toHaveLength(2);
    expect(shown(first)).toEqual(shown(second));
  });

  it('an added item goes to the lists of its own path, and to others by `appendTo`', async () => {
    /** Each tab evaluates the app's modules by itself. */
    const app = () => {
      const shared = { urlPrefix: 'https://api.test', schema: ArticleWithText } as const;
      const Articles = createResource({ ...shared, path: '/articles/:id' });
      const Drafts = createResource({ ...shared, path: '/drafts/:id' });
      const getFeed = Articles.getList.extend({ path: '/articles/feed' });
      const create = Articles.create.extend({
        appendTo: getFeed.unshift,
        fetch: (body: object) => Promise.resolve(body),
      });
      return { lists: [Articles.getList, Drafts.getList, getFeed], create };
    };
    const [first, second] = [openTab(), openTab()];
    const [firstApp, secondApp] = [app(), app()];
    await network.deliver();
    for (const each of secondApp.lists) second.controller.setResponse(each, [{ id: '1' }]);
    await first.controller.fetch(firstApp.create, { id: '2' });
    await network.deliver();
    const shown = secondApp.lists.map((each) =>
      second.controller.getResponse(each).data?.map(({ id }) => id),
    );
    expect(shown).toEqual([['1', '2'], ['1'], ['2', '1']]);
  });

  it('an item is not added to a list that was requested after its response', async () => {
    let now = 1_750_000_000_000;
    const tab = { now: () => now };
    const first = openTab(tab);
    first.controller.setResponse(list, {}, [{ id: '1' }]);
    await first.controller.fetch(add, {}, { id: '2' });
    await network.deliver();
    now += 1_000;
    // It opens, reads the list, from which the server has removed it, and then receives the earlier messages.
    const second = openTab(tab);
    second.controller.setResponse(list, {}, [{ id: '1' }]);
    await network.deliver();
    expect(ids(second)).toEqual(['1']);
  });

  it('an item is removed from lists, and moved between lists, that only another tab has', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    second.controller.setResponse(list, {}, [{ id: '3' }, { id: '2' }, { id: '1' }]);
    second.controller.setResponse(list, { by: 'ann' }, [{ id: '3' }, { id: '2' }]);
    second.controller.setResponse(list, { by: 'ben' }, [{ id: '1' }]);
    await network.lose();
    const moved: object = { id: '3', by: 'ben' };
    first.controller.set(articles.move, { id: '3', by: 'ann' }, moved);
    first.controller.set(articles.remove, { by: 'ann' }, { id: '2' });
    await network.deliver();
    // A list that an item belongs to before and after keeps it in its place.
    expect([ids(second), ids(second, { by: 'ann' }), ids(second, { by: 'ben' })]).toEqual([
      ['3', '1'],
      [],
      ['1', '3'],
    ]);
    expect([first.errors, second.errors]).toEqual([[], []]);
  });

  it('a map is assigned to maps that only another tab has', async () => {
    const byName = new Collection(new Values(ArticleWithText), {
      argsKey: ({ by }: Params) => ({ by }),
    });
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    second.controller.set(byName, { by: 'ann' }, { one: { id: '1' }, two: { id: '2' } });
    await network.lose();
    first.controller.set(byName.assign, { by: 'ann' }, { two: { id: '3' } });
    await network.deliver();
    const map = second.controller.get(byName, { by: 'ann' }) ?? {};
    expect(Object.entries(map).map(([name, article]) => [name, article.id])).toEqual([
      ['one', '1'],
      ['two', '3'],
    ]);
  });

  it.each(['in the same task', 'before another tab opens'])(
    'an item does not come back in other tabs if its list was set without it %s',
    async (when) => {
      const [first, second] = [openTab(), openTab()];
      await network.deliver();
      first.controller.setResponse(list, {}, [{ id: '1' }]);
      await network.deliver();
      first.controller.set(articles.push, {}, { id: '2' });
      if (when !== 'in the same task') {
        await network.deliver();
        await second.controller.stop();
        await network.deliver();
      }
      first.controller.set(articles, {}, [{ id: '1' }]);
      const shown = when === 'in the same task' ? second : openTab();
      await network.deliver();
      expect([ids(first), ids(shown)]).toEqual([['1'], ['1']]);
    },
  );

  it('an item that was added again after its removal is kept in a tab that opens later', async () => {
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    first.controller.setResponse(list, {}, [{ id: '1' }, { id: '2' }]);
    await network.deliver();
    second.controller.set(articles.remove, {}, { id: '1' });
    await network.deliver();
    first.controller.set(articles.push, {}, { id: '1' });
    await network.deliver();
    const third = openTab();
    await network.deliver();
    expect([first, second, third].map((tab) => ids(tab))).toEqual([
      ['2', '1'],
      ['2', '1'],
      ['2', '1'],
    ]);
  });

  it('an item arrives with its list if a function of the app decides which lists it belongs in', async () => {
    const picked = new Collection([ArticleWithText], { createCollectionFilter: () => () => true });
    const pick = new Endpoint(post, { ...adding, schema: picked.push });
    const [first, second] = [openTab(), openTab()];
    await network.deliver();
    first.controller.setResponse(list, {}, [{ id: '1' }]);
    await network.deliver();
    await first.controller.fetch(pick, {}, { id: '2' });
    await network.deliver();
    expect(ids(second)).toEqual(['1', '2']);
    expect([first.errors, second.errors]).toEqual([[], []]);
  });
});
