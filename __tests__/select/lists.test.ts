import { describe, expect, it, jest } from '@jest/globals';
import { Aggregate, ArraySchema, Collection, Controller, Entity, Select, Union, Values } from 'holdfast';

class Person extends Entity {
  id = '';
  type = 'person';
  name = '';
  static override key = 'Person';
}

class Bot extends Entity {
  id = '';
  type = 'bot';
  name = '';
  static override key = 'Bot';
}

const Actor = new Union({ person: Person, bot: Bot }, 'type');

const actors = [
  { id: '1', type: 'person', name: 'Cem' },
  { id: '2', type: 'bot', name: 'Ann' },
  { id: '3', type: 'person', name: 'Bea' },
];

const ids = (members: readonly { id: string }[] | undefined) => members?.map(({ id }) => id);

describe('a live query of a list of a union', () => {
  it.each([
    ['a Collection', new Collection([Actor], { argsKey: () => ({}) }), actors],
    [
      'a Collection of Values',
      new Collection(new Values(Actor), { argsKey: () => ({}) }),
      Object.fromEntries(actors.map((actor) => [actor.id, actor])),
    ],
  ])('tests and sorts the members of %s', (_, schema, members) => {
    const controller = new Controller();
    const list = schema as Collection<[typeof Actor]>;
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- TypeScript 6 needs it: of a map, it is none
    controller.set(list, {}, members as typeof actors);
    const isShort = { name: { lt: 'C' } };
    const sorted = new Select(list, { where: isShort, orderBy: { name: 'desc' } });
    expect(ids(controller.get(sorted))).toEqual(['3', '2']);
    controller.set(Bot, { id: '2' }, { name: 'Bob' });
    expect(ids(controller.get(sorted))).toEqual(['2', '3']);
    const count = new Aggregate(list, { where: isShort, values: { n: 'count' } });
    expect(controller.get(count)).toEqual({ n: 2 });
  });

  it('leaves out members of no type of the union, as a query of the union does', () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const controller = new Controller();
    const list = new Collection([Actor], { argsKey: () => ({}) });
    controller.set(list, {}, [...actors, { id: '4', type: 'dog', name: 'Ann' }, 'Ann'] as never);
    const named = new Select(list, { where: { name: 'Ann' } });
    expect(ids(controller.get(named))).toEqual(['2']);
  });

  it('filters and cuts a list of plain values', () => {
    const controller = new Controller();
    const list = new Collection([String], { argsKey: () => ({}) });
    controller.set(list, {}, ['a', '', 'b', 'c', 'a']);
    const some = new Select(list, { filter: (text) => text !== '', limit: 3 });
    expect(controller.get(some)).toEqual(['a', 'b', 'c']);
    controller.set(list, {}, ['c', 'b']);
    expect(controller.get(some)).toEqual(['c', 'b']);
  });

  it.each([
    ['[Union]', [Actor]],
    ['an ArraySchema', new ArraySchema(Actor)],
    ['Values', new Values(Actor)],
    ['a Collection', new Collection([Actor], { nestKey: ({ id }) => ({ room: id }) })],
  ])('tests the members of a relation that is %s of a union', (_, schema) => {
    class Room extends Entity {
      id = '';
      actors: (Person | Bot)[] = [];
      static override key = 'Room';
      static override schema = { actors: schema as never };
    }
    const controller = new Controller();
    const value = schema instanceof Values ? { first: actors[0], second: actors[1] } : actors.slice(0, 2);
    controller.set(Room, { id: 'r' }, { id: 'r', actors: value as never });
    const roomsOf = new Select(Room, {
      where: ({ name }: { name: string }) => ({ actors: { some: { name } } }),
    });
    expect(ids(controller.get(roomsOf, { name: 'Ann' }))).toEqual(['r']);
    expect(ids(controller.get(roomsOf, { name: 'Bea' }))).toEqual([]);
    controller.set(Bot, { id: '2' }, { name: 'Bea' });
    expect(ids(controller.get(roomsOf, { name: 'Bea' }))).toEqual(['r']);
  });
});

describe('an aggregate of a list', () => {
  it('counts a member as often as the list has it', () => {
    const controller = new Controller();
    const people = new Collection([Person], { argsKey: () => ({}) });
    controller.set(people, {}, [actors[0], actors[2], actors[0]] as never);
    expect(controller.get(new Select(people))).toHaveLength(3);
    const byName = new Aggregate(people, { groupBy: 'name', values: { n: 'count' } });
    expect(controller.get(byName)).toEqual({ Cem: { n: 2 }, Bea: { n: 1 } });
  });
});

describe('a live query of a window over a union', () => {
  it('has the members whose class extends that of another member', () => {
    class Admin extends Person {
      static override key = 'Admin';
    }
    const controller = new Controller();
    const AnyPerson = new Union({ person: Person, admin: Admin }, 'type');
    controller.set([AnyPerson], [
      { id: '1', type: 'person', name: 'Ann' },
      { id: '2', type: 'admin', name: 'Bea' },
    ] as never);
    const firstTwo = new Select(AnyPerson, { limit: 2 });
    const named = new Select(firstTwo, { where: { name: { exists: true } } });
    expect(ids(controller.get(named))).toEqual(['1', '2']);
  });
});

describe('a live query of a list whose members are not entities', () => {
  const boxes = new Collection([{ actor: Person }], { argsKey: () => ({}) });

  it.each([
    ['where', { where: { actor: { name: 'Ann' } } }],
    ['orderBy', { orderBy: { actor: { name: 'asc' } } }],
  ])('refuses %s', (_, options) => {
    const controller = new Controller();
    controller.set(boxes, {}, [{ actor: { id: '1', name: 'Ann' } }] as never);
    expect(() => controller.get(new Select(boxes, options as object))).toThrow('HF_NOT_QUERYABLE');
  });

  it('applies filter and limit', () => {
    const controller = new Controller();
    controller.set(boxes, {}, [
      { actor: { id: '1', name: 'Ann' } },
      { actor: { id: '2', name: 'Ann' } },
    ] as never);
    const first = new Select(boxes, { filter: ({ actor }) => actor.name === 'Ann', limit: 1 });
    expect(controller.get(first)).toHaveLength(1);
  });
});
