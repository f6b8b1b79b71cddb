import { describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Delete,
  Endpoint,
  Entity,
  validateRequired,
  type EntityValue,
  type Schema,
} from 'holdfast';
import { Summary, Task } from '../support/entities.ts';
import { silently } from '../support/silently.ts';

class PersonWithFriends extends Entity {
  id = '';
  name = '';
  friend: PersonWithFriends | null = null;
  friends: PersonWithFriends[] = [];
  static override key = 'Person';
  static override schema: Readonly<Record<string, Schema>> = {};
}
PersonWithFriends.schema = { friend: PersonWithFriends, friends: [PersonWithFriends] };

class Checked extends Task {
  static override validate({ text }: { readonly text?: unknown }): undefined {
    if (text === 'wrong') throw new Error('a wrong text');
  }
}

/** A person who needs a best friend: the default is an object, so the field is always there. */
class Needy extends Entity {
  id = '';
  best: { readonly id: string; readonly best?: object } = { id: '' };
  other: Needy | null = null;
  list: Needy[] = [];
  static override key = 'Needy';
  static override schema: Readonly<Record<string, Schema>> = {};
}
Needy.schema = { best: Needy, other: Needy, list: [Needy] };

const people = new Endpoint(async (): Promise<unknown> => null, {
  name: 'people',
  schema: [PersonWithFriends],
});
const needy = new Endpoint(async (): Promise<unknown> => null, { name: 'needy', schema: [Needy] });
const deletePerson = new Endpoint(async (id: string) => id, {
  name: 'deletePerson',
  schema: new Delete(PersonWithFriends),
  sideEffect: true,
});
const deleteNeedy = deletePerson.extend({ name: 'deleteNeedy', schema: new Delete(Needy) });

function person(controller: Controller, id: string): PersonWithFriends | undefined {
  return controller.get(PersonWithFriends, { id });
}

describe('cycles', () => {
  it('cycles are denormalized to the same objects', () => {
    const controller = new Controller();
    controller.setResponse(people, [
      { id: 'a', friend: 'b', friends: ['b', 'c'] },
      { id: 'b', friend: 'a', friends: ['a'] },
      { id: 'c', friend: 'c' },
    ]);
    const [a, b, c] = controller.getResponse(people).data!;
    expect(a?.friend).toBe(b);
    expect(b?.friend).toBe(a);
    expect(a?.friends).toEqual([b, c]);
    expect(b?.friends[0]).toBe(a);
    expect(c?.friend).toBe(c);
    expect(person(controller, 'a')).toBe(a);
  });

  it('cycles are denormalized whole whichever member is read first', () => {
    for (const first of ['a', 'b', 'c']) {
      const controller = new Controller();
      controller.setResponse(people, [
        { id: 'a', friend: 'b' },
        { id: 'b', friend: 'c' },
        { id: 'c', friend: 'a', friends: ['a', 'b', 'c'] },
      ]);
      const read = person(controller, first);
      expect(read?.friend?.friend?.friend).toBe(read);
      const c = person(controller, 'c');
      expect(c?.friends).toEqual([person(controller, 'a'), person(controller, 'b'), c]);
      for (const member of [read, read?.friend, read?.friend?.friend])
        expect(Object.isFrozen(member)).toBe(true);
    }
  });

  it('a change in a cycle gives every member a new identity, and no other entity', () => {
    const controller = new Controller();
    controller.setResponse(people, [
      { id: 'a', friend: 'b' },
      { id: 'b', friend: 'a' },
      { id: 'outside', friend: 'a' },
      { id: 'beside', friend: null },
    ]);
    const before = controller.getResponse(people).data!;
    controller.set(PersonWithFriends, { id: 'b' }, { name: 'Bea' });
    const after = controller.getResponse(people).data!;
    expect(after[0]?.friend?.name).toBe('Bea');
    expect(after[0]?.friend?.friend).toBe(after[0]);
    expect(after.map((one, index) => one === before[index])).toEqual([false, false, false, true]);
  });

  it('cycles keep the identity of the entities that they refer to outside', () => {
    const controller = new Controller();
    controller.setResponse(people, [
      { id: 'a', friend: 'a', friends: ['leaf'] },
      { id: 'leaf', friend: null },
    ]);
    const leaf = person(controller, 'leaf');
    controller.set(PersonWithFriends, { id: 'a' }, { name: 'Ann' });
    expect(person(controller, 'a')?.friends[0]).toBe(leaf);
  });

  it('cycles may be opened and closed by later writes', () => {
    const controller = new Controller();
    controller.setResponse(people, [{ id: 'a', friend: 'b' }, { id: 'b' }]);
    expect(person(controller, 'a')?.friend?.friend).toBeNull();
    controller.set(PersonWithFriends, { id: 'b' }, { friend: 'a' });
    const a = person(controller, 'a');
    expect(a?.friend?.friend).toBe(a);
    controller.set(PersonWithFriends, { id: 'b' }, { friend: null });
    expect(person(controller, 'a')?.friend?.friend).toBeNull();
    const b = person(controller, 'b');
    controller.set(PersonWithFriends, { id: 'a' }, { name: 'Ann' });
    expect(person(controller, 'b')).toBe(b);
  });
});

describe('a chain of 5,000 links', () => {
  const links = (last: object): object[] => [
    ...Array.from({ length: 4_999 }, (_, id) => ({ id: String(id), friend: String(id + 1) })),
    { id: '4999', ...last },
  ];

  it('a chain of 5,000 links is denormalized, and changed at its far end', () => {
    const controller = new Controller();
    controller.setResponse(people, links({ name: 'last' }));
    let end = person(controller, '0')!;
    let length = 1;
    for (; end.friend !== null; end = end.friend) length += 1;
    expect(length).toBe(5_000);
    expect(end.name).toBe('last');

    const first = person(controller, '0');
    let told = 0;
    controller.watch(PersonWithFriends, { id: '0' }, () => (told += 1));
    controller.set(PersonWithFriends, { id: '4999' }, { name: 'changed' });
    expect(told).toBe(1);
    expect(person(controller, '0')).not.toBe(first);
    let now = person(controller, '0')!;
    while (now.friend !== null) now = now.friend;
    expect(now.name).toBe('changed');
  });

  it('a chain of 5,000 links may be closed to a ring', () => {
    const controller = new Controller();
    controller.setResponse(people, links({ friend: '0' }));
    let link = person(controller, '0')!;
    for (let step = 0; step < 5_000; step++) link = link.friend!;
    expect(link).toBe(person(controller, '0'));
  });

  it('a chain of 5,000 links is missing from its start when a required link at its end is', () => {
    const controller = new Controller();
    controller.setResponse(needy, [
      ...Array.from({ length: 5_000 }, (_, id) => ({ id: String(id), best: String(id + 1) })),
      { id: 'free' },
    ]);
    expect(controller.getResponse(needy).data?.map(({ id }) => id)).toEqual(['free']);
    controller.set(Needy, { id: '5000' }, { id: '5000' });
    expect(controller.getResponse(needy).data).toHaveLength(5_001);
    controller.setResponse(deleteNeedy, '5000', '5000');
    expect(controller.getResponse(needy).data?.map(({ id }) => id)).toEqual(['free']);
  });
});

describe('missing data', () => {
  it('a missing entity is undefined in an optional field', () => {
    const controller = new Controller();
    controller.setResponse(people, [{ id: 'a', friend: 'nobody' }]);
    expect(person(controller, 'a')).toHaveProperty('friend', undefined);
    controller.set(PersonWithFriends, { id: 'nobody' }, { id: 'nobody', name: 'Now' });
    expect(person(controller, 'a')?.friend?.name).toBe('Now');
  });

  it('missing entities are left out of lists', () => {
    const controller = new Controller();
    controller.setResponse(people, [{ id: 'a', friends: ['x', 'b', 'y'] }, { id: 'b' }]);
    expect(person(controller, 'a')?.friends.map(({ id }) => id)).toEqual(['b']);
    controller.set(PersonWithFriends, { id: 'x' }, { id: 'x' });
    expect(person(controller, 'a')?.friends.map(({ id }) => id)).toEqual(['x', 'b']);
    controller.setResponse(deletePerson, 'b', 'b');
    expect(person(controller, 'a')?.friends.map(({ id }) => id)).toEqual(['x']);
    expect(controller.getResponse(people).data?.map(({ id }) => id)).toEqual(['a']);
  });

  it('null members are left out of lists', () => {
    const controller = new Controller();
    controller.setResponse(people, [null, { id: 'a' }]);
    expect(controller.getResponse(people).data?.map(({ id }) => id)).toEqual(['a']);
  });

  it('a missing required entity makes its parent missing, and that one its own parent', () => {
    const controller = new Controller();
    controller.setResponse(needy, [
      { id: 'a', best: 'b' },
      { id: 'b', best: 'c' },
      { id: 'holder', other: 'a', list: ['a', 'b', 'whole'] },
      { id: 'whole' },
    ]);
    expect(controller.get(Needy, { id: 'a' })).toBeUndefined();
    expect(controller.get(Needy, { id: 'b' })).toBeUndefined();
    const holder = controller.get(Needy, { id: 'holder' })!;
    expect(holder.other).toBeUndefined();
    expect(holder.list.map(({ id }) => id)).toEqual(['whole']);

    controller.set(Needy, { id: 'c' }, { id: 'c' });
    expect(controller.get(Needy, { id: 'a' })?.best.best).toBe(controller.get(Needy, { id: 'c' }));
    expect(controller.get(Needy, { id: 'holder' })?.list.map(({ id }) => id)).toEqual(['a', 'b', 'whole']);
  });

  it('a missing required entity makes a whole cycle missing', () => {
    const controller = new Controller();
    controller.setResponse(needy, [
      { id: 'a', best: 'b' },
      { id: 'b', best: 'c', other: 'gone' },
      { id: 'c', best: 'a' },
      { id: 'holder', other: 'a', list: ['c', 'holder'] },
    ]);
    expect(controller.getResponse(needy).data).toHaveLength(4);
    controller.set(Needy, { id: 'c' }, { best: 'gone' });
    for (const id of ['a', 'b', 'c']) expect(controller.get(Needy, { id })).toBeUndefined();
    const holder = controller.get(Needy, { id: 'holder' });
    expect(holder?.other).toBeUndefined();
    expect(holder?.list).toEqual([holder]);
    expect(controller.getResponse(needy).data).toEqual([holder]);

    controller.set(Needy, { id: 'gone' }, { id: 'gone', best: 'a' });
    const a = controller.get(Needy, { id: 'a' })!;
    expect(a.best.best).toBe(controller.get(Needy, { id: 'c' }));
    expect(controller.getResponse(needy).data).toHaveLength(4);
  });

  it('a missing entity is found inside a cycle that refers to it optionally', () => {
    const controller = new Controller();
    // a ⇄ b, and b points loosely to c, which cannot be: only that link is lost.
    controller.setResponse(needy, [
      { id: 'a', best: 'b' },
      { id: 'b', best: 'a', other: 'c', list: ['c', 'a'] },
      { id: 'c', best: 'gone', other: 'a' },
    ]);
    const a = controller.get(Needy, { id: 'a' })!;
    const b = controller.get(Needy, { id: 'b' })!;
    expect(a.best).toBe(b);
    expect(b.best).toBe(a);
    expect(b.other).toBeUndefined();
    expect(b.list).toEqual([a]);
  });

  it('a missing required entity makes a plain object missing', () => {
    const controller = new Controller();
    const page = new Endpoint(async (): Promise<unknown> => null, {
      name: 'page',
      schema: { owner: PersonWithFriends, members: [PersonWithFriends], next: '' },
    });
    controller.setResponse(page, { owner: 'nobody', members: ['nobody'], next: 'x' });
    expect(controller.getResponse(page).data).toBeUndefined();
    controller.setResponse(people, [{ id: 'nobody', name: 'Now' }]);
    expect(controller.getResponse(page).data?.members[0]?.name).toBe('Now');
    expect(controller.getResponse(page).data?.next).toBe('x');
  });

  it('a missing entity makes the read of an endpoint missing, and notifies its watchers', () => {
    const controller = new Controller();
    const get = new Endpoint(async (): Promise<unknown> => null, { name: 'get', schema: PersonWithFriends });
    controller.setResponse(get, { id: 'a' });
    const seen: unknown[] = [];
    controller.watch(get, (data) => seen.push(data));
    controller.setResponse(deletePerson, 'a', 'a');
    expect(seen).toEqual([undefined]);
    expect(controller.getResponse(get).data).toBeUndefined();
    controller.setResponse(get, { id: 'a', name: 'back' });
    expect(seen[1]).toBe(controller.getResponse(get).data);
  });
});

describe('validate', () => {
  class Detail extends Summary {
    body = '';
    static override validate(processed: EntityValue): string | undefined {
      seen.push(processed);
      return (
        validateRequired(processed, this.defaults) ??
        (processed.body === 'bad' ? 'the body is bad' : undefined)
      );
    }
  }
  const seen: EntityValue[] = [];
  const summaries = new Endpoint(async (): Promise<unknown> => null, {
    name: 'summaries',
    schema: [Summary],
  });
  const details = new Endpoint(async (): Promise<unknown> => null, { name: 'details', schema: [Detail] });

  it('validate makes an incomplete row missing through its class, not through others', () => {
    const controller = new Controller();
    controller.setResponse(summaries, [{ id: '1', title: 'one' }]);
    expect(controller.get(Summary, { id: '1' })?.title).toBe('one');
    expect(controller.get(Detail, { id: '1' })).toBeUndefined();
    controller.setResponse(details, [{ id: '1', title: 'one', body: 'b' }]);
    expect(controller.get(Detail, { id: '1' })?.body).toBe('b');
    controller.setResponse(summaries, [{ id: '1', title: 'uno' }]);
    expect(controller.get(Detail, { id: '1' })).toMatchObject({ title: 'uno', body: 'b' });
  });

  it('validate receives the stored row, never an instance or defaults', () => {
    const controller = new Controller();
    seen.length = 0;
    controller.setResponse(details, [{ id: '1', title: 'one' }]);
    controller.getResponse(details);
    expect(seen).toEqual([{ id: '1', title: 'one' }]);
    expect(seen[0]).not.toBeInstanceOf(Detail);
  });

  it('validate leaves an invalid row out of lists until it is valid', () => {
    const controller = new Controller();
    controller.setResponse(details, [
      { id: '1', title: 'one', body: 'bad' },
      { id: '2', title: 'two', body: 'good' },
    ]);
    expect(controller.getResponse(details).data?.map(({ id }) => id)).toEqual(['2']);
    controller.set(Detail, { id: '1' }, { body: 'good' });
    expect(controller.getResponse(details).data?.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('validate applies to nested entities', () => {
    class Holder extends Entity {
      id = '';
      article = Detail.fromJS();
      maybe: Detail | undefined = undefined;
      static override key = 'Holder';
      static override schema = { article: Detail, maybe: Detail };
    }
    const controller = new Controller();
    const holders = new Endpoint(async (): Promise<unknown> => null, { name: 'holders', schema: [Holder] });
    const invalid = { id: 'x', title: 't', body: 'bad' };
    const valid = { id: 'y', title: 't', body: 'good' };
    controller.setResponse(holders, [
      { id: 1, article: invalid },
      { id: 2, article: valid, maybe: invalid },
      { id: 3, article: valid, maybe: valid },
    ]);
    const read = controller.getResponse(holders).data!;
    expect(read.map(({ id }) => id)).toEqual([2, 3]);
    expect(read[0]?.maybe).toBeUndefined();
    expect(read[1]?.maybe).toBe(read[1]?.article);
  });
});

describe('what the code of a class throws', () => {
  class Amount extends Entity {
    id = '';
    amount = 0n;
    static override key = 'Amount';
    static override schema = { amount: (value: string) => BigInt(value) };
  }
  const amounts = new Endpoint(async (): Promise<unknown> => null, { name: 'amounts', schema: [Amount] });

  it('an error thrown by a class reaches the reader, and disappears with better data', () => {
    const controller = new Controller();
    controller.setResponse(amounts, [{ id: 1, amount: 'no number' }]);
    const failure = expect.objectContaining({
      code: 'HF_CONVERTER',
      message: expect.stringContaining('Amount "1"') as unknown,
      cause: expect.any(SyntaxError) as unknown,
    });
    expect(() => controller.getResponse(amounts)).toThrow(failure);
    expect(() => controller.get(Amount, { id: 1 })).toThrow(failure);
    controller.set(Amount, { id: 1 }, { amount: '5' });
    expect(controller.getResponse(amounts).data?.[0]?.amount).toBe(5n);
  });

  it.each<[string, Schema, (task: object) => unknown, (data: never) => Checked | undefined]>([
    ['a list', [Checked], (task) => [task], (list: Checked[]) => list.at(-1)],
    ['an object', { task: Checked }, (task) => ({ task }), (object: { task: Checked }) => object.task],
    ['all rows', new All(Checked), (task) => [task], (list: Checked[]) => list.at(-1)],
  ])(
    'a watcher of %s is notified when a row is repaired whose validate threw',
    async (_, schema, response, taskIn) => {
      const controller = new Controller();
      const getTasks = new Endpoint(() => Promise.resolve(), { name: 'getTasks', schema });
      controller.setResponse(getTasks, response({ id: '1', text: 'right' }));
      const texts: unknown[] = [];
      controller.watch(getTasks, (data) => texts.push(taskIn(data as never)?.text));
      await silently(() => controller.setResponse(getTasks, response({ id: '2', text: 'wrong' })));
      expect(() => controller.getResponse(getTasks)).toThrow('a wrong text');
      controller.set(Checked, { id: '2' }, { text: 'repaired' });
      expect(texts).toEqual(['repaired']);
    },
  );
});
