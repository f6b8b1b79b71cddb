import { expect, it } from '@jest/globals';
import { Collection, Controller, Endpoint, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
import { Held, settled } from '../support/held.ts';
import { freshIndexedDB } from '../support/indexedDB.ts';
import { ArticleWithAuthor } from '../support/entities.ts';

freshIndexedDB();

it('collected data that is on disk, fresh or not, is restored by a mount without a request', async () => {
  let requests = 0;
  const getList = new Endpoint(
    async (): Promise<unknown> => {
      requests += 1;
      return [
        { id: '1', title: 'One', author: { id: 'ann', name: 'Ann' } },
        { id: '2', title: 'Two', author: { id: 'ann', name: 'Ann' } },
      ];
    },
    { name: 'getList', schema: [ArticleWithAuthor], dataExpiryLength: Infinity },
  );
  const time = new FakeTime(Date.now());
  const open = () =>
    new Controller({
      now: time.now,
      schedule: time.schedule,
      environment: new FakeEnvironment(),
      plugins: [indexedDB({ name: 'collected', restore: 'lazy' })],
    });

  const controller = open();
  await controller.fetch(getList);
  await controller.flush();
  const view = controller.view(getList, []);
  const before = view.snapshot().data;
  view.subscribe(() => undefined)();
  await time.pass(300_000);
  const { tables, results } = controller.getState();
  expect([results.size, tables]).toEqual([0, {}]);
  await controller.flush();

  expect(await view.load()).toEqual(before);
  view.subscribe(() => undefined)();
  await time.pass(300_000);
  expect(controller.getState().results.size).toBe(0);
  await controller.stop();

  const reloaded = open();
  expect(await reloaded.fetchIfStale(getList)).toEqual(before);
  await reloaded.stop();
  expect(requests).toBe(1);
});

it('a page of a list that has been collected since the page was requested is added to the list on disk', async () => {
  const server = new Held();
  const getList = new RestEndpoint({
    path: '/articles',
    schema: new Collection([ArticleWithAuthor]),
    paginationField: 'page',
    dataExpiryLength: 1_000,
    fetch: (params?: object) => server.fetch(params),
  });
  const time = new FakeTime(Date.now());
  const controller = new Controller({
    now: time.now,
    schedule: time.schedule,
    environment: new FakeEnvironment(),
    gcTime: 5_000,
    plugins: [indexedDB({ name: 'collected', persist: 'all' })],
  });
  await controller.ready;
  const list = controller.fetch(getList);
  await settled();
  server.call(0).resolve([{ id: '1', title: 'One', author: { id: 'ann', name: 'Ann' } }]);
  await list;
  await controller.flush();
  const stop = controller.watch(getList, () => undefined);
  const page = controller.fetch(getList.getPage, { page: 2 });
  await settled();
  stop();
  await time.pass(10_000);
  expect(controller.getState().results.size).toBe(0);
  server.call(1).resolve([{ id: '2', title: 'Two', author: { id: 'ann', name: 'Ann' } }]);
  expect((await page).map(({ id }) => id)).toEqual(['1', '2']);
  await controller.stop();
});
