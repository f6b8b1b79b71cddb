import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, ExpiryStatus, RestEndpoint, type ErrorPolicy } from 'holdfast';
import { Held, settled, StatusError } from '../../support/held.ts';
import { Article } from '../../support/entities.ts';

interface Params {
  readonly id: number;
}

/** A controller with a clock, and an endpoint that answers when the test says so. */
function setUp(
  options: { errorPolicy?(error: Error & { status?: number }): ErrorPolicy; errorExpiryLength?: number } = {},
) {
  const clock = { now: 10_000 };
  const held = new Held();
  const get = new Endpoint((params: Params) => held.fetch(params), {
    name: 'get',
    schema: Article,
    ...options,
  });
  const controller = new Controller({ now: () => clock.now });
  /** Makes the next request, and has it fail. */
  const fail = async (error: unknown): Promise<void> => {
    const fetched = controller.fetch(get, { id: 1 });
    await settled();
    held.call(held.calls.length - 1).reject(error);
    await expect(fetched).rejects.toBe(error);
  };
  return { clock, held, get, controller, fail, view: controller.view(get, [{ id: 1 }]) };
}

describe('an error without data', () => {
  it.each([0, 404, 500])('an error without data is thrown whatever its status: %i', async (status) => {
    const { fail, view, controller, get } = setUp();
    const error = new StatusError(status);
    await fail(error);
    expect(view.error).toBe(error);
    expect(view.shouldLoad).toBe(false);
    expect(controller.getError(get, { id: 1 })).toBe(error);
    expect(controller.getResponse(get, { id: 1 })).toMatchObject({
      data: undefined,
      expiryStatus: ExpiryStatus.Invalid,
    });
  });

  it('an error without data is kept for a second, and then the read is requested again', async () => {
    const { clock, fail, view } = setUp();
    await fail(new StatusError(500));
    clock.now += 999;
    expect([view.error !== undefined, view.shouldLoad]).toEqual([true, false]);
    clock.now += 1;
    expect([view.error !== undefined, view.shouldLoad]).toEqual([false, true]);
  });

  it('an error without data is kept for as long as the endpoint says', async () => {
    const { clock, fail, view } = setUp({ errorExpiryLength: 5_000 });
    await fail(new StatusError(500));
    clock.now += 4_999;
    expect(view.error).toBeDefined();
    clock.now += 1;
    expect(view.error).toBeUndefined();
  });

  it('a successful response replaces an error without data', async () => {
    const { held, fail, view, controller, get } = setUp();
    await fail(new StatusError(500));
    const fetched = controller.fetch(get, { id: 1 });
    await settled();
    held.call(1).resolve({ id: 1, title: 'one' });
    await fetched;
    expect(view.error).toBeUndefined();
    expect(controller.getError(get, { id: 1 })).toBeUndefined();
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('one');
  });

  it('a rejection without a reason is stored as an error', async () => {
    const { held, controller, get, view } = setUp();
    const fetched = controller.fetch(get, { id: 1 });
    await settled();
    held.call(0).reject(undefined);
    await expect(fetched).rejects.toBeUndefined();
    expect(view.error).toBeInstanceOf(Error);
  });

  it('an error without data is also thrown if the request was abandoned', async () => {
    const { fail, view } = setUp();
    const error = new DOMException('Given up', 'AbortError');
    await fail(error);
    expect(view.error).toBe(error);
  });

  it('an error without data does not hide rows from another endpoint', async () => {
    const { fail, controller, get } = setUp();
    controller.set(Article, { id: 1 }, { id: '1', title: 'from elsewhere' });
    await fail(new StatusError(500));
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('from elsewhere');
  });
});

describe('an error beside data', () => {
  const withData = async (setup: ReturnType<typeof setUp>): Promise<void> => {
    const { controller, get, held } = setup;
    const fetched = controller.fetch(get, { id: 1 });
    await settled();
    held.call(0).resolve({ id: 1, title: 'one' });
    await fetched;
  };

  it.each([0, 304, 500, 503])(
    'an error beside data is soft for status %i: the data is kept',
    async (status) => {
      const setup = setUp();
      await withData(setup);
      await setup.fail(new StatusError(status));
      expect(setup.view.error).toBeUndefined();
      expect(setup.controller.getResponse(setup.get, { id: 1 }).data?.title).toBe('one');
      expect(setup.controller.getError(setup.get, { id: 1 })).toMatchObject({ status });
    },
  );

  it.each([400, 401, 404, 410])('an error beside data is hard for status %i', async (status) => {
    const setup = setUp();
    await withData(setup);
    await setup.fail(new StatusError(status));
    expect(setup.view.error).toMatchObject({ status });
    expect(setup.controller.getResponse(setup.get, { id: 1 }).data).toBeUndefined();
  });

  it('an aborted request leaves data and error unchanged', async () => {
    const setup = setUp();
    await withData(setup);
    const before = setup.controller.getResponse(setup.get, { id: 1 });
    setup.clock.now += 10;
    await setup.fail(new DOMException('Given up', 'AbortError'));
    expect(setup.view.error).toBeUndefined();
    expect(setup.controller.getResponse(setup.get, { id: 1 })).toEqual(before);
    expect(setup.controller.getError(setup.get, { id: 1 })).toBeUndefined();
  });

  it('a request aborted with a custom reason leaves data and error unchanged', async () => {
    const giveUp = new AbortController();
    const held = new Held();
    const get = new RestEndpoint({ path: '/articles/:id', schema: Article, fetch: held.fetch });
    const controller = new Controller();
    controller.setResponse(get, { id: 1 }, { id: 1, title: 'one' });
    const fetched = controller.fetch(get.extend({ signal: giveUp.signal }), { id: 1 });
    await settled();
    giveUp.abort('Changed my mind');
    held.call(0).reject('Changed my mind');
    await expect(fetched).rejects.toBe('Changed my mind');
    expect(controller.getError(get, { id: 1 })).toBeUndefined();
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('one');
  });

  it('an error beside data is hard without a status', async () => {
    const setup = setUp();
    await withData(setup);
    await setup.fail(new Error('Broken code'));
    expect(setup.view.error).toMatchObject({ message: 'Broken code' });
  });

  it('errorPolicy decides about an error beside data, or leaves it to the default', async () => {
    const policies = { 404: 'soft', 500: 'hard' } as Record<number, ErrorPolicy>; // others are undefined
    const errorPolicy = (error: Error & { status?: number }): ErrorPolicy => policies[error.status ?? 0];
    for (const [status, isSoft] of [
      [404, true],
      [500, false],
      [503, true],
      [400, false],
    ] as const) {
      const setup = setUp({ errorPolicy });
      await withData(setup);
      await setup.fail(new StatusError(status));
      expect([status, setup.view.error === undefined]).toEqual([status, isSoft]);
    }
  });

  it('a successful response replaces a hard error', async () => {
    const setup = setUp();
    await withData(setup);
    const { controller, get, held } = setup;
    await setup.fail(new StatusError(404));
    const fetched = controller.fetch(get, { id: 1 });
    await settled();
    held.call(2).resolve({ id: 1, title: 'two' });
    await fetched;
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('two');
  });

  it('a read with a soft error is fetched again on the next mount, once the error has expired', async () => {
    const setup = setUp();
    await withData(setup);
    await setup.fail(new StatusError(500));
    expect(setup.view.shouldLoad).toBe(false);
    setup.clock.now += 1_000;
    expect(setup.view.shouldLoad).toBe(true);
    expect(setup.controller.getResponse(setup.get, { id: 1 }).data?.title).toBe('one');
  });

  it('the error of an earlier request does not hide the response of a later one', async () => {
    const { controller, get, held } = setUp();
    const mutation = new Endpoint(async () => null, { name: 'mutation', sideEffect: true });
    const early = controller.fetch(get, { id: 1 });
    await settled();
    await controller.fetch(mutation);
    const late = controller.fetch(get, { id: 1 });
    await settled();
    held.call(1).resolve({ id: 1, title: 'late' });
    await late;
    held.call(0).reject(new StatusError(404));
    await expect(early).rejects.toMatchObject({ status: 404 });
    expect(controller.getError(get, { id: 1 })).toBeUndefined();
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('late');
  });

  it('an error beside data does not end an invalidation', async () => {
    const setup = setUp();
    await withData(setup);
    setup.controller.invalidate(setup.get, { id: 1 });
    await setup.fail(new StatusError(500));
    expect(setup.controller.getResponse(setup.get, { id: 1 }).data).toBeUndefined();
    expect(setup.view.error).toMatchObject({ status: 500 });
  });
});

describe('an error of a mutation', () => {
  it('an error of a mutation rejects, and leaves no trace in reads', async () => {
    const controller = new Controller();
    const error = new StatusError(422);
    const update = new Endpoint(
      async (_: Params) => {
        throw error;
      },
      { name: 'update', schema: Article, sideEffect: true },
    );
    await expect(controller.fetch(update, { id: 1 })).rejects.toBe(error);
    expect([...controller.getState().results.entries()]).toEqual([]);
    // @ts-expect-error a mutation is no read
    expect(controller.getError(update, { id: 1 })).toBeUndefined();
  });
});

describe('an endpoint that throws before it returns a promise', () => {
  it('an endpoint that throws synchronously rejects like any other', async () => {
    const controller = new Controller();
    const get = new Endpoint(
      (_: Params): Promise<unknown> => {
        throw new Error('At once');
      },
      { name: 'get', schema: Article },
    );
    await expect(controller.fetch(get, { id: 1 })).rejects.toThrow('At once');
    expect(controller.getError(get, { id: 1 })).toMatchObject({ message: 'At once' });
  });
});

describe('setError', () => {
  it('setError writes like a failed request', () => {
    const { controller, get, clock, view } = setUp();
    const error = new StatusError(404);
    controller.setError(get, { id: 1 }, error);
    expect(controller.getError(get, { id: 1 })).toBe(error);
    expect(view.error).toBe(error);
    clock.now += 1_000;
    expect(view.error).toBeUndefined();
  });

  it('setError keeps data under a soft error', () => {
    const { controller, get } = setUp();
    controller.setResponse(get, { id: 1 }, { id: 1, title: 'one' });
    controller.setError(get, { id: 1 }, new StatusError(500));
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('one');
    controller.setError(get, { id: 1 }, new StatusError(404));
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
  });

  it('setError has no effect on an earlier snapshot', () => {
    const { controller, get } = setUp();
    const error = new StatusError(404);
    const before = controller.snapshot();
    controller.setError(get, { id: 1 }, error);
    const after = controller.snapshot();
    controller.setResponse(get, { id: 1 }, { id: 1 });
    expect([before.getError(get, { id: 1 }), after.getError(get, { id: 1 })]).toEqual([undefined, error]);
  });

  it('setError without a reason stores an error all the same', () => {
    const { controller, get } = setUp();
    controller.setError(get, { id: 1 }, undefined);
    expect(controller.getError(get, { id: 1 })).toEqual(new Error('Rejected without a reason'));
  });
});
