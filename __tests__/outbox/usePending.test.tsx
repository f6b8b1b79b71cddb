/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { outboxReason, usePending, type OutboxEntry } from 'holdfast/outbox';
import { DataProvider, useController, useSuspense } from 'holdfast/react';
import { Device, freshDatabases, openPage, Server, type Note, type Page } from '../support/outbox.ts';
import { until } from '../support/turns.ts';

freshDatabases();

let server: Server;
let device: Device;
let page: Page;
/** The texts of the rows in the order of their renders. */
let renders: string[];

function Row({ note }: { readonly note: Note }) {
  const pending = usePending(note);
  renders.push(note.text);
  return <li>{pending === undefined ? note.text : `${note.text}: ${pending.status}, ${pending.reason}`}</li>;
}

function List() {
  const controller = useController();
  const list = useSuspense(page.notes.getList);
  return list.map((note) => <Row key={controller.keyOf(note)} note={note} />);
}

const rows = (): (string | null)[] => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

const entries = (): readonly OutboxEntry[] => page.box.status.get().entries;

/** The device goes offline, and React has shown it. */
const goOffline = () =>
  act(async () => {
    device.isOnline = false;
  });

/** Waits until something holds, and React has shown it. */
const shown = (holds: () => boolean) => act(() => until(holds));

beforeEach(async () => {
  server = new Server();
  device = new Device();
  renders = [];
  page = await openPage(server, device);
  for (const text of ['one', 'two']) await page.controller.fetch(page.notes.create, { text });
  await page.controller.fetch(page.notes.getList);
  render(
    <DataProvider controller={page.controller}>
      <Suspense fallback="loading">
        <List />
      </Suspense>
    </DataProvider>,
  );
  await screen.findByText('one');
});

describe('usePending', () => {
  it('usePending says why a row is not on the server yet, until it is', async () => {
    await goOffline();
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' }));
    expect(rows()).toEqual([
      'edited: queued, You are offline. It is saved here and will be sent later.',
      'two',
    ]);
    server.weather = () => 503;
    await act(async () => {
      device.isOnline = true;
      await until(() => entries()[0]?.status === 'retrying');
    });
    expect(rows()).toEqual([
      'edited: retrying, The server has a problem. It will be sent as soon as the server works again.',
      'two',
    ]);
    server.weather = () => 'fine';
    await act(async () => page.box.drain());
    expect(rows()).toEqual(['edited', 'two']);
  });

  it('usePending renders only the rows whose entries change', async () => {
    renders = [];
    server.weather = () => 503;
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' }));
    await shown(() => entries()[0]?.status === 'retrying');
    expect(rows()[0]).toContain('retrying');
    renders = [];
    const { attempts } = entries()[0]!;
    await act(async () => {
      page.box.retry(entries()[0]!.key);
      await until(() => entries()[0]!.attempts > attempts);
    });
    expect(renders.length).toBeGreaterThan(0);
    expect(new Set(renders)).toEqual(new Set(['edited']));
  });

  it('usePending says that a conflict needs a decision', async () => {
    await goOffline();
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' }));
    const theirs = { id: 1, text: 'theirs' };
    server.weather = () => Response.json(theirs, { status: 409 });
    await act(async () => {
      device.isOnline = true;
      await until(() => entries()[0]?.status === 'conflict');
    });
    expect(rows()).toEqual([
      'one: conflict, Someone else has changed this too. Choose which version to keep.',
      'two',
    ]);
    await act(async () => page.box.resolve(entries()[0]!.key, 'theirs'));
    expect(rows()).toEqual(['theirs', 'two']);
  });

  it('usePending promises no moment for a change behind one that waits for a sign-in', async () => {
    server.weather = () => 401;
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' }));
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 2 }, { text: 'also edited' }));
    await shown(() => page.box.status.get().state === 'needs-auth');
    expect(rows()).toEqual([
      'edited: needs-auth, You are signed out. It will be sent once you sign in.',
      'also edited: queued, It waits to be sent.',
    ]);
  });

  it('usePending follows a created row from its temporary pk to that of the server', async () => {
    await goOffline();
    await act(() => page.controller.fetch(page.notes.create, { text: 'three' }));
    expect(rows()[2]).toMatch(/^three: queued/);
    await act(async () => {
      device.isOnline = true;
      await until(() => entries().length === 0);
    });
    expect(rows()).toEqual(['one', 'two', 'three']);
    expect(server.notes.size).toBe(3);
  });

  it('usePending accepts undefined, as in a detail without a choice, and then follows the entity', async () => {
    function Detail({ id }: { readonly id: number | null }) {
      const note = useSuspense(page.notes.get, id === null ? null : { id });
      const pending = usePending(note);
      return <p>{`${note?.text ?? 'none'}: ${pending?.status ?? 'saved'}`}</p>;
    }
    const app = (id: number | null) => (
      <DataProvider controller={page.controller}>
        <Detail id={id} />
      </DataProvider>
    );
    const { rerender } = render(app(null));
    expect(screen.queryByText('none: saved')).not.toBeNull();
    await goOffline();
    await act(async () => {
      await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'changed' });
    });
    rerender(app(1));
    expect(screen.queryByText('changed: queued')).not.toBeNull();
    rerender(app(null));
    expect(screen.queryByText('none: saved')).not.toBeNull();
  });

  it('usePending notices that the outbox was emptied', async () => {
    await goOffline();
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' }));
    const note = page.controller.getResponse(page.notes.getList).data![0]!;
    const pending = page.box.pendingFor(note);
    let calls = 0;
    pending.subscribe(() => (calls += 1));
    expect(pending.get()).toMatchObject({ status: 'queued', name: 'Note.partialUpdate' });
    await act(async () => {
      page.box.discard(entries()[0]!.key);
      await until(() => calls > 0);
    });
    expect(pending.get()).toBeUndefined();
    expect(rows()).toEqual(['one', 'two']);
  });
});

describe('the state of the outbox', () => {
  it('useOutbox counts entries by status, and names the creates that an entry waits for', async () => {
    await goOffline();
    const made = await act(() => page.controller.fetch(page.notes.create, { text: 'three' }));
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: made.id }, { text: 'edited' }));
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'ours' }));
    const [create, dependent] = entries();
    expect(dependent!.dependsOn).toEqual([create!.temporaryPk]);
    expect(create!.dependsOn).toEqual([]);
    expect(outboxReason(dependent!)).toBe('It waits for another change, which must be saved first.');
    expect(page.box.status.get().counts).toEqual({
      queued: 3,
      sending: 0,
      retrying: 0,
      'needs-auth': 0,
      blocked: 0,
      conflict: 0,
      failed: 0,
    });
    server.weather = ({ method, path }) => (method === 'POST' ? 422 : path === '/notes/1' ? 412 : 'fine');
    await act(async () => {
      device.isOnline = true;
      await until(() => page.box.status.get().failed.length === 2);
    });
    expect(page.box.status.get().counts).toMatchObject({ queued: 1, conflict: 1, failed: 1 });
    await act(async () => page.box.discard(create!.key));
    expect(page.box.status.get().counts).toMatchObject({ queued: 0, conflict: 1, failed: 0 });
    await act(() => page.controller.reset());
    expect(page.box.status.get().counts).toMatchObject({ queued: 0, conflict: 0, failed: 0 });
  });
});
