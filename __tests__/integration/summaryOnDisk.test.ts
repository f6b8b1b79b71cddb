import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { freshIndexedDB } from '../support/indexedDB.ts';
import { Network } from '../tabs/network.ts';
import { Summary, User } from '../support/entities.ts';

freshIndexedDB();
class ArticleWithReaders extends Summary {
  author = User.fromJS();
  tags: readonly User[] = [];
  static override schema = { author: User, tags: [User] };
}

const asked: unknown[] = [];
const respond = async (value: unknown): Promise<unknown> => (asked.push(value), value);
const options = { dataExpiryLength: Infinity };
const getList = new Endpoint(respond, { ...options, name: 'getList', key: () => 'list', schema: [Summary] });
const getArticle = new Endpoint(respond, {
  ...options,
  name: 'getArticle',
  key: () => 'detail',
  schema: ArticleWithReaders,
});
const getOne = new Endpoint(async (_args: { id: string }) => respond(undefined), {
  ...options,
  name: 'getOne',
  schema: ArticleWithReaders,
});

const ann = { id: 'u', name: 'Ann' };
const embedded = { id: '1', title: 'Summary', author: ann, tags: [ann] };

let network: Network;
let now = 1_000;
let errors: HoldfastError[] = [];
let opened: Controller[] = [];

beforeEach(() => {
  network = new Network();
  network.install();
  [errors, opened] = [[], []];
  asked.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.map((tab) => tab.stop()));
  network.restore();
  expect(errors).toEqual([]);
});

async function open(restore: 'progressive' | 'lazy' = 'progressive'): Promise<Controller> {
  const onError = (error: HoldfastError): void => void errors.push(error);
  const tab = new Controller({
    now: () => (now += 1),
    plugins: [indexedDB({ name: 'app', restore, onError }), tabs({ name: 'app', onError })],
  });
  opened.push(tab);
  await (restore === 'lazy' ? tab.ready : tab.restored);
  await network.deliver();
  return tab;
}

async function close(tab: Controller): Promise<void> {
  await tab.flush();
  await tab.stop();
}

/** What an article shows by its detail class, which must be the entities themselves. */
function shown(tab: Controller): unknown {
  const article = tab.get(ArticleWithReaders, { id: '1' });
  if (article === undefined) return undefined;
  const user = tab.get(User, { id: 'u' });
  expect(article.author).toBe(user);
  expect(article.tags).toEqual([user]);
  return [article.title, article.author.name];
}

describe.each(['progressive', 'lazy'] as const)('a row on disk, restored %sly', (restore) => {
  it('a row whose relation was not declared when it was stored is read with it, without a fetch', async () => {
    const first = await open(restore);
    await first.fetch(getList, [embedded]);
    await close(first);
    const second = await open(restore);
    asked.length = 0;
    const article = await second.fetchIfStale(getOne, { id: '1' });
    expect(article.author.name).toBe('Ann');
    expect(shown(second)).toEqual(['Summary', 'Ann']);
    expect(asked).toEqual([]);
    await close(second);
    const third = await open();
    expect(third.get(User, { id: 'u' })?.name).toBe('Ann');
    expect(shown(third)).toEqual(['Summary', 'Ann']);
  });

  it('a row keeps its relation in a session that only uses the summary', async () => {
    const first = await open(restore);
    await first.fetch(getArticle, { id: '1', title: 'Detail', author: ann, tags: [ann] });
    await close(first);
    const second = await open(restore);
    await second.fetch(getList, [
      { ...embedded, author: { ...ann, name: 'Anna' }, tags: [{ ...ann, name: 'Anna' }] },
    ]);
    await close(second);
    const third = await open(restore);
    await third.fetchIfStale(getOne, { id: '1' });
    expect(shown(third)).toEqual(['Summary', 'Anna']);
  });
});

describe('two tabs, of which one knows the summary alone', () => {
  it('two tabs read the same, whichever of them has the newer data', async () => {
    const [list, detail] = [await open(), await open()];
    await detail.fetch(getArticle, { id: '1', title: 'Detail', author: ann, tags: [ann] });
    await network.deliver();
    for (const name of ['Anna', 'Anne']) {
      await list.fetch(getList, [{ ...embedded, author: { id: 'u', name }, tags: [{ id: 'u', name }] }]);
      await network.deliver();
      expect(detail.get(User, { id: 'u' })?.name).toBe(name);
      expect(shown(detail)).toEqual(['Summary', name]);
    }
    detail.set(ArticleWithReaders, { id: '1' }, { title: 'Changed' });
    await network.deliver();
    expect(shown(list)).toEqual(['Changed', 'Anne']);
    await Promise.all([list.flush(), detail.flush()]);
    expect(shown(await open())).toEqual(['Changed', 'Anne']);
  });
});
