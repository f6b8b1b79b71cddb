import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  All,
  Controller,
  createResource,
  Endpoint,
  Entity,
  Query,
  RestEndpoint,
  type EndpointInterface,
  type RestEndpointOptions,
} from 'holdfast';
import { Held, settled, StatusError } from '../../support/held.ts';

class TodoWithVotes extends Entity {
  id = 0;
  text = '';
  votes = 0;
  static override key = 'Todo';
}

class GroupedTodo extends Entity {
  id = 0;
  group = '';
  text = '';
  static override key = 'GroupedTodo';
}

/** A request that is answered by the test. */
interface Pending {
  readonly name: string;
  answer(value: unknown): Promise<void>;
  fail(): Promise<void>;
}

let pending: Pending[] = [];

function ask(name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const turn = () => new Promise<void>((done) => setTimeout(done));
    pending.push({
      name,
      answer: (value) => (resolve(value), turn()),
      fail: () => (reject(new Error('refused')), turn()),
    });
  });
}

class Manual<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(url: string): Promise<Response> {
    return ask(`${this.method} ${url}`).then((value) => Response.json(value));
  }
}

const TodoResource = createResource({
  path: '/todos/:id',
  schema: TodoWithVotes,
  optimistic: true,
  Endpoint: Manual,
});
const vote = new Endpoint(({ id }: { id: number }) => ask(`vote ${id}`), {
  name: 'vote',
  schema: TodoWithVotes,
  sideEffect: true,
  getOptimisticResponse(snapshot, { id }) {
    const todo = snapshot.get(TodoWithVotes, { id });
    if (todo === undefined) throw snapshot.abort;
    return { id, votes: todo.votes + 1 };
  },
});

/** The request of the last fetch, once it has been sent. */
async function sent(nth = 0): Promise<Pending> {
  while (pending[nth] === undefined) await new Promise((done) => setTimeout(done));
  return pending[nth];
}

const settle = (promise: Promise<unknown>): void => void promise.catch(() => undefined);

function setUp(): Controller {
  const controller = new Controller();
  controller.setResponse(TodoResource.getList, [
    { id: 1, text: 'one', votes: 0 },
    { id: 2, text: 'two', votes: 0 },
  ]);
  return controller;
}

const texts = (controller: Controller) =>
  controller.getResponse(TodoResource.getList).data?.map(({ text }) => text);
const votes = (controller: Controller) => controller.get(TodoWithVotes, { id: 1 })?.votes;

beforeEach(() => {
  pending = [];
});

describe('an optimistic resource', () => {
  it('an optimistic change is shown at once, and then replaced by the response', async () => {
    const controller = setUp();
    const done = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { text: 'uno' });
    expect(controller.get(TodoWithVotes, { id: 1 })).toMatchObject({ id: 1, text: 'uno' });
    await (await sent()).answer({ id: 1, text: 'eins', votes: 0 });
    expect((await done).text).toBe('eins');
    expect(texts(controller)).toEqual(['eins', 'two']);
  });

  it('a snapshot without optimistic changes has the confirmed row of an entity that is being changed and deleted', () => {
    const controller = setUp();
    settle(controller.fetch(TodoResource.partialUpdate, { id: 1 }, { text: 'uno' }));
    settle(controller.fetch(TodoResource.delete, { id: 1 }));
    expect(controller.snapshot().get(TodoWithVotes, { id: 1 })).toBeUndefined();
    expect(controller.snapshot({ optimistic: false }).get(TodoWithVotes, { id: 1 })?.text).toBe('one');
  });

  it('an instance of the entity as the body is shown with the fields that it was given', () => {
    const controller = setUp();
    controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, text: 'one', votes: 3 });
    settle(controller.fetch(TodoResource.update, { id: 1 }, TodoWithVotes.fromJS({ id: 1, text: 'uno' })));
    expect(controller.get(TodoWithVotes, { id: 1 })).toMatchObject({ id: 1, text: 'uno', votes: 3 });
  });

  it('an entity that was read is shown as the body, also if it has changed or was deleted since', () => {
    const controller = setUp();
    const before = controller.get(TodoWithVotes, { id: 1 })!;
    settle(controller.fetch(TodoResource.update, { id: 1 }, { text: 'uno' }));
    settle(controller.fetch(TodoResource.update, { id: 1 }, before));
    expect(texts(controller)).toEqual(['one', 'two']);
    settle(controller.fetch(TodoResource.delete, { id: 1 }));
    expect(texts(controller)).toEqual(['two']);
    settle(controller.fetch(TodoResource.create, before));
    expect(texts(controller)).toContain('one');
  });

  it('undefined fields of a body or of params, which are not sent, are not shown', async () => {
    const controller = setUp();
    const sparse = { text: undefined, votes: 5 } as unknown as { text: string };
    settle(controller.fetch(TodoResource.partialUpdate, { id: 1 }, sparse));
    expect(controller.get(TodoWithVotes, { id: 1 })).toEqual({ id: 1, text: 'one', votes: 5 });
    settle(controller.fetch(TodoResource.create, sparse));
    expect(texts(controller)).toEqual(['one', 'two', '']);
    settle(controller.fetch(TodoResource.delete, { id: 2, text: undefined } as { id: number }));
    await (await sent(1)).answer({ id: 3, text: undefined, votes: 5 });
    expect(texts(controller)).toEqual(['one', '']);
  });

  it('a rejected optimistic change is rolled back', async () => {
    const controller = setUp();
    const before = controller.get(TodoWithVotes, { id: 1 });
    const done = controller.fetch(TodoResource.update, { id: 1 }, { text: 'uno' });
    expect(texts(controller)).toEqual(['uno', 'two']);
    settle(done);
    await (await sent()).fail();
    await expect(done).rejects.toThrow('refused');
    expect(controller.get(TodoWithVotes, { id: 1 })).toEqual(before);
    expect(texts(controller)).toEqual(['one', 'two']);
  });

  it('a created item is shown under a temporary pk until the response arrives', async () => {
    const controller = setUp();
    const done = controller.fetch(TodoResource.create, { text: 'new' });
    expect(texts(controller)).toEqual(['one', 'two', 'new']);
    const id = controller.getResponse(TodoResource.getList).data?.[2]?.pk();
    controller.setResponse(TodoResource.getList, [{ id: 2, text: 'two', votes: 5 }]);
    expect(texts(controller)).toEqual(['two', 'new']);
    expect(controller.getResponse(TodoResource.getList).data?.[1]?.pk()).toBe(id);
    await (await sent()).answer({ id: 9, text: 'new', votes: 0 });
    await done;
    expect(controller.getResponse(TodoResource.getList).data?.map((todo) => todo.id)).toEqual([2, 9]);
    // Reads by its temporary pk continue, and a list on screen keeps its key.
    const made = controller.get(TodoWithVotes, { id: 9 })!;
    expect(controller.get(TodoWithVotes, { id: id! })).toBe(made);
    expect(controller.keyOf(made)).toBe(id);
  });

  it('an item added to a list by its own endpoint has a temporary pk too', () => {
    const controller = setUp();
    const add = TodoResource.getList.unshift.extend({
      getOptimisticResponse: (_snapshot: unknown, body: object) => ({ ...body }),
    });
    settle(controller.fetch(add, { text: 'new' }));
    const [made] = controller.getResponse(TodoResource.getList).data ?? [];
    expect(made).toMatchObject({ id: expect.stringContaining('optimistic'), text: 'new' });
    expect(controller.get(TodoWithVotes, { id: made!.id })).toBe(made);
  });

  it.each([
    ['push', { group: 'a' }, { text: 'new' }, ['one', 'two', 'new'], []],
    ['unshift', { group: 'a' }, { text: 'new' }, ['new', 'one', 'two'], []],
    ['remove', { group: 'a' }, { id: 1 }, ['two'], []],
    ['move', { group: 'a', id: 1 }, { group: 'b' }, ['two'], ['one']],
  ] as const)(
    'the endpoint %s of a list is shown at once, and rolled back when rejected',
    async (change, params, body, a, b) => {
      const Grouped = createResource({ path: '/:group/:id', schema: GroupedTodo, optimistic: true });
      const held = new Held();
      // Any of them: their types differ, and what is asked here does not.
      const mutation: EndpointInterface = (Grouped.getList[change] as unknown as RestEndpoint).extend({
        fetch: () => held.fetch(),
      });
      const controller = new Controller();
      controller.setResponse(Grouped.getList, { group: 'a' }, [
        { id: 1, group: 'a', text: 'one' },
        { id: 2, group: 'a', text: 'two' },
      ]);
      controller.setResponse(Grouped.getList, { group: 'b' }, []);
      const shown = (group: string) =>
        controller.getResponse(Grouped.getList, { group }).data?.map(({ text }) => text);

      const done = controller.fetch(mutation, params, body);
      expect([shown('a'), shown('b')]).toEqual([a, b]);
      await settled();
      held.call(0).reject(new StatusError(500));
      await expect(done).rejects.toThrow();
      expect([shown('a'), shown('b')]).toEqual([['one', 'two'], []]);
    },
  );

  it('other endpoints extended from a list are not predicted', async () => {
    const held = new Held();
    const search = TodoResource.getList.extend({ method: 'POST', fetch: () => held.fetch() });
    const controller = setUp();
    const found = controller.fetch(search, {}, { text: 'one' });
    expect(texts(controller)).toEqual(['one', 'two']);
    await settled();
    held.call(0).resolve([]);
    await found;
  });

  it.each(['partialUpdate', 'create'] as const)(
    'a %s whose response is another entity, such as the group of a todo, is not predicted',
    async (name) => {
      class Group extends Entity {
        id = 0;
        text = '';
        static override key = 'Group';
      }
      const { partialUpdate, create } = createResource({
        path: '/groups/:groupId/todos/:id',
        schema: TodoWithVotes,
        optimistic: true,
        Endpoint: Manual,
      });
      const groups = new Query(new All(Group), (all) => all.map(({ text }) => text));
      const controller = new Controller();
      controller.set(
        [Group],
        [
          { id: 1, text: 'first' },
          { id: 2, text: 'second' },
        ],
      );
      const endpoints = {
        partialUpdate: partialUpdate.extend({ schema: Group }),
        create: create.extend({ schema: Group }),
      };
      const done = controller.fetch(endpoints[name], { groupId: 2, id: 1 }, { text: 'todo' });
      expect(controller.get(groups)).toEqual(['first', 'second']);
      await (await sent()).answer({ id: 2, text: 'changed' });
      await done;
      expect(controller.get(groups)).toEqual(['first', 'changed']);
    },
  );

  it('a deleted entity is removed at once, and restored when the deletion is rejected', async () => {
    const controller = setUp();
    const done = controller.fetch(TodoResource.delete, { id: 1 });
    expect(texts(controller)).toEqual(['two']);
    settle(done);
    await (await sent()).fail();
    expect(texts(controller)).toEqual(['one', 'two']);
  });

  it('fields of a form are shown with the types of their defaults', async () => {
    class Photo extends Entity {
      id = '';
      title = '';
      likes = 0;
      isPublic = false;
      tags: string[] = [];
      takenAt = new Date(0);
      image = 'none.png';
      static override key = 'Photo';
      static override schema = { takenAt: Date };
    }
    const held = new Held();
    const PhotoResource = createResource({ path: '/photos/:id', schema: Photo, optimistic: true });
    const create = PhotoResource.create.extend({ fetch: () => held.fetch() });
    const update = PhotoResource.partialUpdate.extend({ fetch: () => held.fetch() });
    const controller = new Controller();
    controller.setResponse(PhotoResource.getList, []);
    const form = new FormData();
    for (const [name, value] of [
      ['title', 'Kelp'],
      ['likes', '5'],
      ['isPublic', 'on'],
      ['tags', 'sea'],
      ['tags', 'green'],
      ['takenAt', '2026-01-02'],
      ['__proto__', 'nothing special'],
    ] as const)
      form.append(name, value);
    form.append('image', new File(['salt'], 'kelp.png'));
    settle(controller.fetch(create, form as never)); // the type of the body is that of the entity
    const [photo] = controller.getResponse(PhotoResource.getList).data ?? [];
    expect(photo).toMatchObject({
      title: 'Kelp',
      likes: 5,
      isPublic: true,
      tags: ['sea', 'green'],
      image: 'none.png',
    });
    expect(photo?.takenAt).toEqual(new Date('2026-01-02'));

    controller.set(Photo, { id: '1' }, { title: 'Dulse', likes: 2, tags: ['red'], image: 'dulse.png' });
    const change = new URLSearchParams({ title: 'Laver', likes: '', isPublic: 'false', 'tags[]': 'purple' });
    settle(controller.fetch(update, { id: '1' }, change as never));
    expect(controller.get(Photo, { id: '1' })).toMatchObject({
      title: 'Laver',
      likes: 2,
      isPublic: false,
      tags: ['purple'],
      image: 'dulse.png',
    });
    await settled();
    for (const call of [0, 1]) held.call(call).reject(new StatusError(500));
    await settled();
    expect(controller.get(Photo, { id: '1' })?.title).toBe('Dulse');
  });

  it('a form without fields is not predicted', () => {
    const controller = setUp();
    const form = new FormData();
    form.append('image', new File(['salt'], 'kelp.png'));
    settle(controller.fetch(TodoResource.create, form as never)); // not an entity's fields
    expect(texts(controller)).toEqual(['one', 'two']);
  });
});

describe('getOptimisticResponse', () => {
  it('getOptimisticResponse is called again when the layers below it change', async () => {
    const controller = setUp();
    const first = controller.fetch(vote, { id: 1 });
    const second = controller.fetch(vote, { id: 1 });
    expect(votes(controller)).toBe(2);
    controller.set(TodoWithVotes, { id: 1 }, { votes: 10 });
    expect(votes(controller)).toBe(12);
    await (await sent(1)).answer({ id: 1, votes: 11 });
    await second;
    // What was set was set after this mutation began, so it stands.
    expect(votes(controller)).toBe(11);
    settle(first);
    await (await sent()).fail();
    expect(votes(controller)).toBe(10);
  });

  it.each([
    ['throws', () => (undefined as unknown as { text: string }).text],
    ['does not fit its schema', () => ['a list']],
  ])('a getOptimisticResponse that %s does not prevent the mutation from being sent', async (_, expected) => {
    const controller = setUp();
    const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const change = TodoResource.update.extend({ getOptimisticResponse: expected });
    const done = controller.fetch(change, { id: 1 }, { text: 'uno' });
    expect(texts(controller)).toEqual(['one', 'two']);
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ code: 'HF_OPTIMISTIC' }));
    reported.mockRestore();
    await (await sent()).answer({ id: 1, text: 'uno' });
    expect((await done).text).toBe('uno');
    expect(texts(controller)).toEqual(['uno', 'two']);
  });

  it('getOptimisticResponse may return undefined, and shows nothing', () => {
    const controller = new Controller();
    settle(controller.fetch(vote, { id: 7 }));
    expect(controller.get(TodoWithVotes, { id: 7 })).toBeUndefined();
    expect(pending.map(({ name }) => name)).toEqual(['vote 7']);
  });

  it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 2, 0]], [[1, 0, 2]], [[2, 0, 1]], [[0, 2, 1]]])(
    'optimistic responses compose with others, settled in any order: %j',
    async (order) => {
      for (const outcomes of [0, 1, 2, 3, 4, 5, 6, 7]) {
        pending = [];
        const controller = setUp();
        for (let nth = 0; nth < 3; nth++) settle(controller.fetch(vote, { id: 1 }));
        expect(votes(controller)).toBe(3);
        let confirmed = 0;
        let waiting = 3;
        for (const nth of order) {
          waiting -= 1;
          if (outcomes & (1 << nth)) {
            // The server counts the votes that it has had; here, none is answered out of the order it was made in.
            confirmed += 1;
            controller.set(TodoWithVotes, { id: 1 }, { votes: confirmed });
            await (await sent(nth)).answer(null);
          } else {
            await (await sent(nth)).fail();
          }
          expect(votes(controller)).toBe(confirmed + waiting);
        }
      }
    },
  );
});
