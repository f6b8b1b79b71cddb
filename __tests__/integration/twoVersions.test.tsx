/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { Collection, Controller, createResource, type EndpointInterface } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { Note } from '../support/entities.ts';
import { pause } from '../support/indexedDB.ts';
import { answer, prefix, startServer } from '../support/server.ts';

// Tabs of two versions of an app, of which only the later one expects the list in an object. `tabs` has no `version`.

const server = startServer();
const controllers: Controller[] = [];

afterEach(async () => {
  cleanup();
  await Promise.all(controllers.splice(0).map((controller) => controller.stop()));
});

const resource = { urlPrefix: prefix, path: '/notes/:id', schema: Note } as const;
const earlier = createResource(resource).getList;
const later = createResource(resource).getList.extend({
  schema: { items: new Collection([Note]), next: '' },
  process: (items: unknown) => ({ items, next: '2' }),
});

function open(endpoint: EndpointInterface, onDisk: boolean): HTMLElement {
  const controller = new Controller({
    plugins: [...(onDisk ? [indexedDB({ name: 'app', persist: 'all' })] : []), tabs()],
  });
  controllers.push(controller);
  const Notes = () => JSON.stringify(useSuspense(endpoint));
  const { container } = render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="Loading…" children={<Notes />} />
    </DataProvider>,
  );
  return container;
}

it.each([false, true])(
  'each tab shows its own version of the list and requests it once (on disk: %p)',
  async (onDisk) => {
    const requests = answer(server, () =>
      requests.length > 10 ? Response.error() : Response.json([{ id: '1', text: 'Kelp' }]),
    );
    const first = open(earlier, onDisk);
    await act(() => pause(100));
    const second = open(later, onDisk);
    await act(() => pause(500));
    expect(requests).toHaveLength(2);
    expect(first.textContent).toBe('[{"id":"1","text":"Kelp"}]');
    expect(second.textContent).toBe('{"items":[{"id":"1","text":"Kelp"}],"next":"2"}');
  },
);
