/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { IDBFactory } from 'fake-indexeddb';
import {
  Controller,
  createResource,
  logout,
  RestEndpoint,
  type Environment,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, useOutbox, type OutboxPlugin } from 'holdfast/outbox';
import { DataProvider, useCache, useController } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { HttpResponse } from 'msw';
import { StrictMode, type ReactElement } from 'react';
import { answer, prefix, startServer, type Received } from '../support/server.ts';
import { Note } from '../support/entities.ts';

const server = startServer();

/** Who is signed in on this device now, as a module of the app knows it. */
let token: string | undefined;

class ApiEndpoint<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override getHeaders(headers: Record<string, string>) {
    return token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` };
  }
}

const NoteResource = createResource({
  urlPrefix: prefix,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  Endpoint: ApiEndpoint,
});

/** The device's network, which outlives every controller. */
class Network implements Environment {
  isVisible = true;
  #isOnline = true;
  readonly #listeners = new Set<() => void>();

  get isOnline(): boolean {
    return this.#isOnline;
  }
  set isOnline(isOnline: boolean) {
    this.#isOnline = isOnline;
    for (const listener of [...this.#listeners]) listener();
  }
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

let network: Network;
let received: Received[];
let valid: Set<string>;
let controller: Controller;
let box: OutboxPlugin;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  network = new Network();
  token = undefined;
  valid = new Set(['of ann', 'of bob']);
  let count = 0;
  received = answer(server, ({ method, text, headers }) => {
    if (!valid.has((headers.get('Authorization') ?? '').replace('Bearer ', '')))
      return HttpResponse.json({ error: 'Who are you?' }, { status: 401 });
    if (method === 'GET') return HttpResponse.json([]);
    return HttpResponse.json({ ...(JSON.parse(text) as object), id: String((count += 1)) });
  });
});

afterEach(cleanup);

const controllerOf = (user: string, withStorage: boolean): Controller => {
  box = outbox({ endpoints: [NoteResource], scope: user });
  return new Controller({
    environment: network,
    plugins: [
      logout(),
      ...(withStorage ? [indexedDB({ name: 'app', scope: user })] : []),
      box,
      tabs({ name: 'app', scope: user }),
    ],
  });
};

function Notes({ user }: { user: string }): ReactElement {
  controller = useController();
  const { pending, state } = useOutbox();
  const notes = useCache(NoteResource.getList) ?? [];
  return <p>{`${user}: ${notes.map(({ text }) => text).join()}; ${pending.length} ${state}`}</p>;
}

const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 30)));
const until = async (holds: () => boolean) => {
  while (!holds()) await settle();
};
/** The notes that have arrived, and whose token each carried. */
const sent = () =>
  received
    .filter(({ method }) => method === 'POST')
    .map(({ text, headers }) => [(JSON.parse(text) as Note).text, headers.get('Authorization')]);

describe.each([
  ['with the storage plugin', true],
  ['with a database of the outbox', false],
])('two users on one device, %s', (_, withStorage) => {
  const app = (user: string) => (
    <StrictMode>
      <DataProvider key={user} create={() => controllerOf(user, withStorage)}>
        <Notes user={user} />
      </DataProvider>
    </StrictMode>
  );

  it('queued mutations of one user are never sent with the token of the other', async () => {
    token = 'of ann';
    const { rerender, container } = render(app('ann'));
    await act(() => controller.fetch(NoteResource.getList));
    network.isOnline = false;
    await act(() => controller.fetch(NoteResource.create, { text: "Ann's" }));
    expect(container.textContent).toBe("ann: Ann's; 1 working");

    token = 'of bob';
    rerender(app('bob'));
    await settle();
    expect(container.textContent).toBe('bob: ; 0 working');
    network.isOnline = true;
    await act(() => controller.fetch(NoteResource.create, { text: "Bob's" }));
    await settle();
    expect(sent()).toEqual([["Bob's", 'Bearer of bob']]);

    token = 'of ann';
    rerender(app('ann'));
    await until(() => sent().length === 2 && box.status.get().pending.length === 0);
    expect(sent()[1]).toEqual(["Ann's", 'Bearer of ann']);
  });

  it('a user finds their unsent mutations after their token expired and another user signed in', async () => {
    token = 'of ann';
    const { rerender } = render(app('ann'));
    await act(() => controller.fetch(NoteResource.getList));
    network.isOnline = false;
    await act(() => controller.fetch(NoteResource.create, { text: "Ann's" }));
    // A background read finds out that the token has expired, and `logout` forgets everything.
    valid.delete('of ann');
    await act(() => controller.fetch(NoteResource.getList).catch(() => undefined));
    await settle();
    expect(box.status.get().entries).toEqual([]);

    token = 'of bob';
    rerender(app('bob'));
    network.isOnline = true;
    await settle();
    expect(sent()).toEqual([]);

    token = 'of ann, renewed';
    valid.add(token);
    rerender(app('ann'));
    await until(() => sent().length === 1 && box.status.get().pending.length === 0);
    expect(sent()).toEqual([["Ann's", 'Bearer of ann, renewed']]);
  });
});
