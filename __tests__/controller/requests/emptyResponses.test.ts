import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { All, Controller, createResource, Entity, RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { Note } from '../../support/entities.ts';
import { until } from '../../support/turns.ts';

/** An app whose server does what it is asked, and says nothing of it. */
function open(answer: () => Response, optimistic = true) {
  class Silent<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override async fetchResponse(_url: string, { method }: RequestInit): Promise<Response> {
      return Promise.resolve(method === 'GET' ? Response.json([{ id: '1', text: 'old' }]) : answer());
    }
  }
  const notes = createResource({
    urlPrefix: 'https://example.com',
    path: '/notes/:id',
    schema: Note,
    optimistic,
    Endpoint: Silent,
  });
  const controller = new Controller();
  const texts = (): string[] | undefined =>
    controller.getResponse(notes.getList).data?.map(({ text }) => text);
  return { controller, notes, texts };
}

const nothing = (): Response => new Response(null, { status: 204 });

describe('a mutation with an empty response', () => {
  it('a response without data confirms the optimistic change', async () => {
    const { controller, notes, texts } = open(nothing);
    await controller.fetch(notes.getList);
    const shown: unknown[] = [];
    controller.watch(notes.getList, () => shown.push(texts()));
    const told = controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['new']);
    expect(await told).toBeNull();
    expect(texts()).toEqual(['new']);
    expect(controller.getState().tables['Note']?.get('1')?.value).toEqual({ id: '1', text: 'new' });
    // It was never shown as it had been.
    expect(shown).not.toContainEqual(['old']);
    await controller.fetch(notes.getList);
    expect(texts()).toEqual(['old']);
  });

  it('a response that names no record confirms the optimistic change', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { controller, notes, texts } = open(() => Response.json({ ok: true }));
    await controller.fetch(notes.getList);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['new']);
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('HF_PK_MISSING'));
    warned.mockRestore();
  });

  it('an update with an empty response that was not predicted is reported: the stored row keeps its values', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { controller, notes, texts } = open(nothing, false);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    // There is nothing to be shown.
    expect(warned).not.toHaveBeenCalled();
    await controller.fetch(notes.getList);
    await controller.fetch(notes.create, { text: 'other' });
    expect(warned).not.toHaveBeenCalled();
    for (let count = 0; count < 2; count += 1)
      await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['old']);
    expect(warned.mock.calls).toEqual([[expect.stringMatching(/Note\.partialUpdate.*HF_PK_MISSING/)]]);
    const completed = notes.partialUpdate.extend({
      name: 'completed',
      process: (_response, { id }, body) => ({ id, ...body }),
    });
    await controller.fetch(completed, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['new']);
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it.each([true, false])(
    'a deletion whose params do not name the row is reported, as if its path calls the id by another name (optimistic: %s)',
    async (optimistic) => {
      const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const deletion = createResource({
        urlPrefix: 'https://example.com',
        path: '/notes/:noteId',
        schema: Note,
        optimistic,
      }).delete.extend({ fetchResponse: () => Promise.resolve(new Response(null, { status: 204 })) });
      await new Controller().fetch(deletion, { noteId: '1' });
      expect(warned).toHaveBeenCalledWith(expect.stringContaining('HF_PK_MISSING'));
      warned.mockRestore();
    },
  );

  it('a response with the new id alone keeps the fields of the created item that were sent', async () => {
    const { controller, notes, texts } = open(() => Response.json({ id: '7' }));
    await controller.fetch(notes.getList);
    const shown: unknown[] = [];
    controller.watch(notes.getList, () => shown.push(texts()));
    const made = await controller.fetch(notes.create, { text: 'made', password: 'secret' } as {
      text: string;
    });
    expect(made).toMatchObject({ id: '7', text: 'made' });
    expect(shown).not.toContainEqual(['old', '']);
    expect(texts()).toEqual(['old', 'made']);
    // Only declared fields are kept.
    expect(controller.getState().tables['Note']?.get('7')?.value).toEqual({ id: '7', text: 'made' });
  });

  it('a response with the new id alone keeps the fields that were sent, as stale data, without a prediction', async () => {
    const { controller, notes, texts } = open(() => Response.json({ id: '7' }), false);
    await controller.fetch(notes.getList);
    const shown: unknown[] = [];
    controller.watch(notes.getList, () => shown.push(texts()));
    const made = await controller.fetch(notes.create, { text: 'made', password: 'secret' } as {
      text: string;
    });
    expect(made).toMatchObject({ id: '7', text: 'made' });
    expect(shown).not.toContainEqual(['old', '']);
    expect(texts()).toEqual(['old', 'made']);
    const row = controller.getState().tables['Note']?.get('7');
    expect(row?.value).toEqual({ id: '7', text: 'made' });
    expect(row?.meta.expiresAt).toBe(row?.meta.receivedAt);
  });

  it('a response with the new id alone leaves defaults in place of fields that were undefined', async () => {
    const { controller, notes } = open(() => Response.json({ id: '7' }), false);
    const sparse = { text: undefined } as unknown as { text: string };
    expect(await controller.fetch(notes.create, sparse)).toEqual({ id: '7', text: '' });
  });

  it.each([true, false])(
    'a response with the id alone is completed by the other fields of the pk (optimistic: %s)',
    async (optimistic) => {
      class Seat extends Entity {
        hall = '';
        id = 0;
        guest = '';
        static override key = 'Seat';
        override pk(): string {
          return `${this.hall}/${this.id}`;
        }
      }
      const seats = createResource({
        urlPrefix: 'https://example.com',
        path: '/seats/:id',
        schema: Seat,
        optimistic,
      }).extend((base) => ({
        create: base.create.extend({ fetchResponse: () => Promise.resolve(Response.json(7)) }),
      }));
      const controller = new Controller();
      await controller.fetch(seats.create, { hall: 'A', guest: 'Ada' });
      const all = controller.get(new All(Seat));
      expect(all).toMatchObject([{ hall: 'A', id: 7, guest: 'Ada' }]);
      controller.set(Seat, { hall: 'A', id: 7 }, { guest: 'Bob' });
      expect(controller.get(new All(Seat))).toMatchObject([{ guest: 'Bob' }]);
    },
  );

  it('a response with another field besides the id is stored as it is without a prediction', async () => {
    const { controller, notes } = open(() => Response.json({ id: '7', at: 1 }), false);
    await controller.fetch(notes.create, { text: 'made' });
    expect(controller.getState().tables['Note']?.get('7')?.value).toEqual({ id: '7', at: 1 });
  });

  it('a response that omits the changed field keeps what was sent, as stale data', async () => {
    const { controller, notes, texts } = open(() => Response.json({ id: '1' }));
    await controller.fetch(notes.getList);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['new']);
    const meta = controller.getState().tables['Note']?.get('1')?.meta;
    expect(meta?.expiresAt).toBe(meta?.receivedAt);
  });

  it('a field in the response wins against the one that was sent', async () => {
    const { controller, notes, texts } = open(() =>
      Response.json({ id: '1', text: 'as the server likes it' }),
    );
    await controller.fetch(notes.getList);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['as the server likes it']);
  });

  it('an empty response keeps a created item whose pk the app has chosen', async () => {
    const { controller, notes, texts } = open(nothing);
    await controller.fetch(notes.getList);
    await controller.fetch(notes.create, { id: '2', text: 'made' });
    expect(texts()).toEqual(['old', 'made']);
  });

  it('an empty response removes a created item whose pk only the server knows', async () => {
    const { controller, notes, texts } = open(nothing);
    await controller.fetch(notes.getList);
    const told = controller.fetch(notes.create, { text: 'made' });
    expect(texts()).toEqual(['old', 'made']);
    await told;
    expect(texts()).toEqual(['old']);
  });

  it.each([true, false])(
    'a push with the new id alone keeps the fields that were sent (optimistic: %s)',
    async (optimistic) => {
      const { controller, notes, texts } = open(() => Response.json({ id: '7' }), optimistic);
      await controller.fetch(notes.getList);
      await controller.fetch(notes.getList.push, { text: 'made' });
      expect(texts()).toEqual(['old', 'made']);
    },
  );
});

describe('a create whose response has no record', () => {
  const noRecord = { 'an empty body': nothing, '{ ok: true }': () => Response.json({ ok: true }) };

  /** A server that assigns the pks of notes, and does not return them. */
  function openServer(answer: () => Response, optimistic: boolean) {
    const stored = [{ id: '1', text: 'old' }];
    let reads = 0;
    class Terse<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override async fetchResponse(_url: string, { method, body }: RequestInit): Promise<Response> {
        if (method === 'GET') {
          reads += 1;
          return Promise.resolve(Response.json(stored));
        }
        if (method === 'DELETE') stored.pop();
        else stored.push({ ...(JSON.parse(body as string) as { text: string }), id: '2' });
        return Promise.resolve(answer());
      }
    }
    const notes = createResource({
      urlPrefix: 'https://example.com',
      path: '/notes/:id',
      schema: Note,
      optimistic,
      Endpoint: Terse,
    });
    const controller = new Controller();
    const texts = (): string[] | undefined =>
      controller.getResponse(notes.getList).data?.map(({ text }) => text);
    return { controller, notes, texts, reads: () => reads };
  }

  let warned: jest.SpiedFunction<typeof console.warn>;
  beforeEach(() => {
    warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    warned.mockRestore();
  });

  const cases = Object.entries(noRecord).flatMap(([name, answer]) =>
    [true, false].map((optimistic) => ({ name, answer, optimistic })),
  );

  it.each(cases)(
    'its list on screen is read again: $name, optimistic: $optimistic',
    async ({ answer, optimistic }) => {
      const { controller, notes, texts, reads } = openServer(answer, optimistic);
      await controller.fetch(notes.getList);
      const stop = controller.watch(notes.getList, () => undefined);
      await controller.fetch(notes.create, { text: 'made' });
      await until(() => texts()?.length === 2);
      expect(texts()).toEqual(['old', 'made']);
      await controller.fetch(notes.getList.push, { text: 'pushed' });
      await until(() => texts()?.length === 3);
      expect(reads()).toBe(3);
      stop();
    },
  );

  it('its list is stale if nothing shows it', async () => {
    const { controller, notes, texts, reads } = openServer(nothing, true);
    await controller.fetch(notes.getList);
    await controller.fetch(notes.create, { text: 'made' });
    expect(reads()).toBe(1);
    await controller.fetchIfStale(notes.getList);
    expect(texts()).toEqual(['old', 'made']);
  });

  it('its list is stale if it was requested before the create was answered', async () => {
    const { controller, notes, texts } = openServer(nothing, true);
    let answer: (response: Response) => void = () => undefined;
    const slow = notes.getList.extend({
      fetchResponse: () => new Promise<Response>((resolve) => (answer = resolve)),
    });
    const reading = controller.fetch(slow);
    await controller.fetch(notes.create, { text: 'made' });
    answer(Response.json([{ id: '1', text: 'old' }]));
    await reading;
    await controller.fetchIfStale(notes.getList);
    expect(texts()).toEqual(['old', 'made']);
  });

  it('a removal whose response has no record has its list on screen read again', async () => {
    const { controller, notes, texts } = openServer(() => Response.json({ ok: true }), false);
    const remove = notes.getList.extend({
      schema: notes.getList.schema.remove,
      method: 'DELETE',
      name: 'removeLast',
    });
    await controller.fetch(notes.getList);
    const stop = controller.watch(notes.getList, () => undefined);
    await controller.fetch(remove);
    await until(() => texts()?.length === 0);
    stop();
  });

  it('an update whose response has no record reads nothing again', async () => {
    const { controller, notes, reads } = openServer(nothing, true);
    await controller.fetch(notes.getList);
    const stop = controller.watch(notes.getList, () => undefined);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(reads()).toBe(1);
    stop();
  });
});

describe('an update whose response contains only the changed fields', () => {
  class Post extends Entity {
    id = 0;
    title = '';
    views = 0;
    savedAt = '';
    static override key = 'Post';
  }

  function openPosts(answer: (sent: object) => unknown, optimistic: boolean) {
    class Changed<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override async fetchResponse(_url: string, { method, body }: RequestInit): Promise<Response> {
        return Promise.resolve(
          Response.json(
            method === 'GET'
              ? [{ id: 5, title: 'Fern', views: 3 }]
              : answer(JSON.parse(body as string) as object),
          ),
        );
      }
    }
    const posts = createResource({
      urlPrefix: 'https://example.com',
      path: '/groups/:group/posts/:id',
      schema: Post,
      optimistic,
      Endpoint: Changed,
    });
    return { posts, controller: new Controller() };
  }
  const group = 'g';

  it.each([true, false])(
    'the params identify the row, which keeps its other fields and the type of its id (optimistic: %s)',
    async (optimistic) => {
      const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const { posts, controller } = openPosts(() => ({ title: 'Moss', savedAt: 'now' }), optimistic);
      await controller.fetch(posts.getList, { group });
      const post = { id: 5, title: 'Moss', views: 3, savedAt: 'now' };
      for (const update of [posts.partialUpdate, posts.update]) {
        const updated = await controller.fetch(update, { group, id: '5' }, { title: ' Moss ' });
        expect(updated).toMatchObject(post);
        expect(controller.getResponse(posts.getList, { group }).data).toMatchObject([post]);
      }
      expect(warned).not.toHaveBeenCalled();
      warned.mockRestore();
    },
  );

  it('the id of a row that is not stored has the type of its default', async () => {
    const { posts, controller } = openPosts((sent) => sent, false);
    await controller.fetch(posts.partialUpdate, { group, id: '6' }, { title: 'Moss' });
    expect(controller.get(Post, { id: 6 })?.id).toBe(6);
  });

  it('a status with the name of a field that was not sent is not stored', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { posts, controller } = openPosts(() => ({ title: 'Saved!' }), false);
    await controller.fetch(posts.getList, { group });
    await controller.fetch(posts.partialUpdate, { group, id: '5' }, { views: 4 });
    expect(controller.get(Post, { id: 5 })).toMatchObject({ title: 'Fern', views: 3 });
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('HF_PK_MISSING'));
    warned.mockRestore();
  });
});

it('an optimistic update of a row that is not stored keeps the type of its id', async () => {
  class Numbered extends Entity {
    id = 0;
    title = '';
    static override key = 'Numbered';
  }
  class Silent<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override async fetchResponse(): Promise<Response> {
      return Promise.resolve(nothing());
    }
  }
  const resource = createResource({
    path: '/numbered/:id',
    schema: Numbered,
    optimistic: true,
    Endpoint: Silent,
  });
  const controller = new Controller();
  const updating = controller.fetch(resource.update, { id: '5' }, { title: 'Moss' });
  expect(controller.get(Numbered, { id: 5 })?.id).toBe(5);
  await updating;
  expect(controller.get(Numbered, { id: 5 })?.id).toBe(5);
});

describe('a path that names the entity by an indexed field', () => {
  class Named extends Entity {
    id = 0;
    slug = '';
    title = '';
    static override key = 'Named';
    static override indexes = ['slug'] as const;
  }
  class Silent<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override async fetchResponse(_url: string, { method }: RequestInit): Promise<Response> {
      return Promise.resolve(
        method === 'GET' ? Response.json([{ id: 1, slug: 'fern', title: 'Fern' }]) : nothing(),
      );
    }
  }
  const articles = createResource({
    urlPrefix: 'https://example.com',
    path: '/articles/:slug',
    schema: Named,
    optimistic: true,
    Endpoint: Silent,
  });

  it('an update by an indexed field is shown at once, and confirmed by an empty response', async () => {
    const controller = new Controller();
    await controller.fetch(articles.getList);
    const saved = controller.fetch(articles.partialUpdate, { slug: 'fern' }, { title: 'Fern in fog' });
    const row = { id: 1, slug: 'fern', title: 'Fern in fog' };
    expect(controller.getResponse(articles.getList).data).toEqual([row]);
    await saved;
    expect(controller.getResponse(articles.getList).data).toEqual([row]);
  });

  it('an update by an indexed field is shown if another field has the value of the primary key', async () => {
    class Ranked extends Entity {
      rank = 0;
      id = 0;
      slug = '';
      title = '';
      static override key = 'Ranked';
      static override indexes = ['slug'] as const;
    }
    const ranked = createResource({
      path: '/articles/:slug',
      schema: Ranked,
      optimistic: true,
      Endpoint: Silent,
    });
    const controller = new Controller();
    controller.setResponse(ranked.getList, [{ rank: 1, id: 1, slug: 'fern', title: 'Fern' }]);
    const saved = controller.fetch(ranked.partialUpdate, { slug: 'fern' }, { title: 'Fern in fog' });
    const row = { rank: 1, id: 1, slug: 'fern', title: 'Fern in fog' };
    expect(controller.getResponse(ranked.getList).data).toEqual([row]);
    await saved;
    expect(controller.getResponse(ranked.getList).data).toEqual([row]);
  });

  it.each(['partialUpdate', 'move'] as const)(
    'an update of an entity that is not loaded shows no new entity: %s',
    (name) => {
      const controller = new Controller();
      controller.setResponse(articles.getList, { title: 'Moss' }, []);
      const update = name === 'move' ? articles.getList.move : articles[name];
      void controller.fetch(update, { slug: 'fern' }, { title: 'Moss' });
      expect(controller.get(new All(Named))).toBeUndefined();
      expect(controller.getResponse(articles.getList, { title: 'Moss' }).data).toEqual([]);
    },
  );

  it('a deletion by an indexed field removes the entity from its lists', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const controller = new Controller();
    await controller.fetch(articles.getList);
    const deleted = controller.fetch(articles.delete, { slug: 'fern' });
    expect(controller.getResponse(articles.getList).data).toEqual([]);
    await deleted;
    expect(controller.getResponse(articles.getList).data).toEqual([]);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});

describe('a 202 Accepted', () => {
  const accepted = (body: object) => (): Response => Response.json(body, { status: 202 });

  it('a 202 with a job confirms the optimistic change as stale data, and renames nothing', async () => {
    const { controller, notes, texts } = open(accepted({ id: 'job-9', status: 'queued' }));
    await controller.fetch(notes.getList);
    const answered = await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(answered).toEqual({ id: 'job-9', status: 'queued' });
    expect(texts()).toEqual(['new']);
    const rows = controller.getState().tables['Note'];
    expect(rows?.get('job-9')).toBeUndefined();
    expect(rows?.get('1')?.value).toEqual({ id: '1', text: 'new' });
    expect(rows?.get('1')?.meta.expiresAt).toBe(rows?.get('1')?.meta.receivedAt);
  });

  it('a 202 with a job changes nothing without a prediction', async () => {
    const { controller, notes, texts } = open(accepted({ id: 'job-9' }), false);
    await controller.fetch(notes.getList);
    await controller.fetch(notes.update, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['old']);
    expect(controller.get(Note, { id: 'job-9' })).toBeUndefined();
  });

  it('a 202 with a job confirms an optimistic deletion, and deletes no entity with the pk of the job', async () => {
    const { controller, notes, texts } = open(accepted({ id: '2', status: 'queued' }));
    await controller.fetch(notes.getList);
    controller.set(Note, { id: '2' }, { id: '2', text: 'another' });
    expect(await controller.fetch(notes.delete, { id: '1' })).toEqual({ id: '2', status: 'queued' });
    expect(texts()).toEqual([]);
    expect(controller.get(Note, { id: '2' })?.text).toBe('another');
  });

  it('a 202 with a job deletes nothing without a prediction', async () => {
    const { controller, notes, texts } = open(accepted({ id: '2' }), false);
    await controller.fetch(notes.getList);
    controller.set(Note, { id: '2' }, { id: '2', text: 'another' });
    await controller.fetch(notes.delete, { id: '1' });
    expect(texts()).toEqual(['old']);
    expect(controller.get(Note, { id: '2' })?.text).toBe('another');
  });

  it('the created entity in a 202 has what was sent, so it is stored and not taken for a job', async () => {
    const { controller, notes, texts } = open(accepted({ id: '7', text: 'made', status: 'processing' }));
    await controller.fetch(notes.getList);
    const making = controller.fetch(notes.create, { text: 'made' });
    expect(texts()).toEqual(['old', 'made']);
    expect(await making).toMatchObject({ id: '7', text: 'made' });
    expect(texts()).toEqual(['old', 'made']);
    expect(controller.get(Note, { id: '7' })?.text).toBe('made');
  });

  it('a 202 to a create with a job stores no entity with the pk of the job', async () => {
    const { controller, notes } = open(accepted({ id: 'job-9', status: 'queued' }));
    await controller.fetch(notes.getList);
    expect(await controller.fetch(notes.create, { text: 'made' })).toEqual({ id: 'job-9', status: 'queued' });
    expect(controller.get(Note, { id: 'job-9' })).toBeUndefined();
  });

  it('the entity in a 202 is deleted', async () => {
    const { controller, notes, texts } = open(accepted({ id: '1', status: 'leaving' }), false);
    await controller.fetch(notes.getList);
    await controller.fetch(notes.delete, { id: '1' });
    expect(texts()).toEqual([]);
  });

  it('the entity in a 202 is stored', async () => {
    const { controller, notes, texts } = open(accepted({ id: '1', text: 'as the server likes it' }));
    await controller.fetch(notes.getList);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'new' });
    expect(texts()).toEqual(['as the server likes it']);
  });

  it('a 202 with the pk that was predicted renames the entity', async () => {
    const { controller, notes, texts } = open(accepted({ id: '2', text: 'as the server likes it' }));
    await controller.fetch(notes.getList);
    await controller.fetch(notes.partialUpdate, { id: '1' }, { id: '2' });
    expect(texts()).toEqual(['as the server likes it']);
    expect(controller.get(Note, { id: '1' })?.id).toBe('2');
  });
});
