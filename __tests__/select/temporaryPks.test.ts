import { expect, it } from '@jest/globals';
import { Aggregate, All, Controller, Endpoint, Entity, Query, Select } from 'holdfast';
import { User } from '../support/entities.ts';

class OwnedIssue extends Entity {
  id = '';
  owner: User | null = null;
  static override key = 'Issue';
  static override schema = { owner: User };
}

/** Begins to create a user. Returns its temporary pk, and what answers the request. */
function createUser(controller: Controller): { temporary: string; answer: () => Promise<unknown> } {
  let answer = (): void => undefined;
  const create = new Endpoint(
    (user: object) =>
      new Promise<object>((resolve) => {
        answer = () => resolve({ id: 'u1', ...user });
      }),
    {
      name: 'create',
      sideEffect: true,
      schema: User,
      getOptimisticResponse: (_snapshot: unknown, user: object) => user,
    },
  );
  const created = controller.fetch(create, { name: 'Ann' });
  const [temporary] = [...controller.getState().tables['User']!.entries()][0]!; // the user that was just created
  return {
    temporary,
    answer() {
      answer();
      return created;
    },
  };
}

it('a condition on a related entity follows it from its temporary pk to that of the server', async () => {
  const controller = new Controller();
  const { temporary, answer } = createUser(controller);
  controller.set(OwnedIssue, { id: '1' }, { id: '1', owner: temporary as never });

  const ofOwner = new Select(OwnedIssue, { where: ({ name }: { name: string }) => ({ owner: { name } }) });
  const read = (name: string) => controller.get(ofOwner, { name })?.map(({ id }) => id);
  controller.watch(ofOwner, { name: 'Ann' }, () => undefined);
  controller.watch(ofOwner, { name: 'Bea' }, () => undefined);
  expect([read('Ann'), read('Bea')]).toEqual([['1'], []]);
  await answer();
  expect([read('Ann'), read('Bea')]).toEqual([['1'], []]);
  controller.set(User, { id: 'u1' }, { name: 'Bea' });
  expect([read('Ann'), read('Bea')]).toEqual([[], ['1']]);
});

class Task extends Entity {
  id = '';
  ownerId = '';
  static override key = 'Task';
}
const byOwner = { where: ({ ownerId }: { ownerId: string }) => ({ ownerId }) };
const select = new Select(Task, byOwner);
const counted = new Aggregate(Task, { ...byOwner, values: { count: 'count' } });
const query = new Query(new All(Task), (tasks, { ownerId }: { ownerId: string }) =>
  tasks.filter((task) => task.ownerId === ownerId),
);

it.each([
  ['which has rows by then', true],
  ['which has none yet', false],
])("a query by a temporary pk, %s, follows the entity to the server's pk", async (_, hasRows) => {
  const controller = new Controller();
  const { temporary, answer } = createUser(controller);
  controller.set(Task, { id: '1' }, { ownerId: hasRows ? temporary : 'other' });
  const args = { ownerId: temporary };
  const seen: unknown[] = [];
  controller.watch(select, args, (tasks) => seen.push(tasks?.length));
  const shown = () => [
    controller.get(select, args)?.length,
    controller.get(query, args)?.length,
    controller.get(counted, args)?.count,
  ];
  expect(shown()).toEqual(hasRows ? [1, 1, 1] : [0, 0, 0]);
  await answer();
  controller.set(Task, { id: '1' }, { ownerId: 'u1' });
  controller.set(Task, { id: '2' }, { ownerId: 'u1' });
  expect(shown()).toEqual([2, 2, 2]);
  expect(seen.at(-1)).toBe(2);
});
