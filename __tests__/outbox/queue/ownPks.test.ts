import { beforeEach, expect, it } from '@jest/globals';
import {
  Device,
  endpointsOf,
  freshDatabases,
  openPage,
  pending,
  type Page,
  type PageOptions,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

interface StoredNote {
  readonly id: string;
  readonly text: string;
}

/** A server that takes the pk of a note from the body. */
class OwnPks {
  readonly notes = new Map<string, StoredNote>();
  readonly seen: string[] = [];
  /** The status of its response to a create with the text `one`; undefined if it creates the note. */
  rejection: number | undefined;
  /** Settles before it responds to a create. */
  delay: Promise<void> = Promise.resolve();

  readonly respond = async (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const sent = JSON.parse((body as string | undefined) ?? '{}') as Partial<StoredNote>;
    if (method === 'GET') return Response.json([...this.notes.values()]);
    this.seen.push(`${method} ${sent.text ?? ''}`.trim());
    const isCreate = method === 'POST' || method === 'PUT';
    if (isCreate) {
      await this.delay;
      if (this.rejection !== undefined && sent.text === 'one')
        return Response.json({}, { status: this.rejection });
    }
    const id = method === 'POST' ? String(sent.id) : (url.split('/').at(-1) ?? '');
    const before = this.notes.get(id);
    if (!isCreate && before === undefined) return Response.json({}, { status: 404 });
    const note = { text: '', ...before, ...sent, id };
    this.notes.set(id, note);
    return Response.json(note);
  };
}

let server: OwnPks;
let device: Device;

beforeEach(() => {
  server = new OwnPks();
  device = new Device();
});

/** A page on which a note was created and edited while offline; the server rejects the create now. */
async function withRejectedCreate(status: number): Promise<Page> {
  const page = await createdOffline();
  server.rejection = status;
  device.isOnline = true;
  await until(() => page.box.status.get().failed.length > 0 && !page.box.status.get().sending.length);
  return page;
}

async function createdOffline(options?: PageOptions): Promise<Page> {
  const page = await openPage(server, device, options);
  await page.controller.fetch(page.notes.getList);
  device.isOnline = false;
  await page.controller.fetch(page.notes.create, { id: 'n', text: 'one' });
  await page.controller.fetch(page.notes.partialUpdate, { id: 'n' }, { text: 'two' });
  expect(page.texts()).toEqual(['two']);
  return page;
}

it('an edit of an entity whose create was rejected is sent after a retry of the create, also after a reload', async () => {
  const page = await withRejectedCreate(422);
  expect(page.texts()).toEqual([]);
  expect(pending(page)).toEqual(['Note.partialUpdate']);
  expect(server.seen).toEqual(['POST one']);
  await page.leave();

  const next = await openPage(server, device);
  await next.controller.fetch(next.notes.getList);
  expect(pending(next)).toEqual(['Note.partialUpdate']);
  server.rejection = undefined;
  next.box.retry(next.box.status.get().failed[0]!.key);
  expect(next.texts()).toEqual(['two']);
  await until(() => next.box.status.get().entries.length === 0);
  expect(server.seen).toEqual(['POST one', 'POST one', 'PATCH two']);
  expect(next.texts()).toEqual(['two']);
});

it('an edit of an entity whose create was rejected is discarded with it', async () => {
  const page = await withRejectedCreate(422);
  page.box.discard(page.box.status.get().failed[0]!.key);
  expect(page.box.status.get().entries).toEqual([]);
  expect(server.seen).toEqual(['POST one']);
});

it('an edit is sent although the create is in conflict, since the server has an entity with that pk', async () => {
  server.notes.set('n', { id: 'n', text: 'of a lost response' });
  const page = await withRejectedCreate(409);
  await until(() => pending(page).length === 0);
  expect(server.seen).toEqual(['POST one', 'PATCH two']);
  expect(page.texts()).toEqual(['two']);
});

it('edits follow a second create with the pk of a rejected one', async () => {
  const page = await withRejectedCreate(422);
  server.rejection = undefined;
  await page.controller.fetch(page.notes.create, { id: 'n', text: 'corrected' });
  await page.controller.fetch(page.notes.partialUpdate, { id: 'n' }, { text: 'corrected and edited' });
  await until(() => pending(page).length === 0);
  expect(server.notes.get('n')?.text).toBe('corrected and edited');
});

it('edits follow the later one of two creates with one pk, also if the earlier one is edited and rejected again', async () => {
  const page = await withRejectedCreate(422);
  device.isOnline = false;
  await page.controller.fetch(page.notes.create, { id: 'n', text: 'corrected' });
  page.box.edit(page.box.status.get().failed[0]!.key, [{ id: 'n', text: 'one' }]);
  await page.controller.fetch(page.notes.partialUpdate, { id: 'n' }, { text: 'corrected and edited' });
  device.isOnline = true;
  await until(() => server.seen.includes('POST corrected') && page.box.status.get().sending.length === 0);
  await until(() => pending(page).length === 0);
  expect(server.notes.get('n')?.text).toBe('corrected and edited');
});

it('an edit in another queue waits for the create', async () => {
  let respond = (): void => undefined;
  server.delay = new Promise((resolve) => (respond = resolve));
  const page = await createdOffline({ queue: ({ name }) => name });
  device.isOnline = true;
  await until(() => server.seen.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(server.seen).toEqual(['POST one']);
  respond();
  await until(() => pending(page).length === 0);
  expect(server.seen).toEqual(['POST one', 'PATCH two']);
});

it('a create by PUT is shown under the pk in its path, and edits wait for it', async () => {
  const notes = endpointsOf(server).extend((base) => ({
    create: base.create.extend({ method: 'PUT', path: '/notes/:id' }),
  }));
  const page = await openPage(server, device, { endpoints: [notes] });
  const shown = () => page.controller.getResponse(notes.getList).data;
  await page.controller.fetch(notes.getList);
  device.isOnline = false;
  await page.controller.fetch(notes.create, { id: 'n' }, { text: 'one' });
  expect(shown()).toMatchObject([{ id: 'n', text: 'one' }]);
  await page.controller.fetch(notes.partialUpdate, { id: 'n' }, { text: 'two' });
  expect(shown()).toMatchObject([{ id: 'n', text: 'two' }]);
  server.rejection = 422;
  device.isOnline = true;
  await until(() => page.box.status.get().failed.length > 0);
  server.rejection = undefined;
  page.box.retry(page.box.status.get().failed[0]!.key);
  await until(() => page.box.status.get().entries.length === 0);
  expect(server.seen).toEqual(['PUT one', 'PUT one', 'PATCH two']);
  expect(shown()).toMatchObject([{ id: 'n', text: 'two' }]);
});
