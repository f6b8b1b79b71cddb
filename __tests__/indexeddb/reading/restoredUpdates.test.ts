import { expect, it } from '@jest/globals';
import { Endpoint } from 'holdfast';
import { answering, freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';
import { User } from '../../support/entities.ts';

freshIndexedDB();

const getUsers = answering('getUsers', [User], [{ id: '1', name: 'Ann' }]);
const addUser = new Endpoint(async () => await Promise.resolve({ id: '2', name: 'Bob' }), {
  name: 'addUser',
  schema: User,
  sideEffect: true,
  update: (id) => ({ [getUsers.key()]: (ids: readonly string[]) => [...ids, id] }),
});

it.each([true, false])('an update of a restored result is kept (read: %s)', async (isRead) => {
  const first = await openApp();
  await first.controller.fetch(getUsers);
  await first.leave();

  const second = await openApp();
  await second.controller.restored;
  if (isRead) expect(second.controller.getResponse(getUsers).data).toHaveLength(1);
  await second.controller.fetch(addUser);
  const { data, expiresAt } = second.controller.getResponse(getUsers);
  expect([data?.length, expiresAt]).toEqual(isRead ? [2, Infinity] : [1, 0]);
  await second.leave();

  requests.length = 0;
  const third = await openApp();
  await third.controller.restored;
  expect(third.controller.getResponse(getUsers)).toMatchObject({ expiresAt });
  expect(await third.controller.fetchIfStale(getUsers)).toHaveLength(isRead ? 2 : 1);
  expect(requests).toEqual(isRead ? [] : ['getUsers']);
});
