import { expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity, Select } from 'holdfast';
import { User } from '../support/entities.ts';

class OwnedIssue extends Entity {
  id = '';
  owner: User | null = null;
  static override key = 'Issue';
  static override schema = { owner: User };
}

it('a condition on a related entity follows it from its temporary pk to that of the server', async () => {
  const controller = new Controller();
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
  controller.set(OwnedIssue, { id: '1' }, { id: '1', owner: temporary as never });

  const ofOwner = new Select(OwnedIssue, { where: ({ name }: { name: string }) => ({ owner: { name } }) });
  const read = (name: string) => controller.get(ofOwner, { name })?.map(({ id }) => id);
  controller.watch(ofOwner, { name: 'Ann' }, () => undefined);
  controller.watch(ofOwner, { name: 'Bea' }, () => undefined);
  expect([read('Ann'), read('Bea')]).toEqual([['1'], []]);
  answer();
  await created;
  expect([read('Ann'), read('Bea')]).toEqual([['1'], []]);
  controller.set(User, { id: 'u1' }, { name: 'Bea' });
  expect([read('Ann'), read('Bea')]).toEqual([[], ['1']]);
});
