import { expect, it } from '@jest/globals';
import { Controller, Endpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
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
