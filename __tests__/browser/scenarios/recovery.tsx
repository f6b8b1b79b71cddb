/** A page that shows whether it is connected and how many mutations it keeps, with the server at `?api=`. */
import { Controller, createResource, reachability } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, useOutbox } from 'holdfast/outbox';
import { DataProvider, useOnline } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { useEffect, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Note } from '../../support/entities.ts';

const search = new URLSearchParams(location.search);
const notes = createResource({
  urlPrefix: search.get('api') ?? '',
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
});
const box = outbox({ endpoints: [notes], onError: () => undefined });
const controller = new Controller({
  plugins: [
    indexedDB({ name: 'recovery' }),
    box,
    ...(search.has('reachability') ? [reachability()] : []),
    tabs({ name: 'recovery' }),
  ],
});

/** What the page has shown, and since when, in ms since the epoch. */
const shown: { readonly text: string; readonly at: number }[] = [];

function Status(): ReactElement {
  const isOnline = useOnline();
  const { pending } = useOutbox();
  const text = `${isOnline ? 'connected' : 'offline'}, ${pending.length} to be sent`;
  useEffect(() => void shown.push({ text, at: Date.now() }), [text]);
  return <p>{text}</p>;
}

const app = {
  shown,
  read: async (): Promise<void> => {
    await controller.fetch(notes.getList).catch(() => undefined);
  },
  create: async (text: string): Promise<void> => {
    await controller.fetch(notes.create, { text });
  },
};

declare global {
  var recoveryApp: typeof app;
}

await controller.ready;
globalThis.recoveryApp = app;
createRoot(document.getElementById('root')!).render(
  <DataProvider controller={controller}>
    <Status />
  </DataProvider>,
);
