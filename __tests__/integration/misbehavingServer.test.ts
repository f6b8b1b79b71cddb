import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { Device } from '../support/outbox.ts';
import { FaultServer, type Fault } from '../support/FaultServer.ts';
import { Note } from '../support/entities.ts';
import { until } from '../support/turns.ts';

const resourceAt = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/notes/:id',
    schema: Note,
    optimistic: true,
    dataExpiryLength: Infinity,
  });

interface Page {
  readonly controller: Controller;
  readonly box: OutboxPlugin;
  readonly notes: ReturnType<typeof resourceAt>;
  readonly errors: HoldfastError[];
}

let server: FaultServer;
let device: Device;
let origin: string;
let token: string;
let page: Page;

async function open(): Promise<Page> {
  const notes = resourceAt(origin);
  const errors: HoldfastError[] = [];
  const onError = (error: HoldfastError): void => void errors.push(error);
  const box = outbox({
    endpoints: [notes],
    init: () => ({ headers: { Authorization: token } }),
    random: () => 0,
    onError,
  });
  const controller = new Controller({
    plugins: [indexedDB({ name: 'app', onError }), box],
    environment: device,
    schedule: device.schedule,
    now: () => device.now,
  });
  await controller.ready;
  return { controller, box, notes, errors };
}

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  server = new FaultServer();
  origin = await server.start();
  device = new Device();
  token = 'token';
  page = await open();
});
afterEach(async () => {
  await page.controller.stop();
  await server.stop();
});

/** Lets time pass to the next timer, again and again, except while the server is answering, until something holds. */
const passUntil = (holds: () => boolean): Promise<void> =>
  until(() => {
    if (page.box.status.get().sending.length === 0 || server.hanging > 0) device.pass(device.next ?? 1_000);
    return holds();
  });
const sent = (): Promise<void> => passUntil(() => page.box.status.get().pending.length === 0);

const titles = (): unknown => page.controller.getResponse(page.notes.getList).data?.map(({ text }) => text);

const faults: readonly Fault[] = [
  { kind: 'hang' },
  { kind: 'page', status: 200 },
  { kind: 'page', status: 403 },
  { kind: 'page', status: 404 },
  { kind: 'page', status: 502 },
  { kind: 'redirect' },
  { kind: 'dropBefore' },
  { kind: 'dropAfter' },
  { kind: 'status', status: 500 },
  ...['0', '-1', '0.5', 'soon', '', '2', 'Fri, 31 Dec 9999 23:59:59 GMT'].map((after): Fault => ({
    kind: 'status',
    status: 503,
    after,
  })),
  { kind: 'status', status: 429, after: '1' },
];

const named = (given: readonly Fault[]): [string, Fault][] =>
  given.map((fault) => [Object.values(fault).join(' '), fault]);

describe('a queue of mutations', () => {
  /** Asks, offline, for three mutations of one note and one of another. */
  async function queue(): Promise<void> {
    const { controller, notes } = page;
    device.isOnline = false;
    const note = await controller.fetch(notes.create, { text: 'one' });
    await controller.fetch(notes.partialUpdate, { id: note.id }, { text: 'two' });
    await controller.fetch(notes.create, { text: 'other' });
    await controller.fetch(notes.delete, { id: note.id });
    device.isOnline = true;
  }
  const all = ['create one', 'edit two', 'create other', 'delete two'];

  it.each(named(faults))(
    'a queue of mutations arrives once and in order when each one first fails with: %s',
    async (_, fault) => {
      server.mutations = all.flatMap(() => [fault, undefined]);
      await queue();
      await sent();
      expect(server.mutations).toEqual([]);
      expect(server.done).toEqual(all);
      expect(page.box.status.get().entries).toEqual([]);
      expect([...server.notes.values()].map(({ text }) => text)).toEqual(['other']);
    },
  );

  it('a queue of mutations arrives once and in order through every failure, with a reload in between', async () => {
    server.mutations = [...faults];
    await queue();
    await passUntil(() => server.mutations.length < faults.length / 2);
    await page.controller.stop();
    page = await open();
    await sent();
    expect(server.mutations).toEqual([]);
    expect(server.done).toEqual(all);
    expect(page.box.status.get()).toMatchObject({ entries: [], state: 'working' });
  });

  it('a queue of mutations waits when the token expires midway, and continues in order after sign-in', async () => {
    server.token = 'token';
    const { controller, notes, box, errors } = page;
    const note = await controller.fetch(notes.create, { text: 'one' });
    server.token = 'renewed';
    await controller.fetch(notes.partialUpdate, { id: note.id }, { text: 'two' });
    await controller.fetch(notes.create, { text: 'other' });
    expect(await box.drain()).toBe(false);
    expect(box.status.get()).toMatchObject({ state: 'needs-auth', pending: [{}, {}], failed: [] });
    expect(errors.map(({ code }) => code)).toEqual(['HF_OUTBOX_AUTH']);
    expect(server.done).toEqual(['create one']);
    token = 'renewed';
    expect(await box.resume()).toBe(true);
    expect(server.done).toEqual(['create one', 'edit two', 'create other']);
  });

  it('a 204 confirms the optimistic change', async () => {
    server.mutations = [{ kind: 'empty' }];
    const note = { id: '7', text: 'seven' };
    server.notes.set('7', note);
    await page.controller.fetch(page.notes.getList);
    await page.controller.fetch(page.notes.partialUpdate, { id: '7' }, { text: 'changed' });
    expect(page.box.status.get().entries).toEqual([]);
    expect(titles()).toEqual(['changed']);
    expect(server.done).toEqual(['edit changed']);
  });

  it.each(named(faults.filter(({ kind }) => kind === 'status')))(
    'a mutation is not sent in a hot loop after a response of %s',
    async (_, fault) => {
      server.mutations = Array<Fault>(50).fill(fault);
      await page.controller.fetch(page.notes.create, { text: 'one' });
      for (let ms = 0; ms < 400; ms += 10) {
        device.pass(10);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(server.seen).toHaveLength(1);
    },
  );
});

describe('a read', () => {
  beforeEach(async () => {
    server.notes.set('1', { id: '1', text: 'one' });
    await page.controller.fetch(page.notes.getList);
    await page.controller.flush();
  });

  const isOk = (fault: Fault): boolean =>
    fault.kind === 'empty' || fault.kind === 'redirect' || (fault.kind === 'page' && fault.status === 200);
  const broken = faults.filter(
    (fault) => fault.kind !== 'hang' && !('status' in fault && fault.status === 429),
  );

  it.each(named([...broken, { kind: 'empty' }]))(
    'a read leaves stored data readable, with the error next to it, after: %s',
    async (_, fault) => {
      const { controller, notes } = page;
      server.reads = [fault];
      const isPage = fault.kind === 'page' || fault.kind === 'redirect';
      await expect(controller.fetch(notes.getList)).rejects.toMatchObject({
        code: isOk(fault) ? 'HF_SHAPE' : 'HF_NETWORK',
      });
      expect(titles()).toEqual(['one']);
      if (isPage) expect(controller.getError(notes.getList)).toMatchObject({ isFromApi: false });
      else expect(controller.getError(notes.getList)).toBeDefined();
      // So it is after a reload.
      await controller.flush();
      await controller.stop();
      page = await open();
      expect(await page.controller.fetchIfStale(page.notes.getList)).toMatchObject([{ text: 'one' }]);
      server.notes.set('2', { id: '2', text: 'two' });
      await page.controller.fetch(page.notes.getList);
      expect(titles()).toEqual(['one', 'two']);
      expect(page.controller.getError(page.notes.getList)).toBeUndefined();
    },
  );

  it('a read without a response leaves stored data readable, and ends with its signal', async () => {
    const { controller, notes } = page;
    server.reads = [{ kind: 'hang' }];
    const hanging = new AbortController();
    const read = controller.fetch(notes.getList.extend({ signal: hanging.signal }));
    await until(() => server.seen.at(-1) === 'GET hang');
    expect(titles()).toEqual(['one']);
    hanging.abort();
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    expect(titles()).toEqual(['one']);
    await controller.fetch(notes.getList);
    expect(controller.getError(notes.getList)).toBeUndefined();
  });

  it.each([403, 429])('a read that the API rejects follows the error policy: %i', async (status) => {
    const { controller, notes } = page;
    server.reads = [{ kind: 'status', status }];
    await expect(controller.fetch(notes.getList)).rejects.toMatchObject({ status, isFromApi: true });
    expect(controller.getError(notes.getList)).toMatchObject({ status });
    expect(titles()).toBeUndefined();
    const soft = notes.getList.extend({ errorPolicy: () => 'soft' as const });
    expect(controller.getResponse(soft).data).toMatchObject([{ text: 'one' }]);
  });
});
