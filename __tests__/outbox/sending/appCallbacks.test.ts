import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createResource, Endpoint, Entity } from 'holdfast';
import {
  Device,
  endpointsOf,
  freshDatabases,
  makePage,
  Note,
  openPage,
  pending,
  Server,
  type Page,
} from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

let server: Server;

beforeEach(() => {
  server = new Server();
});

describe('callbacks that throw', () => {
  const thrown = new Error('The toast is not mounted');
  const fail = (): never => {
    throw thrown;
  };

  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  afterEach(() => {
    expect(console.error).toHaveBeenCalledWith(thrown);
    jest.restoreAllMocks();
  });

  it('an onError that throws does not keep mutations from being sent', async () => {
    server.weather = () => 401;
    const page = await openPage(server, new Device(), { onError: fail });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(pending(page)).toEqual(['Note.create']);
    server.weather = () => 'fine';
    expect(await page.box.resume()).toBe(true);
    await until(() => server.done.length > 0);
    expect(server.done).toEqual(['create one']);
  });

  it('a listener of the status that throws does not make a mutation fail', async () => {
    const page = await openPage(server, new Device());
    page.box.status.subscribe(fail);
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(server.done).toEqual(['create one']);
    expect(pending(page)).toEqual([]);
  });
});

it.each([
  ['discards it', ({ box }: Page) => box.status.get().entries.forEach(({ key }) => box.discard(key))],
  ['resets the controller', ({ controller }: Page) => void controller.reset()],
])(
  'a mutation is not kept on disk if a listener of the status %s as soon as it is listed',
  async (_, act) => {
    const device = new Device();
    const page = await openPage(server, device);
    device.isOnline = false;
    const unsubscribe = page.box.status.subscribe(() => {
      unsubscribe();
      act(page);
    });
    await expect(page.controller.fetch(page.notes.create, { text: 'one' })).rejects.toThrow();
    await page.leave();
    const next = await openPage(server, device);
    expect(next.box.status.get().entries).toEqual([]);
  },
);

it.each([
  ['with the storage plugin', true],
  ['with a database of its own', false],
])('a listener of the status that logs out at a 401 leaves nothing on disk, %s', async (_, withStorage) => {
  const device = new Device();
  const page = await openPage(server, device, { withStorage });
  const { status } = page.box;
  const unsubscribe = status.subscribe(() => {
    if (status.get().state !== 'needs-auth') return;
    unsubscribe();
    void page.controller.reset();
  });
  device.isOnline = false;
  await page.controller.fetch(page.notes.create, { text: "Ann's" });
  server.weather = () => 401;
  device.isOnline = true;
  await until(() => status.get().entries.length === 0);
  await page.leave();
  server.weather = () => 'fine';
  const next = await openPage(server, device, { withStorage });
  await next.box.drain();
  expect(next.box.status.get().entries).toEqual([]);
  expect(server.done).toEqual([]);
});

it('an onError that logs out because of args that do not fit any more leaves nothing on disk', async () => {
  const device = new Device();
  const { create } = endpointsOf(server);
  const page = await openPage(server, device, { endpoints: [create] });
  device.isOnline = false;
  await page.controller.fetch(create, { text: "Ann's" });
  await page.leave();
  const changed = create.extend({
    key: () => {
      throw new Error('The path has another parameter');
    },
  });
  const onError = jest.fn(() => void updated.controller.reset());
  const updated = await openPage(server, device, { endpoints: [changed], onError });
  device.isOnline = true;
  await until(() => onError.mock.calls.length > 0);
  await updated.leave();
  const next = await openPage(server, device);
  expect(next.box.status.get().entries).toEqual([]);
});

it('a prediction that the class of the app cannot show does not leave the caller waiting for ever', async () => {
  class Appointment extends Entity {
    id = '';
    when = new Date(0);
    static override key = 'Appointment';
    static override schema = {
      when: (text: string) => new Date(Date.parse(text) || fail(text)),
    };
  }
  const fail = (text: string): never => {
    throw new RangeError(`${text} is no date`);
  };
  const appointments = createResource({
    path: '/appointments/:id',
    schema: Appointment,
    optimistic: true,
  });
  const device = new Device();
  const page = await openPage(server, device, { endpoints: [appointments] });
  device.isOnline = false;
  const made = page.controller.fetch(appointments.create, { when: 'tomorrow' });
  expect(await made).toBeUndefined();
  expect(pending(page)).toEqual(['Appointment.create']);
});

describe('an onConflict that never settles, as a dialog that nobody answers', () => {
  it.each(['reset', 'stop'] as const)(
    'a conflict that the app is still resolving does not block %s()',
    async (end) => {
      const device = new Device();
      server.weather = ({ method }) => (method === 'GET' ? 'fine' : 409);
      const onConflict = jest.fn(() => new Promise<undefined>(() => undefined));
      const page = await openPage(server, device, { onConflict });
      page.controller.fetch(page.notes.create, { text: 'one' }).catch(() => undefined);
      await until(() => onConflict.mock.calls.length > 0);
      await page.controller[end]();
      server.weather = () => 'fine';
      const next = end === 'reset' ? page : await openPage(server, device);
      await next.controller.fetch(next.notes.create, { text: 'two' });
      await turn();
      expect(server.done).toEqual(end === 'reset' ? ['create two'] : ['create one', 'create two']);
      expect(page.errors).toEqual([]);
    },
  );
});

describe('options of plain JavaScript', () => {
  it('a single status in pauseOn counts like a list', async () => {
    server.weather = () => 403;
    const page = await openPage(server, new Device(), { pauseOn: 403 as never });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    expect(page.box.status.get().state).toBe('needs-auth');
    server.weather = () => 'fine';
    expect(await page.box.resume()).toBe(true);
    expect(server.done).toEqual(['create one']);
  });

  it.each([true, false])(
    'a mutation that returns no promise is executed once (registered: %s)',
    async (isRegistered) => {
      let count = 0;
      const save = new Endpoint(
        () => {
          count += 1;
          return { id: 5, text: 'saved' } as never;
        },
        { name: 'save', sideEffect: true, schema: Note },
      );
      const page = await openPage(server, new Device(), isRegistered ? { endpoints: [save] } : {});
      expect(await page.controller.fetch(save)).toMatchObject({ text: 'saved' });
      expect(pending(page)).toEqual([]);
      expect(count).toBe(1);
    },
  );

  it('a misspelled value of unsent keeps the mutations', async () => {
    server.weather = () => 'down';
    const page = await openPage(server, new Device());
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.reset({ unsent: 'kept' as never });
    server.weather = () => 'fine';
    await page.box.resume();
    await until(() => server.done.length > 0);
    expect(server.done).toEqual(['create one']);
  });

  it('a scope that is no string is refused with the option named', () => {
    expect(() => makePage(server, new Device(), { scope: 5 as never })).toThrow(
      expect.objectContaining({ code: 'HF_PLUGIN', message: expect.stringContaining('scope') as unknown }),
    );
  });
});
