import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, errorStatus, isUnanswered, logout, retry, type Plugin } from 'holdfast';
import { answered, noConnection, timedOut, type ClientError } from '../support/clientErrors.ts';
import { failure } from '../support/failure.ts';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
import { Device, freshDatabases, Note, openPage, pending, Server } from '../support/outbox.ts';
import { until } from '../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

/** Until it is stopped, every mutation rejects with this error, as from another client. */
function failWith(error: unknown): { stop: () => void } {
  const respond = server.respond;
  let isFailing = true;
  const failing = async (url: string, init: RequestInit): Promise<Response> => {
    if (isFailing && init.method !== 'GET') throw error;
    return respond(url, init);
  };
  Object.assign(server, { respond: failing });
  return { stop: () => (isFailing = false) };
}

const open = async () => {
  const page = await openPage(server, device);
  await page.controller.fetch(page.notes.getList);
  return page;
};

describe('mutations that another HTTP client sends', () => {
  it.each([...noConnection(), ...timedOut(), ...answered(503), ...answered(429)])(
    'a mutation stays queued and is sent later: $client, $error.message',
    async ({ error }) => {
      const client = failWith(error);
      const page = await open();
      await page.controller.fetch(page.notes.create, { text: 'one' });
      expect(page.texts()).toEqual(['one']);
      expect(pending(page)).toEqual(['Note.create']);
      client.stop();
      await until(() => (device.pass(1_000), pending(page).length === 0));
      expect(server.done).toEqual(['create one']);
    },
  );

  it.each(answered(401))('a mutation waits for a sign-in after a 401: $client', async ({ error }) => {
    failWith(error);
    const page = await open();
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(page.box.status.get()).toMatchObject({ state: 'needs-auth', pending: [{ status: 'needs-auth' }] });
  });

  it.each(answered(422))('a mutation that is rejected reaches its caller: $client', async ({ error }) => {
    failWith(error);
    const page = await open();
    expect(await failure(page.controller.fetch(page.notes.create, { text: 'one' }))).toBe(error);
    expect(page.texts()).toEqual([]);
    expect(pending(page)).toEqual([]);
  });

  it('a conflict of axios has the version of the server', async () => {
    const theirs = { id: 1, text: 'theirs' };
    const [axios] = answered(409, theirs);
    const client = failWith(noConnection()[0]!.error);
    const page = await open();
    await page.controller.fetch(page.notes.create, { text: 'one' });
    client.stop();
    failWith(axios!.error);
    await until(() => (device.pass(1_000), page.box.status.get().failed.length === 1));
    expect(page.box.status.get().failed[0]).toMatchObject({ status: 'conflict', theirs });
  });

  it('an error response that fetchResponse returns is not taken for success', async () => {
    const { respond } = server;
    let status = 503;
    const bare = (url: string, init: RequestInit): Promise<Response> =>
      init.method === 'GET' || status === 200
        ? respond(url, init)
        : Promise.resolve(new Response(null, { status }));
    Object.assign(server, { respond: bare });
    const page = await open();
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(pending(page)).toEqual(['Note.create']);
    status = 200;
    await until(() => (device.pass(1_000), pending(page).length === 0));
    expect(server.done).toEqual(['create one']);
  });
});

it('the function of an endpoint gets the idempotency key and the signal of an attempt', async () => {
  const seen: (RequestInit | undefined)[] = [];
  const save = new Endpoint(
    async function (note: { readonly text: string }): Promise<object> {
      seen.push(this.requestInit);
      return Promise.resolve(note);
    },
    { name: 'save', sideEffect: true },
  );
  const { controller } = await openPage(server, device, { endpoints: [save] });
  await controller.fetch(save, { text: 'one' });
  expect(seen).toHaveLength(1);
  expect(new Headers(seen[0]?.headers).get('Idempotency-Key')).toMatch(/.{8}/);
  expect(seen[0]?.signal).toBeInstanceOf(AbortSignal);
});

describe('reads by another HTTP client', () => {
  /** A read that succeeds once, and then rejects. */
  function reading(error: unknown, plugins: readonly Plugin[] = []) {
    const time = new FakeTime(Date.UTC(2026, 0, 1));
    const environment = new FakeEnvironment();
    let calls = 0;
    const getNote = new Endpoint(
      async (): Promise<object> => {
        calls += 1;
        if (calls > 1) throw error;
        return Promise.resolve({ id: 1, text: 'one' });
      },
      { name: 'getNote', schema: Note },
    );
    const controller = new Controller({ now: time.now, schedule: time.schedule, environment, plugins });
    return { time, controller, getNote, calls: () => calls };
  }

  it.each([...noConnection(), ...answered(503)])(
    'what is on screen stays after a failed refresh: $client',
    async ({ error }: ClientError) => {
      const { controller, getNote } = reading(error);
      await controller.fetch(getNote);
      expect(await failure(controller.fetch(getNote))).toBe(error);
      expect(controller.getError(getNote)).toBe(error);
      expect(controller.getResponse(getNote).data?.text).toBe('one');
    },
  );

  it.each(timedOut())(
    'what is on screen stays if there is no response in time: $client',
    async ({ error }) => {
      const { controller, getNote } = reading(error);
      await controller.fetch(getNote);
      expect(await failure(controller.fetch(getNote))).toBe(error);
      expect(controller.getResponse(getNote).data?.text).toBe('one');
    },
  );

  it.each(answered(404))('a rejection replaces what is on screen: $client', async ({ error }) => {
    const { controller, getNote } = reading(error);
    await controller.fetch(getNote);
    await failure(controller.fetch(getNote));
    expect(controller.getResponse(getNote).data).toBeUndefined();
  });

  it.each([...timedOut(), ...answered(503)])(
    'retry repeats a read: $client, $error.message',
    async ({ error }) => {
      const { controller, getNote, time, calls } = reading(error, [retry({ attempts: 2 })]);
      await controller.fetch(getNote);
      const fetched = failure(controller.fetch(getNote));
      await until(() => time.timers === 1);
      await time.pass(1_000);
      expect(await fetched).toBe(error);
      expect(calls()).toBe(3);
    },
  );

  it.each(answered(401))('logout recognizes a 401: $client', async ({ error }) => {
    const seen: unknown[] = [];
    const { controller, getNote, time } = reading(error, [
      logout({ onLogout: (each) => void seen.push(each) }),
    ]);
    await controller.fetch(getNote);
    await failure(controller.fetch(getNote));
    await time.pass(0);
    await until(() => seen.length > 0);
    expect(seen).toEqual([error]);
  });
});

describe('errorStatus', () => {
  it.each(answered(422))('errorStatus finds the status of a response: $client', ({ error }) => {
    expect(errorStatus(error)).toBe(422);
    expect(isUnanswered(error)).toBe(false);
  });

  it.each([...noConnection(), ...timedOut()])(
    'isUnanswered recognizes a lost connection: $client',
    ({ error }) => {
      expect(isUnanswered(error)).toBe(true);
      expect(errorStatus(error) ?? 0).toBe(0);
    },
  );

  it.each([undefined, null, 'text', 404, {}, new Error('Wrong'), { response: null, cause: null }])(
    'errorStatus is undefined for other values: %p',
    (value) => {
      expect(errorStatus(value)).toBeUndefined();
      expect(isUnanswered(value)).toBe(false);
    },
  );

  it('an error that is its own cause has no status', () => {
    const error = new Error('Round');
    error.cause = error;
    expect(errorStatus(error)).toBeUndefined();
  });
});
