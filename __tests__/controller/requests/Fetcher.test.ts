import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  createResource,
  Delete,
  Endpoint,
  Entity,
  ExpiryStatus,
  RestEndpoint,
  validateRequired,
  type EntityValue,
  type Snapshot,
  type RestoreQuery,
} from 'holdfast';
import { Held, settled, StatusError } from '../../support/held.ts';
import { Article } from '../../support/entities.ts';
import { turn } from '../../support/turns.ts';

class Strict extends Article {
  body = '';
  static override validate(processed: EntityValue): string | undefined {
    return validateRequired(processed, this.defaults);
  }
}

interface Params {
  readonly id: number;
}

/** Endpoints of a server that answers when the test says so. */
function server() {
  const reads = new Held();
  const lists = new Held();
  const mutations = new Held();
  const get = new Endpoint((params: Params) => reads.fetch(params), { name: 'get', schema: Article });
  const getList = new Endpoint(() => lists.fetch(), { name: 'getList', schema: [Article] });
  const update = new Endpoint((params: Params) => mutations.fetch(params), {
    name: 'update',
    schema: Article,
    sideEffect: true,
  });
  const remove = update.extend({ name: 'remove', schema: new Delete(Article) });
  return { reads, lists, mutations, get, getList, update, remove };
}

function titleOf(controller: Controller, id: number): string | undefined {
  return controller.get(Article, { id })?.title;
}

describe('requests under way', () => {
  it('requests under way are shared by identical reads', async () => {
    const { reads, get } = server();
    const controller = new Controller();
    const first = controller.fetch(get, { id: 1 });
    const second = controller.fetch(get, { id: 1 });
    const third = controller.fetchIfStale(get, { id: 1 });
    const other = controller.fetch(get, { id: 2 });
    await settled();
    expect(reads.calls.map(({ args }) => args)).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    reads.call(0).resolve({ id: 1 });
    reads.call(1).resolve({ id: 2 });
    expect(await second).toBe(await first);
    expect(await third).toBe(await first);
    expect((await other).id).toBe(2);
    void controller.fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(3);
  });

  it('requests under way are shared by reads that fail, too', async () => {
    const { reads, get } = server();
    const controller = new Controller();
    const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 1 })];
    await settled();
    reads.call(0).reject(new Error('Down'));
    for (const promise of asked) await expect(promise).rejects.toThrow('Down');
    void controller.fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(2);
  });

  it('a shared read that its first caller aborts is sent again for a caller with another signal', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    const aborted = controller.fetch(get.extend({ signal: giveUp.signal }), { id: '1' });
    const view = controller.view(get, [{ id: '1' }]);
    const shared = [controller.fetch(get, { id: '1' }), view.loadForSuspense()];
    await settled();
    expect(held.calls).toHaveLength(1);
    giveUp.abort('Changed my mind');
    held.call(0).reject('Changed my mind');
    await expect(aborted).rejects.toBe('Changed my mind');
    expect(view.error).toBeUndefined();
    await settled();
    held.call(1).resolve({ id: 1, title: 'one' });
    for (const promise of shared) expect(await promise).toMatchObject({ title: 'one' });
    expect(held.calls).toHaveLength(2);
  });

  it('a shared read that all of its callers abort rejects for each of them', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    const asked = [first, second].map(({ signal }) => controller.fetch(get.extend({ signal }), { id: '1' }));
    await settled();
    first.abort('Changed my mind');
    second.abort('I too');
    held.call(0).reject('Changed my mind');
    await expect(asked[0]).rejects.toBe('Changed my mind');
    await expect(asked[1]).rejects.toBe('I too');
    expect(held.calls).toHaveLength(1);
  });

  it('a signal in requestInit counts like the option, for callers that share the read and for data', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const withSignal = get.extend({ requestInit: { signal: giveUp.signal } });
    const controller = new Controller();
    const aborted = controller.fetch(withSignal, { id: '1' });
    const shared = controller.fetch(get, { id: '1' });
    await settled();
    giveUp.abort('Changed my mind');
    held.call(0).reject('Changed my mind');
    await expect(aborted).rejects.toBe('Changed my mind');
    await settled();
    held.call(1).resolve({ id: 1, title: 'one' });
    const article = await shared;
    const late = controller.fetch(withSignal, { id: '1' });
    await settled();
    held.call(2).reject('Changed my mind');
    await expect(late).rejects.toBe('Changed my mind');
    expect(controller.getResponse(get, { id: '1' }).data).toBe(article);
  });

  it('a shared read that its first caller aborts after a reset is not sent again', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    const first = controller.fetch(get.extend({ signal: giveUp.signal }), { id: '1' });
    const joined = controller.fetch(get, { id: '1' });
    await settled();
    await controller.reset();
    giveUp.abort();
    held.call(0).reject(giveUp.signal.reason);
    for (const promise of [first, joined]) await expect(promise).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(held.calls).toHaveLength(1);
  });

  it('a caller that joins a request without a response rejects when its own signal is aborted', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    const shared = controller.fetch(get, { id: '1' });
    const joined = controller.fetch(get.extend({ signal: giveUp.signal }), { id: '1' });
    await settled();
    giveUp.abort('Too slow');
    await expect(joined).rejects.toBe('Too slow');
    await expect(controller.fetch(get.extend({ signal: giveUp.signal }), { id: '1' })).rejects.toBe(
      'Too slow',
    );
    held.call(0).resolve({ id: 1, title: 'one' });
    expect(await shared).toMatchObject({ title: 'one' });
    expect(controller.getError(get, { id: '1' })).toBeUndefined();
    expect(held.calls).toHaveLength(1);
  });

  it('a read that its only caller aborts leaves no error for a component that mounts later', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    const aborted = controller.fetch(get.extend({ signal: giveUp.signal }), { id: '1' });
    await settled();
    giveUp.abort('Changed my mind');
    held.call(0).reject('Changed my mind');
    await expect(aborted).rejects.toBe('Changed my mind');
    expect(controller.getError(get, { id: '1' })).toBeUndefined();
    const later = controller.fetchIfStale(get, { id: '1' });
    await settled();
    held.call(1).resolve({ id: 1, title: 'one' });
    expect(await later).toMatchObject({ title: 'one' });
  });

  it('a component that waits for a read shows that its own signal aborts it, and does not repeat it', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({
      path: '/articles/:id',
      schema: Article,
      fetch: held.fetch,
      signal: giveUp.signal,
    });
    const view = new Controller().view(get, [{ id: '1' }]);
    const waiting = view.loadForSuspense();
    await settled();
    giveUp.abort('Changed my mind');
    held.call(0).reject('Changed my mind');
    await expect(waiting).rejects.toBe('Changed my mind');
    expect(view.error).toBe('Changed my mind');
    expect(view.shouldLoad).toBe(false);
  });

  it('an error that components show stays when another caller aborts its own request', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    const view = controller.view(get, [{ id: '1' }]);
    view.subscribe(() => undefined);
    const failed = view.loadForSuspense();
    await settled();
    held.call(0).reject(new StatusError(500));
    await expect(failed).rejects.toMatchObject({ status: 500 });
    expect(view.error).toMatchObject({ status: 500 });
    const aborted = controller.fetch(get.extend({ signal: giveUp.signal }), { id: '1' });
    await settled();
    giveUp.abort('Changed my mind');
    held.call(1).reject('Changed my mind');
    await expect(aborted).rejects.toBe('Changed my mind');
    expect(view.error).toMatchObject({ status: 500 });
  });

  it('requests under way are not shared by mutations', async () => {
    const { mutations, update } = server();
    const controller = new Controller();
    void controller.fetch(update, { id: 1 });
    void controller.fetch(update, { id: 1 });
    await settled();
    expect(mutations.calls).toHaveLength(2);
  });

  it('requests under way are not shared between controllers', async () => {
    const { reads, get } = server();
    void new Controller().fetch(get, { id: 1 });
    void new Controller().fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(2);
  });

  it('`refreshing` reports the requests in flight', async () => {
    const { reads, get } = server();
    const controller = new Controller();
    expect(controller.getResponse(get, { id: 1 }).refreshing).toBe(false);
    const fetched = controller.fetch(get, { id: 1 });
    expect(controller.getResponse(get, { id: 1 }).refreshing).toBe(true);
    await settled();
    reads.call(0).resolve({ id: 1 });
    await fetched;
    expect(controller.getResponse(get, { id: 1 }).refreshing).toBe(false);
  });

  it('a new read does not share a request that started before a mutation completed', async () => {
    const { reads, mutations, get, update } = server();
    const controller = new Controller();
    const before = controller.fetch(get, { id: 1 });
    const mutated = controller.fetch(update, { id: 1 });
    await settled();
    // While the mutation is under way, one may still join.
    void controller.fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(1);
    mutations.call(0).resolve({ id: 1, title: 'mutated' });
    await mutated;
    const after = controller.fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(2);
    // Reads that begin after that share the new one.
    void controller.fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(2);
    reads.call(1).resolve({ id: 1, title: 'new' });
    expect((await after).title).toBe('new');
    reads.call(0).resolve({ id: 1, title: 'old' });
    await before;
    expect(titleOf(controller, 1)).toBe('new');
  });

  it('a new read does not share a request that started before a mutation failed: it may have changed data', async () => {
    const { reads, mutations, get, update } = server();
    const controller = new Controller();
    void controller.fetch(get, { id: 1 });
    const mutated = controller.fetch(update, { id: 1 });
    await settled();
    mutations.call(0).reject(new Error('Timeout'));
    await expect(mutated).rejects.toThrow('Timeout');
    void controller.fetch(get, { id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(2);
  });
});

describe('a read that waits for disk', () => {
  it('a read that waits for the disk is shared after an invalidation, because its request has not started', async () => {
    const { reads, get } = server();
    const disk = new Held();
    const restore = (wanted: RestoreQuery) => disk.fetch(wanted) as Promise<undefined>;
    const controller = new Controller({ plugins: [{ name: 'disk', restore }] });
    const asked = [Promise.resolve(controller.fetchIfStale(get, { id: 1 }))];
    await settled();
    controller.invalidate(get, { id: 1 });
    asked.push(Promise.resolve(controller.fetchIfStale(get, { id: 1 })));
    await settled();
    for (const { resolve } of disk.calls) resolve(undefined);
    await settled();
    expect(reads.calls).toHaveLength(1);
    reads.call(0).resolve({ id: 1, title: 'new' });
    for (const article of await Promise.all(asked)) expect(article.title).toBe('new');
  });
});

describe('an older response', () => {
  it('an older response does not overwrite the row of a later read', async () => {
    const { reads, lists, get, getList } = server();
    const controller = new Controller();
    const early = controller.fetch(getList);
    await settled();
    const late = controller.fetch(get, { id: 1 });
    await settled();
    reads.call(0).resolve({ id: 1, title: 'late' });
    await late;
    lists.call(0).resolve([
      { id: 1, title: 'early', extra: true },
      { id: 2, title: 'two' },
    ]);
    const list = await early;
    expect(list.map(({ title }) => title)).toEqual(['late', 'two']);
    // It only fills in fields without a newer value.
    expect(controller.get(Article, { id: 1 })).toHaveProperty('extra', true);
  });

  it('an older response does not overwrite the result of a later read', async () => {
    const { lists, getList, mutations, update } = server();
    const controller = new Controller();
    const early = controller.fetch(getList);
    await settled();
    const mutated = controller.fetch(update, { id: 9 });
    await settled();
    mutations.call(0).resolve({ id: 9 });
    await mutated;
    const late = controller.fetch(getList);
    await settled();
    lists.call(1).resolve([
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
    ]);
    await late;
    lists.call(0).resolve([{ id: 1, title: 'old' }]);
    expect((await early).map(({ id }) => id)).toEqual([1]);
    expect(controller.getResponse(getList).data?.map(({ title }) => title)).toEqual(['one', 'two']);
  });

  it('an older response does not overwrite a result without schema', async () => {
    const held = new Held();
    const mutation = new Endpoint(async () => 'done', { name: 'mutation', sideEffect: true });
    const getCount = new Endpoint(() => held.fetch(), { name: 'getCount' });
    const controller = new Controller();
    const early = controller.fetch(getCount);
    await settled();
    await controller.fetch(mutation);
    const late = controller.fetch(getCount);
    await settled();
    held.call(1).resolve(2);
    await late;
    held.call(0).resolve(1);
    expect(await early).toBe(1);
    expect(controller.getResponse(getCount).data).toBe(2);
  });

  it('an older response does not restore a deleted entity, neither its row nor in a list', async () => {
    const { reads, lists, mutations, get, getList, remove } = server();
    const controller = new Controller();
    controller.setResponse(getList, [
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
    ]);
    const list = controller.fetch(getList);
    const detail = controller.fetch(get, { id: 1 });
    await settled();
    const removed = controller.fetch(remove, { id: 1 });
    await settled();
    mutations.call(0).resolve({ id: 1 });
    await removed;
    lists.call(0).resolve([
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
    ]);
    await list;
    expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual([2]);
    // The read of the deleted entity itself is asked again, now that it is known to be too old.
    reads.call(0).resolve({ id: 1, title: 'one' });
    await settled();
    expect(titleOf(controller, 1)).toBeUndefined();
    expect(reads.calls).toHaveLength(2);
    reads.call(1).reject(new Error('Not found'));
    await expect(detail).rejects.toThrow('Not found');
  });

  it('a response may restore an entity that was created again, if the read began after the deletion', async () => {
    const { reads, mutations, get, remove } = server();
    const controller = new Controller();
    const removed = controller.fetch(remove, { id: 1 });
    await settled();
    mutations.call(0).resolve({ id: 1 });
    await removed;
    const read = controller.fetch(get, { id: 1 });
    await settled();
    reads.call(0).resolve({ id: 1, title: 'again' });
    expect((await read).title).toBe('again');
  });

  it('the response of a mutation does not overwrite that of a mutation that started later', async () => {
    const { mutations, update } = server();
    const controller = new Controller();
    const first = controller.fetch(update, { id: 1 });
    await settled();
    const second = controller.fetch(update, { id: 1 });
    await settled();
    mutations.call(1).resolve({ id: 1, title: 'second' });
    await second;
    mutations.call(0).resolve({ id: 1, title: 'first' });
    await first;
    expect(titleOf(controller, 1)).toBe('second');
  });

  it('the response of a read does not overwrite data that was set after its start', async () => {
    const { reads, get } = server();
    const controller = new Controller();
    const read = controller.fetch(get, { id: 1 });
    await settled();
    controller.set(Article, { id: 1 }, { title: 'set' });
    reads.call(0).resolve({ id: 1, title: 'read' });
    expect((await read).title).toBe('set');
  });

  it('the response of a read does not overwrite a response that was set after its start', async () => {
    const { lists, getList } = server();
    const controller = new Controller();
    const read = controller.fetch(getList);
    await settled();
    controller.setResponse(getList, [{ id: 5 }]);
    lists.call(0).resolve([{ id: 1 }]);
    await read;
    expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual([5]);
  });
});

describe('a response hidden by a pending deletion', () => {
  function hiding() {
    const { get, remove, ...held } = server();
    const hide = remove.extend({ getOptimisticResponse: (_: Snapshot, params: Params) => params });
    const controller = new Controller();
    const read = controller.fetch(get, { id: 1 });
    const removed = controller.fetch(hide, { id: 1 });
    return { ...held, controller, get, read, removed };
  }

  it('a response hidden by a pending deletion is returned once the deletion was refused', async () => {
    const { reads, mutations, controller, get, read, removed } = hiding();
    await settled();
    reads.call(0).resolve({ id: 1, title: 'stays' });
    await settled();
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
    mutations.call(0).reject(new Error('Refused'));
    await expect(removed).rejects.toThrow('Refused');
    expect((await read).title).toBe('stays');
    expect(controller.getError(get, { id: 1 })).toBeUndefined();
    expect(reads.calls).toHaveLength(1);
  });

  it('a response hidden by a pending deletion is requested once more when the deletion is settled', async () => {
    const { reads, mutations, controller, get, read, removed } = hiding();
    await settled();
    reads.call(0).resolve({ id: 1 });
    await settled();
    mutations.call(0).resolve({ id: 1 });
    await removed;
    await settled();
    expect(reads.calls).toHaveLength(2);
    reads.call(1).reject(new StatusError(404));
    await expect(read).rejects.toThrow('404');
    expect(controller.getError(get, { id: 1 })).toBeInstanceOf(StatusError);
  });

  it('a response hidden by a pending deletion is dropped by a reset', async () => {
    const { reads, controller, read } = hiding();
    await settled();
    reads.call(0).resolve({ id: 1 });
    await settled();
    await controller.reset();
    await expect(read).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(reads.calls).toHaveLength(1);
  });
});

describe('a response with an entity that was deleted concurrently', () => {
  it('a response with a deleted entity is fetched once more, wherever the deletion came from', async () => {
    const { reads, get, remove } = server();
    const controller = new Controller();
    const read = controller.fetch(get, { id: 1 });
    await settled();
    controller.setResponse(remove, { id: 1 }, { id: 1 });
    reads.call(0).resolve({ id: 1 });
    await settled();
    expect(reads.calls).toHaveLength(2);
    reads.call(1).resolve({ id: 1, title: 'made again' });
    expect((await read).title).toBe('made again');
  });

  it('a response with an entity that was deleted concurrently is requested once more even if its result is no longer used', async () => {
    const { reads, mutations, get, remove } = server();
    const controller = new Controller();
    const read = controller.fetch(get, { id: 1 });
    const removed = controller.fetch(remove, { id: 1 });
    await settled();
    mutations.call(0).resolve({ id: 1 });
    await removed;
    controller.invalidate(get, { id: 1 });
    reads.call(0).resolve({ id: 1, title: 'gone' });
    await settled();
    reads.call(1).resolve({ id: 1, title: 'made again' });
    const given = await read;
    expect(given).toBe(controller.get(Article, { id: 1 }));
    expect(given.title).toBe('made again');
  });
});

describe('a reset', () => {
  it('a reset drops a response that has arrived but is not stored yet', async () => {
    const { reads, get } = server();
    const controller = new Controller();
    const first = controller.fetch(get, { id: 1 }).then(() => controller.reset());
    const second = controller.fetch(get, { id: 2 });
    await settled();
    for (const nth of [0, 1]) reads.call(nth).resolve({ id: nth + 1 });
    await first;
    await second.catch(() => undefined);
    expect(controller.get(Article, { id: 2 })).toBeUndefined();
  });

  it('a request that a plugin delays is not sent after a reset: another user may have signed in', async () => {
    const { reads, mutations, get, update } = server();
    let letThrough: () => void = () => undefined;
    const delay = new Promise<void>((resolve) => (letThrough = resolve));
    const controller = new Controller({
      plugins: [{ name: 'token', request: (request, next) => delay.then(() => next(request)) }],
    });
    const sent = [controller.fetch(get, { id: 1 }), controller.fetch(update, { id: 1 })];
    await controller.reset();
    letThrough();
    for (const promise of sent) await expect(promise).rejects.toMatchObject({ code: 'HF_RESET' });
    expect([...reads.calls, ...mutations.calls]).toEqual([]);
  });
});

describe('what fetch resolves with', () => {
  it('fetch resolves with the denormalized value if the endpoint has a schema', async () => {
    const controller = new Controller();
    const page = new Endpoint(async () => ({ items: [{ id: 1, title: 'one' }], next: 'x' }), {
      name: 'page',
      schema: { items: [Article], next: '' },
    });
    const fetched = await controller.fetch(page);
    expect(fetched.items[0]).toBe(controller.get(Article, { id: 1 }));
    expect(fetched).toBe(controller.getResponse(page).data);
  });

  it('fetch resolves with the response itself if the endpoint has no schema', async () => {
    const controller = new Controller();
    const response = { a: 1 };
    const raw = new Endpoint(async () => response, { name: 'raw' });
    expect(await controller.fetch(raw)).toEqual({ a: 1 });
    expect(response).toEqual({ a: 1 });
    expect(Object.isFrozen(response)).toBe(false);
  });

  it.each([0, '', false, null, [], undefined])('fetch may resolve with %j', async (value) => {
    const controller = new Controller();
    const raw = new Endpoint(async () => value, { name: 'raw', dataExpiryLength: Infinity });
    expect(await controller.fetch(raw)).toEqual(value);
    const reading = controller.getResponse(raw);
    // This is data as well: nothing is requested again. An empty response reads as null.
    expect(reading.data).toEqual(value ?? null);
    expect(reading.expiresAt).toBe(Infinity);
    expect(controller.fetchIfStale(raw)).toEqual(value ?? null);
  });

  it('fetch of a mutation resolves with the denormalized response, or with the response itself without a schema', async () => {
    const { mutations, update, remove } = server();
    const controller = new Controller();
    const updated = controller.fetch(update, { id: 1 });
    const removed = controller.fetch(remove, { id: 2 });
    const nothing = controller.fetch(update, { id: 3 });
    await settled();
    mutations.call(0).resolve({ id: 1, title: 'one' });
    mutations.call(1).resolve({ id: 2, gone: true });
    mutations.call(2).resolve(null);
    expect(await updated).toBe(controller.get(Article, { id: 1 }));
    expect(await removed).toEqual({ id: 2, gone: true });
    expect(await nothing).toBeNull();
  });
});

describe('a response that cannot be shown', () => {
  it('a response that cannot be shown is an error with entity and reason, and is not requested repeatedly', async () => {
    let calls = 0;
    let now = 1_000_000;
    const get = new Endpoint(
      async ({ id }: Params) => {
        calls += 1;
        return { id, title: 'no body' };
      },
      { name: 'getStrict', schema: Strict },
    );
    const controller = new Controller({ now: () => now });
    await expect(controller.fetch(get, { id: 1 })).rejects.toMatchObject({
      code: 'HF_INVALID_ENTITY',
      message: expect.stringMatching(/getStrict.*Strict "1".*"body"/),
    });
    const view = controller.view(get, [{ id: 1 }]);
    expect(view.error).toMatchObject({ code: 'HF_INVALID_ENTITY' });
    expect(view.shouldLoad).toBe(false);
    expect(calls).toBe(1);
    // What was stored is there for classes that are content with it.
    expect(controller.get(Article, { id: 1 })?.title).toBe('no body');
    now += 1_000;
    expect(view.error).toBeUndefined();
    expect(view.shouldLoad).toBe(true);
  });

  it('the error names the innermost invalid entity', async () => {
    class Holder extends Entity {
      id = '';
      article = Strict.fromJS();
      static override key = 'Holder';
      static override schema = { article: Strict };
    }
    const get = new Endpoint(async () => ({ id: 1, article: { id: 7, title: 't' } }), {
      name: 'getHolder',
      schema: Holder,
    });
    await expect(new Controller().fetch(get)).rejects.toMatchObject({
      message: expect.stringMatching(/getHolder.*Strict "7".*"body"/),
    });
  });

  it('a list leaves out invalid entities', async () => {
    const list = new Endpoint(
      async () => [
        { id: 1, title: 't' },
        { id: 2, title: 't', body: 'b' },
      ],
      {
        name: 'listStrict',
        schema: [Strict],
      },
    );
    expect((await new Controller().fetch(list)).map(({ id }) => id)).toEqual([2]);
  });

  it('the response of a mutation is stored and does not reject', async () => {
    const update = new Endpoint(async () => ({ id: 1, title: 'changed' }), {
      name: 'updateStrict',
      schema: Strict,
      sideEffect: true,
    });
    const controller = new Controller();
    controller.set(Strict, { id: 1 }, { id: '1', title: 't' });
    expect(await controller.fetch(update)).toEqual({ id: 1, title: 'changed' });
    expect(titleOf(controller, 1)).toBe('changed');
  });
});

describe('a mutation whose response names no record', () => {
  it.each([
    ['entity', Article, {}],
    ['deletion', new Delete(Article), { ok: true }],
    ['list', [Article], [{ title: 'no id' }]],
  ] as const)(
    'a mutation resolves with a response that names no record, and stores nothing: %s',
    async (_, schema, answer) => {
      const warnings: unknown[] = [];
      const { warn } = console;
      console.warn = (message: unknown) => void warnings.push(message);
      try {
        const controller = new Controller();
        const mutation = new Endpoint(async () => answer, { name: 'mutate', schema, sideEffect: true });
        expect(await controller.fetch(mutation)).toBe(answer);
        expect(Object.keys(controller.getState().tables)).toEqual([]);
        expect(warnings).toEqual([expect.stringMatching(/mutate.*HF_PK_MISSING/)]);
      } finally {
        console.warn = warn;
      }
    },
  );
});

describe('a response of another shape', () => {
  it('a response of another shape rejects, and stored data stays', async () => {
    let response: unknown = [{ id: 1, title: 'one' }];
    let now = 0;
    const getList = new Endpoint(async () => response, { name: 'getList', schema: [Article] });
    const controller = new Controller({ now: () => now });
    const list = await controller.fetch(getList);
    response = '<!doctype html>';
    await expect(controller.fetch(getList)).rejects.toMatchObject({
      code: 'HF_SHAPE',
      message: expect.stringMatching(/getList.*a list.*<!doctype html>/),
    });
    expect(titleOf(controller, 1)).toBe('one');
    now += 1_000_000;
    response = [{ id: 1, title: 'one' }];
    expect(await controller.fetch(getList)).toBe(list);
  });

  it('a response of another shape stores none of its valid parts', async () => {
    const getList = new Endpoint(async () => [{ id: 1 }, 'x', []], { name: 'getList', schema: [Article] });
    const controller = new Controller();
    await expect(controller.fetch(getList)).rejects.toMatchObject({ code: 'HF_SHAPE' });
    expect(controller.get(Article, { id: 1 })).toBeUndefined();
  });
});

describe('a failure that nothing handles', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);

  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
  });

  afterEach(() => {
    process.off('unhandledRejection', note);
  });

  it('a prefetch by fetchIfStale is not reported as unhandled, also while its last error is fresh', async () => {
    const controller = new Controller({ now: () => 0 });
    const fail = new Endpoint(() => Promise.reject(new Error('down')), { name: 'fail' });
    void controller.fetchIfStale(fail);
    await turn();
    void controller.fetchIfStale(fail);
    await turn();
    expect(unhandled).toEqual([]);
    await expect(controller.fetchIfStale(fail)).rejects.toThrow('down');
  });

  it('a load that has joined a request with a signal is not reported as unhandled', async () => {
    const { reads, get } = server();
    const controller = new Controller();
    const options: object = { signal: new AbortController().signal }; // an option of a RestEndpoint
    const sent = controller.fetch(get.extend(options), { id: 1 });
    void controller.view(get, [{ id: 1 }]).load();
    reads.call(0).reject(new Error('down'));
    await expect(sent).rejects.toThrow('down');
    await turn();
    expect(unhandled).toEqual([]);
  });
});

describe('freshness', () => {
  it('freshness counts from the response, and a stale read is requested again', async () => {
    let now = 1_000;
    const held = new Held();
    const get = new Endpoint((params: Params) => held.fetch(params), {
      name: 'get',
      schema: Article,
      dataExpiryLength: 100,
    });
    const controller = new Controller({ now: () => now });
    const first = controller.fetchIfStale(get, { id: 1 });
    await settled();
    now = 1_500;
    held.call(0).resolve({ id: 1, title: 'one' });
    const article = await first;
    expect(controller.getResponse(get, { id: 1 }).expiresAt).toBe(1_600);
    now = 1_599;
    expect(controller.fetchIfStale(get, { id: 1 })).toBe(article);
    now = 1_600;
    const second = controller.fetchIfStale(get, { id: 1 });
    expect(second).toBeInstanceOf(Promise);
    // Stale data is still shown.
    expect(controller.getResponse(get, { id: 1 }).data).toBe(article);
    await settled();
    held.call(1).resolve({ id: 1, title: 'two' });
    expect((await second).title).toBe('two');
  });

  it('freshness is 60 s unless endpoint or controller say otherwise', async () => {
    const get = new Endpoint(async () => ({ id: 1 }), { name: 'get', schema: Article });
    const expiresAt = async (controller: Controller, endpoint: typeof get): Promise<number> => {
      await controller.fetch(endpoint);
      return controller.getResponse(endpoint).expiresAt;
    };
    expect(await expiresAt(new Controller({ now: () => 0 }), get)).toBe(60_000);
    expect(await expiresAt(new Controller({ now: () => 0, dataExpiryLength: 5 }), get)).toBe(5);
    const own = get.extend({ dataExpiryLength: 7 });
    expect(await expiresAt(new Controller({ now: () => 0, dataExpiryLength: 5 }), own)).toBe(7);
    const never = get.extend({ dataExpiryLength: Infinity });
    expect(await expiresAt(new Controller({ now: () => 0 }), never)).toBe(Infinity);
  });

  it('a read that is served from rows is fresh until the first of them expires', async () => {
    let now = 1_000;
    class Holder extends Entity {
      id = '';
      article = Article.fromJS();
      static override key = 'Holder';
      static override schema = { article: Article };
    }
    const getArticles = new Endpoint(async (): Promise<unknown> => null, {
      name: 'getArticles',
      schema: [Article],
      dataExpiryLength: 10,
    });
    const getHolders = new Endpoint(async (): Promise<unknown> => null, {
      name: 'getHolders',
      schema: [Holder],
      dataExpiryLength: 500,
    });
    const getHolder = new Endpoint(async ({ id }: Params): Promise<unknown> => ({ id, article: 1 }), {
      name: 'getHolder',
      schema: Holder,
    });
    const controller = new Controller({ now: () => now });
    controller.setResponse(getArticles, [{ id: 1 }]);
    controller.setResponse(getHolders, [{ id: 5, article: 1 }]);
    expect(controller.getResponse(getHolder, { id: 5 })).toMatchObject({ expiresAt: 1_010 });
    expect(controller.fetchIfStale(getHolder, { id: 5 })).toBe(controller.get(Holder, { id: 5 }));
    now = 1_010;
    expect(controller.fetchIfStale(getHolder, { id: 5 })).toBeInstanceOf(Promise);
    controller.setResponse(getArticles, [{ id: 1 }]);
    expect(controller.getResponse(getHolder, { id: 5 })).toMatchObject({ expiresAt: 1_020 });
  });

  it('data with invalidIfStale is not usable once it is stale', async () => {
    let now = 0;
    const get = new Endpoint(async () => ({ id: 1 }), { name: 'get', schema: Article, invalidIfStale: true });
    const controller = new Controller({ now: () => now });
    expect(controller.getResponse(get).expiryStatus).toBe(ExpiryStatus.Invalid);
    await controller.fetch(get);
    expect(controller.getResponse(get).expiryStatus).toBe(ExpiryStatus.Valid);
    now = 60_000;
    expect(controller.getResponse(get).expiryStatus).toBe(ExpiryStatus.InvalidIfStale);
    expect(controller.fetchIfStale(get)).toBeInstanceOf(Promise);
  });
});

class Todo extends Entity {
  id = 0;
  text = '';
  static override key = 'Todo';
}

describe('an endpoint made by bind', () => {
  it('an endpoint made by bind reads and writes what the endpoint with all its args does', async () => {
    const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });
    const received: (readonly unknown[])[] = [];
    const fetch = (...args: readonly unknown[]): Promise<unknown> => {
      received.push(args);
      return Promise.resolve(args.length === 1 ? [{ id: 1, text: 'one' }] : { id: 1, text: 'sent' });
    };
    const getDone = TodoResource.getList.extend({ fetch }).bind(undefined, { text: 'one' });
    const rename = TodoResource.partialUpdate.extend({ fetch }).bind(undefined, { id: 1 });
    const controller = new Controller();
    await controller.fetch(getDone);
    const list = controller.getResponse(TodoResource.getList, { text: 'one' }).data;
    expect(list).toHaveLength(1);
    expect(controller.getResponse(getDone).data).toBe(list);
    const seen: unknown[] = [];
    const stop = controller.watch(getDone, (data: unknown) => seen.push(data));
    const done = controller.fetch(rename, { text: 'uno' });
    expect(controller.get(Todo, { id: 1 })?.text).toBe('uno');
    await done;
    expect(received).toEqual([[{ text: 'one' }], [{ id: 1 }, { text: 'uno' }]]);
    expect(seen).toHaveLength(2);
    stop();
    controller.invalidate(getDone);
    expect(controller.getResponse(TodoResource.getList, { text: 'one' }).data).toBeUndefined();
  });

  it('an endpoint made by bind is found by a snapshot in stored rows, as by the controller', () => {
    const controller = new Controller();
    controller.set(Article, { id: '1' }, { id: '1', title: 'one' });
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article }).bind(undefined, { id: '1' });
    expect(controller.getResponse(get).data?.title).toBe('one');
    expect(controller.snapshot().getResponse(get).data?.title).toBe('one');
  });
});
