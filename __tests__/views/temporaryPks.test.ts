import { expect, it } from '@jest/globals';
import { All, Controller, Endpoint, Entity } from 'holdfast';

class Team extends Entity {
  id = '';
  city = '';
  static override key = 'Team';
}

class Member extends Entity {
  id = '';
  team = Team.fromJS();
  static override key = 'Member';
  static override schema = { team: Team };
}

class Job extends Entity {
  id = '';
  owner: Member | null = null;
  helpers: Member[] = [];
  static override key = 'Job';
  static override schema = { owner: Member, helpers: [Member] };
}

it.each([
  ['after', ['answer', 'team']],
  ['before', ['team', 'answer']],
])(
  'relations to a created entity show it once what it requires arrives, %s its temporary pk became that of the server',
  async (_, steps) => {
    const controller = new Controller();
    let answer = (): void => undefined;
    const create = new Endpoint(
      (member: object) =>
        new Promise<object>((resolve) => {
          answer = () => resolve({ ...member, id: 'm1' });
        }),
      {
        name: 'create',
        sideEffect: true,
        schema: Member,
        getOptimisticResponse: (_snapshot: unknown, member: object) => member,
      },
    );
    const created = controller.fetch(create, { team: 't1' });
    const [temporary] = [...controller.getState().tables['Member']!.entries()][0]!; // the member that was just created
    controller.set(Job, { id: '1' }, { id: '1', owner: temporary, helpers: [temporary] });
    controller.watch(Job, { id: '1' }, () => undefined);
    const read = (): unknown => {
      const job = controller.get(Job, { id: '1' });
      return [job?.owner?.id, job?.helpers.map(({ id }) => id)];
    };
    expect(read()).toEqual([undefined, []]);
    for (const step of steps) {
      if (step === 'team') {
        controller.set(Team, { id: 't1' }, { id: 't1', city: 'Bern' });
      } else {
        answer();
        await created;
      }
      read();
    }
    expect(read()).toEqual(['m1', ['m1']]);
  },
);

it('set by a temporary pk, with a value that contains it, changes the row of the server', async () => {
  const controller = new Controller();
  const save = new Endpoint(async (_team: object): Promise<object> => ({ id: 't1', city: 'Bern' }), {
    name: 'save',
    sideEffect: true,
    schema: Team,
    getOptimisticResponse: (_snapshot: unknown, team: object) => team,
  });
  const created = controller.fetch(save, { city: 'Bern' });
  const [shown] = controller.get(new All(Team)) ?? [];
  await created;
  const { id } = shown!;
  controller.set(Team, { id }, { id, city: 'Bonn' });
  expect(controller.get(new All(Team))).toEqual([{ id: 't1', city: 'Bonn' }]);
  controller.set(Team, { id }, shown!);
  expect(controller.get(new All(Team))).toEqual([{ id: 't1', city: 'Bern' }]);
  controller.set(Team, { id }, Team.fromJS({ id }));
  expect(controller.get(new All(Team))).toEqual([{ id: 't1', city: 'Bern' }]);
});
