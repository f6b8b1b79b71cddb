/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { memo, Suspense, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { Controller } from 'holdfast';
import { useOutbox } from 'holdfast/outbox';
import { DataProvider, ErrorBoundary, useController, useSuspense } from 'holdfast/react';
import { Device, freshDatabases, openPage, Server, type Note, type Page } from '../support/outbox.ts';
import { until } from '../support/turns.ts';

freshDatabases();

/** Shows the list and what is pending; counts how often a row is mounted. */
function mount(page: Page): { readonly mounted: string[] } {
  const mounted: string[] = [];
  function Row({ text }: { readonly text: string }) {
    useEffect(() => void mounted.push(text), []); // oxlint-disable-line react/exhaustive-deps -- once a mount
    return <li>{text}</li>;
  }
  function App() {
    const controller = useController();
    const list = useSuspense(page.notes.getList);
    const { pending, failed, isPending } = useOutbox();
    return (
      <>
        <p>{`${pending.length} pending, ${failed.length} failed`}</p>
        <ul>
          {list.map((note) => (
            <Row key={controller.keyOf(note)} text={isPending(note) ? `${note.text} (pending)` : note.text} />
          ))}
        </ul>
      </>
    );
  }
  render(
    <DataProvider controller={page.controller}>
      <Suspense fallback="loading">
        <App />
      </Suspense>
    </DataProvider>,
  );
  return { mounted };
}

describe('useOutbox', () => {
  it('useOutbox lists pending mutations until they are sent, and rows keep their place on screen', async () => {
    const server = new Server();
    const device = new Device();
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    const { mounted } = mount(page);
    await screen.findByText('0 pending, 0 failed');
    device.isOnline = false;
    await act(async () => {
      await page.controller.fetch(page.notes.create, { text: 'one' });
    });
    expect(screen.getByText('1 pending, 0 failed')).toBeTruthy();
    const item = screen.getByText('one (pending)');
    await act(async () => {
      device.isOnline = true;
      await until(() => page.box.status.get().pending.length === 0);
    });
    expect(screen.getByText('0 pending, 0 failed')).toBeTruthy();
    expect(item.textContent).toBe('one');
    expect(mounted).toEqual(['one (pending)']);
  });

  it('isPending and pendingFor of useOutbox differ after a change, so memoized components ask them again', async () => {
    const device = new Device();
    const page = await openPage(new Server(), device);
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.fetch(page.notes.getList);
    type Asks = Pick<ReturnType<typeof useOutbox>, 'isPending' | 'pendingFor'>;
    // React Compiler memoizes in the same way: by the functions and the entity.
    const Badge = memo(function Badge({ note, isPending, pendingFor }: Asks & { readonly note: Note }) {
      return <p>{`${note.text}: ${isPending(note)}, ${pendingFor(note).get()?.status}`}</p>;
    });
    function App() {
      const { isPending, pendingFor } = useOutbox();
      const notes = useSuspense(page.notes.getList);
      return notes.map((note) => <Badge key={note.id} {...{ note, isPending, pendingFor }} />);
    }
    render(
      <DataProvider controller={page.controller}>
        <App />
      </DataProvider>,
    );
    device.isOnline = false;
    await act(() => page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' }));
    expect(screen.getByText('edited: true, queued')).toBeTruthy();
    await act(async () => {
      device.isOnline = true;
      await page.box.drain();
    });
    expect(screen.getByText('edited: false, undefined')).toBeTruthy();
  });

  it('useOutbox throws an error that names the missing outbox', async () => {
    const { error } = console;
    console.error = () => undefined; // React reports every error that a boundary catches
    function Missing() {
      useOutbox();
      return null;
    }
    render(
      <DataProvider controller={new Controller()}>
        <ErrorBoundary fallbackComponent={({ error: caught }) => <p>{String(caught)}</p>}>
          <Missing />
        </ErrorBoundary>
      </DataProvider>,
    );
    expect(screen.getByText(/HF_PLUGIN/)).toBeTruthy();
    console.error = error;
  });

  it('a page of the server with useOutbox hydrates while mutations wait in the browser', async () => {
    const device = new Device();
    device.isOnline = false;
    const page = await openPage(new Server(), device);
    function Waiting() {
      return <p>{`${useOutbox().pending.length} pending`}</p>;
    }
    const app = (controller: Controller) => (
      <DataProvider controller={controller}>
        <Waiting />
      </DataProvider>
    );
    const root = document.createElement('div');
    root.innerHTML = renderToString(app(page.controller));
    expect(root.textContent).toBe('0 pending');
    await page.controller.fetch(page.notes.create, { text: 'one' });
    const mismatches: unknown[] = [];
    const onRecoverableError = (error: unknown) => void mismatches.push(error);
    const hydrated = await act(async () => hydrateRoot(root, app(page.controller), { onRecoverableError }));
    expect(mismatches).toEqual([]);
    expect(root.textContent).toBe('1 pending');
    act(() => hydrated.unmount());
  });
});
