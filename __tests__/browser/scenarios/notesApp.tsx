/** An app of notes with all plugins that work offline, and the server at `?api=`. */
import { Controller, createResource, reachability } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, useOutbox, type OutboxEntry } from 'holdfast/outbox';
import { DataProvider, useOnline } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { useEffect, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Note } from '../../support/entities.ts';

const search = new URLSearchParams(location.search);
const name = `notes ${search.get('name')}`;
const problems: string[] = [];
const notes = createResource({
  urlPrefix: search.get('api') ?? '',
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
});
const box = outbox({ endpoints: [notes], name, onError: ({ code }) => void problems.push(code) });
const controller = new Controller({
  plugins: [
    indexedDB({ name, persist: 'all' }),
    box,
    ...(search.has('reachability') ? [reachability()] : []),
    tabs({ name }),
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
  /** The codes of the errors that the outbox has reported. */
  problems,
  read: async (): Promise<void> => {
    await controller.fetch(notes.getList).catch(() => undefined);
  },
  texts: (): readonly string[] =>
    (controller.getResponse(notes.getList).data ?? []).map(({ text }) => text).sort(),
  create: async (text: string): Promise<void> => {
    await controller.fetch(notes.create, { text });
  },
  update: async (id: string, text: string): Promise<void> => {
    await controller.fetch(notes.partialUpdate, { id }, { text });
  },
  entries: (): readonly OutboxEntry[] => box.status.get().entries,
  edit: (key: string, text: string): boolean => box.edit(key, [{ text }]),
  resolve: box.resolve,
};

declare global {
  var notesApp: typeof app;
}

await controller.ready;
globalThis.notesApp = app;
createRoot(document.getElementById('root')!).render(
  <DataProvider controller={controller}>
    <Status />
  </DataProvider>,
);
