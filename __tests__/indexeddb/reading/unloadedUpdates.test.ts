import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity, RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { DATABASE, freshIndexedDB } from '../../support/indexedDB.ts';

class Task extends Entity {
  id = 0;
  text = '';
  isDone = false;
  static override key = 'Task';
}

/** A server that responds to an update with nothing. */
class Silent<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override async fetchResponse(_url: string, { method }: RequestInit): Promise<Response> {
    return Promise.resolve(
      method === 'GET'
        ? Response.json([{ id: 1, text: 'Dry moss', isDone: false }])
        : new Response(null, { status: 204 }),
    );
  }
}

const TaskResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
  dataExpiryLength: Infinity,
  Endpoint: Silent,
});

describe('an optimistic update of a row that is only on disk', () => {
  freshIndexedDB();

  it.each([true, false])(
    'an empty response confirms it, so that later reads show it (with the outbox: %s)',
    async (hasOutbox) => {
      const open = (): Controller =>
        new Controller({
          plugins: [
            indexedDB({ name: DATABASE, restore: 'lazy' }),
            ...(hasOutbox ? [outbox({ endpoints: [TaskResource] })] : []),
          ],
        });
      const before = open();
      await before.fetch(TaskResource.getList);
      await before.stop();

      const reloaded = open();
      await reloaded.fetch(TaskResource.partialUpdate, { id: '1' }, { isDone: true });
      const task = { id: 1, text: 'Dry moss', isDone: true };
      expect(await reloaded.fetchIfStale(TaskResource.getList)).toEqual([task]);
      await reloaded.stop();

      const again = open();
      expect(await again.fetchIfStale(TaskResource.getList)).toEqual([task]);
      await again.stop();
    },
  );
});
