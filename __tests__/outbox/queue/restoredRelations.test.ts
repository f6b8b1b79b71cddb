import { expect, it } from '@jest/globals';
import { Controller, createResource } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { Issue, User } from '../../support/entities.ts';
import { Device, freshDatabases } from '../../support/outbox.ts';

freshDatabases();

class IssueWithPeople extends Issue {
  state = '';
  assignee: User | undefined = undefined;
  watchers: User[] = [];
  static override schema = { assignee: User, watchers: [User] };
}

const UserResource = createResource({ path: '/users/:id', schema: User });
const IssueResource = createResource({ path: '/issues/:id', schema: IssueWithPeople, optimistic: true });
const getUsers = UserResource.getList.extend({
  fetch: () => Promise.resolve(['1', '2', '3'].map((id) => ({ id, name: `User ${id}` }))),
});

it.each(['lazy', 'progressive'] as const)(
  'a queued create that is read first thing after a reload has the relations of its body (restore: %s)',
  async (restore) => {
    const device = new Device();
    device.isOnline = false;
    const open = () =>
      new Controller({
        plugins: [
          indexedDB({ name: 'app', persist: 'all', restore }),
          outbox({ endpoints: [IssueResource] }),
        ],
        environment: device,
      });
    const before = open();
    await before.fetch(getUsers);
    const body = { title: 'Broken', assignee: '1', watchers: ['2', '3'] };
    const { id } = await before.fetch(IssueResource.create, body);
    await before.stop();

    const after = open();
    await after.ready;
    const issue = await after.fetchIfStale(IssueResource.get, { id });
    expect(issue.assignee?.name).toBe('User 1');
    expect(issue.watchers.map(({ name }) => name)).toEqual(['User 2', 'User 3']);
    await after.stop();
  },
);

it.each(['lazy', 'progressive'] as const)(
  'an item moved while offline is in its new list when that list is read first thing after a reload (restore: %s)',
  async (restore) => {
    const device = new Device();
    device.isOnline = false;
    const getIssues = IssueResource.getList;
    const issues = [
      { id: '1', title: 'Broken', state: 'open' },
      { id: '2', title: 'Slow', state: 'closed' },
    ];
    const open = () =>
      new Controller({
        plugins: [
          indexedDB({ name: 'app', persist: 'all', restore }),
          outbox({ endpoints: [IssueResource] }),
        ],
        environment: device,
      });
    const before = open();
    for (const issue of issues) before.setResponse(getIssues, { state: issue.state }, [issue]);
    for (const state of ['closed', 'open', 'closed'])
      await before.fetch(getIssues.move, { id: '1' }, { state });
    await before.stop();

    const after = open();
    const closed = await after.fetchIfStale(getIssues, { state: 'closed' });
    expect(closed.map(({ title }) => title)).toEqual(['Slow', 'Broken']);
    await after.stop();
  },
);

it('an item moved while offline leaves its old list also if a read returns its new state first thing after a reload', async () => {
  const device = new Device();
  device.isOnline = false;
  const getIssues = IssueResource.getList;
  const open = () =>
    new Controller({
      plugins: [indexedDB({ name: 'app', persist: 'all' }), outbox({ endpoints: [IssueResource] })],
      environment: device,
    });
  const before = open();
  before.setResponse(getIssues, { state: 'open' }, [{ id: '1', title: 'Broken', state: 'open' }]);
  await before.fetch(getIssues.move, { id: '1' }, { state: 'closed' });
  await before.stop();

  const after = open();
  expect(await after.fetchIfStale(getIssues, { state: 'open' })).toEqual([]);
  after.setResponse(IssueResource.get, { id: '1' }, { id: '1', title: 'Broken', state: 'closed' });
  expect(after.getResponse(getIssues, { state: 'open' }).data).toEqual([]);
  await after.stop();
});
