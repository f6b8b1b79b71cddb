import { beforeEach, describe, expect, it } from '@jest/globals';
import { Collection, Controller, createResource, Entity, Values, type Commit } from 'holdfast';
import { Article } from '../../support/entities.ts';
import { Manual, request, sent } from '../../support/manualRequests.ts';

const common = { urlPrefix: 'https://api.test', path: '/articles', paginationField: 'page' } as const;
const getArray = new Manual({ ...common, schema: new Collection([Article]) });
const getObject = new Manual({ ...common, schema: { items: new Collection([Article]), next: '' } });
const getMap = new Manual({ ...common, schema: { items: new Collection(new Values(Article)), next: '' } });

const item = (id: string) => ({ id, title: id });
const kinds = [
  { kind: 'a list', getList: getArray, response: (...ids: string[]) => ids.map(item) },
  {
    kind: 'a list in an object',
    getList: getObject,
    response: (...ids: string[]) => ({ items: ids.map(item), next: ids.at(-1) }),
  },
  {
    kind: 'a map',
    getList: getMap,
    response: (...ids: string[]) => ({
      items: Object.fromEntries(ids.map((id) => [id, item(id)])),
      next: ids.at(-1),
    }),
  },
] as const;

beforeEach(() => {
  sent.length = 0;
});

describe.each(kinds)('a page of $kind', ({ getList: typed, response }) => {
  // They differ only in the types of their data.
  const getList = typed as typeof getObject;
  let now = 0;
  let controller: Controller;

  const shown = () => {
    const { data } = controller.getResponse(getList);
    return data && ids((data as { items?: unknown }).items ?? data);
  };
  const ids = (items: unknown) => Object.values(items as Record<string, Article>).map(({ id }) => id);
  const next = () => (controller.getResponse(getList).data as { next?: string } | undefined)?.next;

  beforeEach(async () => {
    now = 1_000_000;
    controller = new Controller({ now: () => now });
    void controller.fetch(getList);
    await (await request()).answer(response('1', '2'));
  });

  it('a refetch that began before the page replaces the list', async () => {
    void controller.fetch(getList);
    await request(1);
    void controller.fetch(getList.getPage, { page: 2 });
    await (await request(2)).answer(response('3'));
    expect(shown()).toEqual(['1', '2', '3']);
    await (await request(1)).answer(response('0', '1'));
    expect(shown()).toEqual(['0', '1']);
    if (getList !== (getArray as unknown)) expect(next()).toBe('1');
  });

  it('a page that was requested during a refetch does not skip the items that the refetch has removed', async () => {
    void controller.fetch(getList.getPage, { page: 2 });
    await (await request(1)).answer(response('3', '4'));
    void controller.fetch(getList);
    await request(2);
    now += 1;
    void controller.fetch(getList.getPage, { page: 4 });
    await request(3);
    now += 1;
    await (await request(2)).answer(response('1', '2'));
    now += 1;
    await (await request(3)).answer(response('5'));
    expect(shown()).toEqual(['1', '2', '5']);
    if (getList === (getArray as unknown)) return;
    expect(next()).toBe('2');
    void controller.fetch(getList.getPage, { page: 2 });
    await (await request(4)).answer(response('3', '4'));
    expect(next()).toBe('4');
  });

  it('a page follows a list that was received before the clock was set back', async () => {
    now -= 10_000;
    void controller.fetch(getList.getPage, { page: 2 });
    await (await request(1)).answer(response('3', '4'));
    expect(shown()).toEqual(['1', '2', '3', '4']);
    if (getList !== (getArray as unknown)) expect(next()).toBe('4');
  });

  it('an invalidated list stays invalid until it is refetched', async () => {
    controller.invalidate(getList);
    void controller.fetch(getList);
    await request(1);
    const page = controller.fetch(getList.getPage, { page: 2 });
    await (await request(2)).answer(response('3'));
    await page;
    expect(shown()).toBeUndefined();
    await (await request(1)).answer(response('0', '1'));
    expect(shown()).toEqual(['0', '1']);
    expect(sent).toHaveLength(3);
  });

  it('the list goes stale when it would without the page', async () => {
    const { expiresAt } = controller.getResponse(getList);
    now += 50_000;
    void controller.fetch(getList.getPage, { page: 2 });
    await (await request(1)).answer(response('3'));
    expect(shown()).toEqual(['1', '2', '3']);
    expect(controller.getResponse(getList).expiresAt).toBe(expiresAt);
    controller.expireAll(getList);
    void controller.fetch(getList.getPage, { page: 3 });
    await (await request(2)).answer(response('4'));
    void controller.fetchIfStale(getList);
    expect((await request(3)).what).toBe('GET https://api.test/articles');
  });

  it('a page that arrives before the list is stale, and the list replaces it', async () => {
    controller = new Controller();
    void controller.fetch(getList);
    await request(1);
    void controller.fetch(getList.getPage, { page: 2 });
    await (await request(2)).answer(response('3'));
    expect(shown()).toEqual(['3']);
    expect(controller.getResponse(getList).expiresAt).toBe(0);
    await (await request(1)).answer(response('1', '2'));
    expect(shown()).toEqual(['1', '2']);
  });

  it('a page that the app stores joins its list, and has its result', () => {
    controller.setResponse(getList.getPage, { page: 2 }, response('3', '4'));
    expect(shown()).toEqual(['1', '2', '3', '4']);
    expect(next()).toBe((response('4') as { next?: string }).next);
    expect([...controller.getState().results.entries()]).toHaveLength(1);
  });

  it.each(['an absent', 'an invalidated'])('an empty page of %s list is an empty list', async (which) => {
    controller = new Controller();
    if (which === 'an invalidated') controller.invalidate(getList);
    const page = controller.fetch(getList.getPage, { page: 2 });
    await (await request(1)).answer(response());
    expect(sent).toHaveLength(2);
    await page;
    expect(shown() ?? []).toEqual([]);
  });

  it('the list contains all pages, also if they arrive in another order', async () => {
    void controller.fetch(getList.getPage, { page: 2 });
    await request(1);
    void controller.fetch(getList.getPage, { page: 3 });
    await (await request(2)).answer(response('5'));
    await (await request(1)).answer(response('3'));
    expect(new Set(shown())).toEqual(new Set(['1', '2', '3', '5']));
  });
});

it('a created item stays in a list that was requested before, also after a page', async () => {
  const controller = new Controller();
  void controller.fetch(getArray);
  await (await request()).answer([item('1')]);
  void controller.fetch(getArray.push, { title: 'new' });
  await request(1);
  void controller.fetch(getArray);
  await request(2);
  await (await request(1)).answer(item('9'));
  void controller.fetch(getArray.getPage, { page: 2 });
  await (await request(3)).answer([item('2')]);
  await (await request(2)).answer([item('1')]);
  const { data } = controller.getResponse(getArray);
  expect(data?.map(({ id }) => id)).toContain('9');
});

it('a created item stays in a list that was requested before its response, also after that of a later create', async () => {
  const controller = new Controller();
  void controller.fetch(getArray);
  await (await request()).answer([item('1')]);
  void controller.fetch(getArray.push, { title: 'first' });
  await request(1);
  void controller.fetch(getArray.push, { title: 'second' });
  await (await request(2)).answer(item('9'));
  void controller.fetch(getArray);
  await request(3);
  await (await request(1)).answer(item('8'));
  await (await request(3)).answer([item('1'), item('9')]);
  const { data } = controller.getResponse(getArray);
  expect(data?.map(({ id }) => id)).toEqual(['1', '9', '8']);
});

describe('what has left its list since a page was requested', () => {
  class Issue extends Entity {
    id = '';
    state = 'open';
    static override key = 'Issue';
  }
  const filter: { state?: string } = {};
  const { getList } = createResource({
    urlPrefix: 'https://api.test',
    path: '/issues/:id',
    schema: Issue,
    searchParams: filter,
    paginationField: 'page',
    Endpoint: Manual,
  });
  const open = (id: string) => ({ id, state: 'open' });

  it.each(['move', 'remove'] as const)('is not brought back by the page (%s)', async (how) => {
    const controller = new Controller();
    void controller.fetch(getList, { state: 'open' });
    await (await request()).answer([open('1'), open('2')]);
    void controller.fetch(getList.getPage, { state: 'open', page: 2 });
    await request(1);
    if (how === 'move') void controller.fetch(getList.move, { id: '2' }, { state: 'closed' });
    else void controller.fetch(getList.remove, { state: 'open' }, { id: '2' });
    await (await request(2)).answer({ id: '2', state: 'closed' });
    // Somebody has added an item, so the page begins with the end of the one before.
    await sent[1]!.answer([open('2'), open('3')]);
    const { data } = controller.getResponse(getList, { state: 'open' });
    expect(data?.map(({ id }) => id)).toEqual(['1', '3']);
    void controller.fetch(getList.getPage, { state: 'open', page: 3 });
    await (await request(3)).answer([open('2')]);
    const later = controller.getResponse(getList, { state: 'open' }).data;
    expect(later?.map(({ id }) => id)).toEqual(['1', '3', '2']);
  });
});

it('pages of a list whose key is the same for all of them are requested separately', async () => {
  const getList = getArray.extend({ key: () => 'articles', testKey: (key: string) => key === 'articles' });
  const controller = new Controller();
  const shown = [
    controller.fetch(getList),
    controller.fetch(getList.getPage, { page: 2 }),
    controller.fetch(getList.getPage, { page: 3 }),
    controller.fetch(getList.getPage, { page: 3 }),
  ];
  for (const [place, id] of ['1', '2', '3'].entries()) await (await request(place)).answer([item(id)]);
  await Promise.all(shown);
  expect(sent).toHaveLength(3);
  expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual(['1', '2', '3']);
});

it('a list on screen is requested again after a page when another tab has created what only the server knows', async () => {
  const created: Commit['listChanges'][number][] = [];
  const other = new Controller({
    plugins: [{ name: 'log', commit: ({ listChanges }) => created.push(...listChanges) }],
  });
  void other.fetch(getArray.push, { title: 'new' });
  await (await request()).answer(null);
  const controller = new Controller();
  controller.watch(getArray, () => undefined);
  void controller.fetch(getArray);
  await (await request(1)).answer([item('1')]);
  void controller.fetch(getArray.getPage, { page: 2 });
  await (await request(2)).answer([item('2')]);
  controller.apply({ rows: [], results: [], listChanges: created }, { origin: 'tabs' });
  await (await request(3)).answer([item('1'), item('2'), item('3')]);
  expect(controller.getResponse(getArray).data).toHaveLength(3);
});
