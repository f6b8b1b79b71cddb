import { describe, expect, it } from '@jest/globals';
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, Entity, ExpiryStatus, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';

class TodoWithNote extends Entity {
  id = '';
  text = '';
  isDone = false;
  note: string | null = null;
  static override key = 'Todo';
}

/** What the server answers by method and path; what it does not know it never answers. */
class World {
  readonly answers = new Map<string, unknown>();
  readonly asked: string[] = [];
  readonly resource;
  readonly vote;

  constructor() {
    const { answers, asked } = this;
    class Manual extends RestEndpoint {
      override fetchResponse(url: string): Promise<Response> {
        const request = `${this.method} ${url}`;
        asked.push(request);
        return answers.has(request)
          ? Promise.resolve(Response.json(answers.get(request)))
          : new Promise(() => undefined);
      }
    }
    this.resource = createResource({
      path: '/todos/:id',
      schema: TodoWithNote,
      optimistic: true,
      Endpoint: Manual,
    });
    this.vote = new Manual({
      path: '/todos/:id/finish',
      method: 'POST',
      body: undefined,
      schema: TodoWithNote,
      getOptimisticResponse: (_snapshot: unknown, { id }: { id: string }) => ({ id, isDone: true }),
    });
  }
}

const stored = { id: '1', text: 'Dry the kelp', isDone: false };

describe('an optimistic change of an entity that is not stored', () => {
  it.each(['partialUpdate', 'vote'] as const)(
    'a pending change is shown once its entity is stored, and not before (%s)',
    async (name) => {
      const world = new World();
      const controller = new Controller();
      if (name === 'vote') void controller.fetch(world.vote, { id: '1' });
      else void controller.fetch(world.resource.partialUpdate, { id: '1' }, { isDone: true });
      expect(controller.get(TodoWithNote, { id: '1' })).toBeUndefined();
      expect(controller.getResponse(world.resource.get, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Invalid);
      world.answers.set('GET /todos/1', stored);
      await controller.fetchIfStale(world.resource.get, { id: '1' });
      expect(world.asked).toContain('GET /todos/1');
      expect(controller.get(TodoWithNote, { id: '1' })).toMatchObject({ ...stored, isDone: true });
    },
  );

  it('an optimistic response with every required field is shown, with its nullable fields absent', () => {
    const { resource } = new World();
    const controller = new Controller();
    void controller.fetch(resource.update, { id: '1' }, { text: 'Press the fern', isDone: true });
    expect(controller.get(TodoWithNote, { id: '1' })).toMatchObject({ text: 'Press the fern', isDone: true });
  });

  it('a pending change of a deleted entity shows nothing', async () => {
    const world = new World();
    const controller = new Controller();
    controller.set(TodoWithNote, { id: '1' }, stored);
    world.answers.set('DELETE /todos/1', {});
    await controller.fetch(world.resource.delete, { id: '1' });
    void controller.fetch(world.resource.partialUpdate, { id: '1' }, { isDone: true });
    expect(controller.get(TodoWithNote, { id: '1' })).toBeUndefined();
  });

  it('a response without data stores nothing of an incomplete entity', async () => {
    const world = new World();
    const controller = new Controller();
    world.answers.set('PATCH /todos/1', null);
    await controller.fetch(world.resource.partialUpdate, { id: '1' }, { isDone: true });
    expect(controller.get(TodoWithNote, { id: '1' })).toBeUndefined();
  });

  it('an incomplete entity moved to another list is not shown, but a created one with a pk of the app is', () => {
    const { resource } = new World();
    const controller = new Controller();
    controller.setResponse(resource.getList, []);
    void controller.fetch(resource.create, { id: 'mine', text: 'Mine' });
    void controller.fetch(resource.getList.push, { id: 'pushed', text: 'Pushed' });
    expect(controller.getResponse(resource.getList).data?.map(({ text }) => text)).toEqual([
      'Mine',
      'Pushed',
    ]);
  });

  it('a pending change is shown on data restored from disk, also after a reload with the outbox', async () => {
    globalThis.indexedDB = new IDBFactory();
    const world = new World();
    const { resource } = world;
    const open = () =>
      new Controller({
        environment: { isOnline: false, isVisible: true, subscribe: () => () => undefined },
        plugins: [
          indexedDB({ name: 'half', persist: 'all', restore: 'lazy' }),
          outbox({ endpoints: [resource] }),
        ],
      });
    const first = open();
    await first.ready;
    first.setResponse(resource.get, { id: '1' }, stored);
    await first.stop();

    const second = open();
    await second.ready;
    void second.fetch(resource.partialUpdate, { id: '1' }, { isDone: true }).catch(() => undefined);
    void second.fetch(resource.partialUpdate, { id: 'absent' }, { isDone: true }).catch(() => undefined);
    expect(second.get(TodoWithNote, { id: 'absent' })).toBeUndefined();
    await second.fetchIfStale(resource.get, { id: '1' });
    expect(second.get(TodoWithNote, { id: '1' })).toMatchObject({ text: 'Dry the kelp', isDone: true });
    await second.flush();
    await second.stop();

    const third = open();
    await third.ready;
    await third.fetchIfStale(resource.get, { id: '1' });
    expect(third.get(TodoWithNote, { id: '1' })).toMatchObject({ text: 'Dry the kelp', isDone: true });
    expect(third.get(TodoWithNote, { id: 'absent' })).toBeUndefined();
    await third.stop();
  });

  it.each(['offline', 'online'] as const)(
    'an item that only the disk has moves from one list to another (%s)',
    async (connection) => {
      globalThis.indexedDB = new IDBFactory();
      const { resource, answers } = new World();
      const { getList } = resource;
      answers.set('PATCH /todos/1', { ...stored, isDone: true });
      const open = () =>
        new Controller({
          environment: {
            isOnline: connection === 'online',
            isVisible: true,
            subscribe: () => () => undefined,
          },
          plugins: [
            indexedDB({ name: 'half', persist: 'all', restore: 'lazy' }),
            outbox({ endpoints: [resource] }),
          ],
        });
      const first = open();
      first.setResponse(getList, { isDone: false }, [stored]);
      first.setResponse(getList, { isDone: true }, []);
      await first.stop();

      const second = open();
      await second.fetch(getList.move, { id: '1' }, { isDone: true });
      expect(await second.fetchIfStale(getList, { isDone: true })).toMatchObject([{ id: '1', isDone: true }]);
      expect(await second.fetchIfStale(getList, { isDone: false })).toEqual([]);
      await second.stop();
    },
  );
});
