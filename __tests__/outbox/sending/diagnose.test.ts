import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, NetworkError, reachability, type HoldfastError } from 'holdfast';
import { outbox, type OutboxOptions } from 'holdfast/outbox';
import { HttpResponse } from 'msw';
import { diagnose } from '../../../plugins/outbox/sending/diagnose.ts';
import { answer, prefix, startServer, type Received } from '../../support/server.ts';
import { FakeEnvironment, FakeTime } from '../../support/fakeTime.ts';
import { Note, Task } from '../../support/entities.ts';
import { until } from '../../support/turns.ts';

const server = startServer();
const NoteResource = createResource({
  urlPrefix: prefix,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
});
const TaskResource = createResource({
  urlPrefix: prefix,
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
});

let time: FakeTime;
let received: Received[];
/** What the browser fails before the server gets it, as where a preflight request is refused. */
let isRefused: (request: Received) => boolean;
/** The status of all other responses. */
let status: number;
let controller: Controller;
let errors: HoldfastError[];

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  time = new FakeTime();
  errors = [];
  status = 200;
  isRefused = ({ headers, url }) => headers.has('Idempotency-Key') && url.includes('/notes');
  received = answer(server, (request) => {
    if (isRefused(request)) return HttpResponse.error();
    if (status !== 200) return new HttpResponse(null, { status });
    if (request.method === 'HEAD') return new HttpResponse(null, { status: 405 });
    if (request.method === 'GET') return HttpResponse.json([]);
    return HttpResponse.json({ ...(JSON.parse(request.text) as object), id: '1' });
  });
});

const { timeout } = AbortSignal;
afterEach(() => void Object.assign(AbortSignal, { timeout }));
afterEach(() => controller.stop());

function open(options: Partial<OutboxOptions> = {}) {
  const box = outbox({
    endpoints: [NoteResource, TaskResource],
    queue: ({ name }) => name.split('.')[0]!,
    onError: (error) => void errors.push(error),
    random: () => 0,
    ...options,
  });
  const server = reachability({ environment: new FakeEnvironment(), random: () => 0 });
  controller = new Controller({ now: time.now, schedule: time.schedule, plugins: [box, server] });
  return box;
}

const writes = () => received.filter(({ method }) => method !== 'GET' && method !== 'HEAD');

describe('a server that does not allow the header with the key, in requests from another origin', () => {
  it('a blocked header blocks its queue, and the error names the header, the URL and the remedy', async () => {
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    await until(() => box.status.get().state === 'blocked');
    expect(box.status.get().entries).toMatchObject([{ status: 'blocked', attempts: 1 }]);
    const { message } = box.status.get().entries[0]!.error!;
    for (const part of [
      `POST ${prefix}/notes`,
      'Idempotency-Key',
      'Access-Control-Allow-Headers',
      'idempotencyHeader',
    ])
      expect(message).toContain(part);
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_BLOCKED', message: expect.stringContaining(message) }]);
  });

  it('a blocked header is found where there is no AbortSignal.timeout', async () => {
    Object.assign(AbortSignal, { timeout: undefined }); // as in Safari before 16
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    await until(() => box.status.get().state === 'blocked');
    expect(box.status.get().entries).toMatchObject([{ status: 'blocked', attempts: 1 }]);
  });

  it('a blocked header affects neither reads nor other queues, and the app stays online', async () => {
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    expect(controller.environment.isOnline).toBe(true);
    expect(await controller.fetch(TaskResource.create, { text: 'two' })).toMatchObject({
      id: '1',
      text: 'two',
    });
    expect(await controller.fetch(NoteResource.getList)).toMatchObject([{ text: 'one' }]);
    await until(() => box.status.get().state === 'blocked');
    expect(controller.environment.isOnline).toBe(true);
    expect(box.status.get().pending).toHaveLength(1);
  });

  it('a blocked header is reported once, and the mutation is retried and sent when the server allows the header', async () => {
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    await until(() => box.status.get().state === 'blocked');
    for (const wait of [500, 1_000]) {
      const before = writes().length;
      await until(() => (void time.pass(wait), writes().length > before));
    }
    await until(() => box.status.get().sending.length === 0);
    expect(errors).toHaveLength(1);
    expect(box.status.get().state).toBe('blocked');
    isRefused = () => false;
    expect(await box.resume()).toBe(true);
    expect(box.status.get().state).toBe('working');
  });

  it('a server that refuses the header never receives a mutation without its key', async () => {
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    await until(() => box.status.get().state === 'blocked');
    expect(new Set(writes().map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
    expect(writes().every(({ headers }) => headers.has('Idempotency-Key'))).toBe(true);
    const [probe] = received.filter(
      ({ headers, method }) => method === 'HEAD' && headers.has('Idempotency-Key'),
    );
    expect(probe?.headers.get('Idempotency-Key')).toBe('probe');
  });
});

describe('requests that get no answer while others do, for a reason that a page cannot see', () => {
  beforeEach(() => {
    isRefused = ({ method, url }) => method === 'POST' && url.includes('/notes');
  });

  it('requests that get no answer while others do, for a reason that a page cannot see, are reported as blocked only when it happens again and again', async () => {
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    const { length } = received;
    await until(() => received.length >= length);
    await until(() => (void time.pass(100), writes().length === 2));
    expect(box.status.get().state).toBe('working');
    expect(errors).toEqual([]);
    await until(() => (void time.pass(100), box.status.get().state === 'blocked'));
    expect(writes().length).toBeGreaterThanOrEqual(3);
    expect(errors).toMatchObject([
      { code: 'HF_OUTBOX_BLOCKED', message: expect.stringContaining('Idempotency-Key') },
    ]);
  });

  it('requests that get no answer while others do, for a reason that a page cannot see, are not reported where the server answers nothing', async () => {
    isRefused = () => true;
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    expect(controller.environment.isOnline).toBe(false);
    for (let count = 0; count < 10; count++) await time.pass(10_000);
    expect([box.status.get().state, errors]).toEqual(['working', []]);
  });
});

describe('a server that is down, behind a proxy that answers in its place', () => {
  const passOutage = () => until(() => (void time.pass(100), writes().length > 5));

  it.each([
    ['503', 503],
    ['429', 429],
  ])(
    'preflight requests that fail while others get a %s are no reason to report a block',
    async (_, down) => {
      status = down;
      const box = open();
      await controller.fetch(NoteResource.create, { text: 'one' });
      await passOutage();
      expect(writes().length).toBeGreaterThan(3);
      expect([box.status.get().state, errors]).toEqual(['working', []]);
      status = 200;
      isRefused = () => false;
      await time.pass(2_000);
      await until(() => box.status.get().pending.length === 0);
    },
  );

  it('responses that the page may not read are no reason to report a block', async () => {
    isRefused = ({ mode, url }) => mode !== 'no-cors' && url.includes('/notes');
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    await passOutage();
    expect([box.status.get().state, errors]).toEqual(['working', []]);
    isRefused = () => false;
    await until(() => (void time.pass(100), box.status.get().pending.length === 0));
  });

  it('responses that the page may not read are reported if the API responds to other requests in between', async () => {
    isRefused = ({ mode, url }) => mode !== 'no-cors' && url.includes('/notes');
    const box = open();
    await controller.fetch(NoteResource.create, { text: 'one' });
    for (let count = 0; count < 10; count++) {
      await controller.fetch(TaskResource.getList);
      await time.pass(10_000);
    }
    expect(box.status.get().state).toBe('blocked');
    expect(errors).toMatchObject([{ code: 'HF_OUTBOX_BLOCKED' }]);
  });
});

it('nothing is found out where there is no fetch', async () => {
  open();
  const { fetch } = globalThis;
  const error = new NetworkError('No connection', { status: 0, url: `${prefix}/notes`, method: 'POST' });
  try {
    Reflect.deleteProperty(globalThis, 'fetch');
    expect(await diagnose(error, undefined)).toBe('unreachable');
  } finally {
    globalThis.fetch = fetch;
  }
});
