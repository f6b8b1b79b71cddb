import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, type HoldfastError, type Plugin } from 'holdfast';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { http, HttpResponse } from 'msw';
import { FakeTime } from '../../support/fakeTime.ts';
import { prefix, startServer } from '../../support/server.ts';
import { Note } from '../../support/entities.ts';
import { until } from '../../support/turns.ts';
import { wrapErrors } from '../../support/wrapErrors.ts';

const server = startServer();
const PAGE = '<!doctype html><html><body><form>Sign in to the network</form></body></html>';
const NoteResource = createResource({
  urlPrefix: prefix,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
});

let time: FakeTime;
let box: OutboxPlugin;
let controller: Controller;
let deleted: string[];

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  time = new FakeTime();
  deleted = [];
  box = outbox({ endpoints: [NoteResource], random: () => 0, onError: () => undefined });
  controller = new Controller({ now: time.now, schedule: time.schedule, plugins: [box] });
  controller.setResponse(NoteResource.getList, [{ id: '1', text: 'one' }]);
});

afterEach(() => controller.stop());

const serves = (respond: () => Response): void =>
  server.use(
    http.delete(`${prefix}/notes/:id`, ({ params }) => {
      deleted.push(String(params['id']));
      return respond();
    }),
  );
const remove = () => controller.fetch(NoteResource.delete, { id: '1' });
const html = (status: number, url?: string): Response =>
  url === undefined
    ? new HttpResponse(PAGE, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
    : HttpResponse.redirect(url, status);

describe('a deletion that is not answered by the API', () => {
  it.each([
    ['a login page with status 200', () => html(200)],
    ['a page with status 403', () => html(403)],
    ['a page with status 404', () => html(404)],
    ['a redirect to a login page', () => html(303, 'https://portal.example/login')],
  ])('a deletion stays queued with its reason if the answer is %s', async (_, respond) => {
    server.use(http.get('https://portal.example/login', () => html(200)));
    serves(respond);
    await remove();
    expect(box.status.get()).toMatchObject({
      failed: [],
      pending: [{ name: 'Note.delete', attempts: 1, error: { message: expect.any(String) } }],
    });
    expect(controller.getResponse(NoteResource.getList).data).toEqual([]);
    expect(await box.drain()).toBe(false);
    server.resetHandlers();
    serves(() => HttpResponse.json({ id: '1' }));
    await until(() => (void time.pass(500), box.status.get().pending.length === 0));
    expect(deleted.length).toBeGreaterThan(1);
    expect(controller.get(Note, { id: '1' })).toBeUndefined();
  });
});

describe('an app that throws errors of its own', () => {
  beforeEach(async () => {
    await controller.stop();
    box = outbox({ endpoints: [NoteResource], random: () => 0, onError: () => undefined });
    controller = new Controller({ now: time.now, schedule: time.schedule, plugins: [box, wrapErrors] });
    controller.setResponse(NoteResource.getList, [{ id: '1', text: 'one' }]);
  });

  it.each([200, 403, 404])('a mutation stays queued if a web page with status %i answers', async (status) => {
    serves(() => html(status));
    await remove();
    expect(box.status.get()).toMatchObject({ failed: [], pending: [{ error: { reason: 'web-page' } }] });
    server.resetHandlers();
    serves(() => HttpResponse.json({ id: '1' }));
    await until(() => (void time.pass(500), box.status.get().pending.length === 0));
    expect(deleted.length).toBeGreaterThan(1);
  });

  it('a deletion of which the response was lost is not done if a web page answers 404', async () => {
    serves(() => HttpResponse.error());
    await remove();
    serves(() => html(404));
    await until(() => (void time.pass(500), box.status.get().entries[0]?.attempts !== 1));
    expect(box.status.get().entries).toMatchObject([{ attempts: 2, error: { reason: 'web-page' } }]);
  });
});

describe('a deletion that the API answers without JSON', () => {
  it.each([
    ['204', () => new HttpResponse(null, { status: 204 })],
    ['an empty 200', () => new HttpResponse(null, { status: 200 })],
    ['a text', () => new HttpResponse('OK', { headers: { 'content-type': 'text/plain' } })],
  ])('a deletion is done if the API answers %s', async (_, respond) => {
    serves(respond);
    await remove();
    expect(box.status.get().entries).toEqual([]);
    expect(deleted).toEqual(['1']);
  });
});

it('a change is done if the API answers a text', async () => {
  server.use(http.patch(`${prefix}/notes/1`, () => HttpResponse.text('OK')));
  await controller.fetch(NoteResource.partialUpdate, { id: '1' }, { text: 'two' });
  await box.drain();
  expect(box.status.get().entries).toEqual([]);
});

it('a 401 with a web page needs a sign-in, like any other 401', async () => {
  serves(() => html(401));
  await remove();
  expect(box.status.get().state).toBe('needs-auth');
});

let errors: HoldfastError[];
async function open(plugins: readonly Plugin[]): Promise<void> {
  await controller.stop();
  errors = [];
  box = outbox({ endpoints: [NoteResource], random: () => 0, onError: (error) => void errors.push(error) });
  controller = new Controller({ now: time.now, schedule: time.schedule, plugins: [box, ...plugins] });
  controller.setResponse(NoteResource.getList, [{ id: '1', text: 'one' }]);
}

/** Lets time pass until there have been so many attempts. */
const attempts = (count: number) =>
  until(() => (void time.pass(500), box.status.get().pending[0]?.attempts === count));

it('a file that is too large for the proxy of the server is rejected, although the proxy answers with a web page', async () => {
  server.use(http.patch(`${prefix}/notes/1`, () => html(413)));
  const saving = controller.fetch(NoteResource.partialUpdate, { id: '1' }, { text: 'long' });
  await expect(saving).rejects.toMatchObject({ status: 413 });
  expect(controller.get(Note, { id: '1' })).toMatchObject({ text: 'one' });
  expect(box.status.get().entries).toEqual([]);
});

describe('a web page that answers one mutation for ever, as of a firewall that does not like its body', () => {
  const FORBIDDEN = 403;
  beforeEach(async () => {
    await open([]);
    serves(() => html(FORBIDDEN));
    server.use(http.get(`${prefix}/notes`, () => HttpResponse.json([{ id: '1', text: 'one' }])));
  });

  it('a mutation is reported as blocked after three web pages if the API answers other requests in between', async () => {
    await remove();
    for (const count of [2, 3]) {
      expect(box.status.get().state).toBe('working');
      await controller.fetch(NoteResource.getList);
      await attempts(count);
    }
    expect(box.status.get()).toMatchObject({ state: 'blocked', failed: [] });
    expect(box.status.get().pending).toMatchObject([
      { status: 'blocked', attempts: 3, error: { message: expect.stringContaining('403') } },
    ]);
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_BLOCKED' }]);
    for (const part of ['Note.delete', `DELETE ${prefix}/notes/1`, 'web page', 'edit()', 'discard()'])
      expect(errors[0]?.message).toContain(part);
  });

  it('a blocked mutation is reported once, and sent when the web page is gone', async () => {
    await remove();
    for (const count of [2, 3, 4, 5]) {
      await controller.fetch(NoteResource.getList);
      await attempts(count);
    }
    expect(box.status.get()).toMatchObject({ state: 'blocked', pending: [{ status: 'blocked' }] });
    expect(errors).toHaveLength(1);
    server.resetHandlers();
    serves(() => HttpResponse.json({ id: '1' }));
    expect(await box.resume()).toBe(true);
    expect(box.status.get()).toMatchObject({ state: 'working', entries: [] });
  });

  it.each([
    ['as they are', []],
    ['wrapped in errors of the app', [wrapErrors]],
  ])('rejections by the API count as its answers too, %s', async (_, plugins) => {
    await open(plugins);
    server.use(http.get(`${prefix}/notes/7`, () => HttpResponse.json({ message: 'No' }, { status: 404 })));
    await remove();
    for (const count of [2, 3]) {
      await expect(controller.fetch(NoteResource.get, { id: '7' })).rejects.toMatchObject({ status: 404 });
      await attempts(count);
    }
    expect(box.status.get().state).toBe('blocked');
  });

  it('no mutation is reported as blocked while web pages answer everything, as in a captive portal', async () => {
    server.use(http.get(`${prefix}/notes`, () => html(FORBIDDEN)));
    await remove();
    for (const count of [2, 3, 4, 5]) {
      await expect(controller.fetch(NoteResource.getList)).rejects.toThrow('web page');
      await attempts(count);
    }
    expect([box.status.get().state, errors]).toEqual(['working', []]);
  });

  it('discarding a blocked mutation lets the others be sent', async () => {
    await remove();
    for (const count of [2, 3]) {
      await controller.fetch(NoteResource.getList);
      await attempts(count);
    }
    server.use(http.post(`${prefix}/notes`, () => HttpResponse.json({ id: '2', text: 'two' })));
    await controller.fetch(NoteResource.create, { text: 'two' });
    const [first] = box.status.get().pending;
    expect(box.discard(first!.key)).toBe(true);
    await until(() => box.status.get().entries.length === 0);
    expect(controller.get(Note, { id: '2' })).toMatchObject({ text: 'two' });
    expect(box.status.get().state).toBe('working');
  });
});

describe('a 500 that answers one mutation for ever, as of a violated constraint of the database', () => {
  const crash = () => HttpResponse.json({ message: 'Internal server error' }, { status: 500 });
  const list = () => HttpResponse.json([{ id: '1', text: 'one' }]);
  beforeEach(async () => {
    await open([]);
    serves(crash);
  });

  it('a mutation that the server cannot execute is reported once as blocked, if the API answers other requests', async () => {
    server.use(http.get(`${prefix}/notes`, list));
    await remove();
    for (const count of [2, 3]) {
      expect(box.status.get().state).toBe('working');
      await controller.fetch(NoteResource.getList);
      await attempts(count);
    }
    expect(box.status.get()).toMatchObject({
      state: 'blocked',
      pending: [{ status: 'blocked', error: { message: expect.stringContaining('500') } }],
    });
    await controller.fetch(NoteResource.getList);
    await attempts(4);
    expect(box.status.get().state).toBe('blocked');
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_BLOCKED' }]);
    const [first] = box.status.get().pending;
    expect(box.discard(first!.key)).toBe(true);
    expect(box.status.get().state).toBe('working');
  });

  it('it is sent within half a minute after the server can execute it again, as after an outage of its database', async () => {
    server.use(http.get(`${prefix}/notes`, list));
    await remove();
    for (const count of [2, 3]) {
      await controller.fetch(NoteResource.getList);
      await attempts(count);
    }
    await attempts(10);
    expect(box.status.get().state).toBe('blocked');
    const since = time.now();
    await attempts(11);
    expect(time.now() - since).toBeLessThanOrEqual(31_000);
  });

  it('no mutation is reported as blocked while the server answers everything with a 500', async () => {
    server.use(http.get(`${prefix}/notes`, crash));
    await remove();
    for (const count of [2, 3, 4, 5]) {
      await expect(controller.fetch(NoteResource.getList)).rejects.toMatchObject({ status: 500 });
      await attempts(count);
    }
    expect([box.status.get().state, errors]).toEqual(['working', []]);
  });
});
