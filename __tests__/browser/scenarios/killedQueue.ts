import { Controller, createResource, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { Note } from '../../support/entities.ts';

/** What the last page reports once it has sent everything. */
export interface SentAll {
  /** How many mutations earlier pages had left. */
  readonly waiting: number;
  /** Of the notes in its list. */
  readonly texts: readonly string[];
  readonly errors: readonly string[];
}

const notes = createResource({
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  dataExpiryLength: Infinity,
});

const errors: string[] = [];
const onError = (error: HoldfastError): void => void errors.push(error.message);
const queue = outbox({ endpoints: [notes], onError });
const controller = new Controller({
  plugins: [indexedDB({ name: 'killedQueue', onError }), queue, tabs({ name: 'killedQueue' })],
});

/** Creates notes and edits them, forever, and reports to the server what the app was told is kept. */
async function write(): Promise<void> {
  for (;;) {
    const text = crypto.randomUUID();
    const { id } = await controller.fetch(notes.create, { text });
    navigator.sendBeacon(`/kept/${text}`);
    await controller.fetch(notes.partialUpdate, { id }, { text: `${text} edited` });
    navigator.sendBeacon(`/edited/${text}`);
  }
}

/** Sends what earlier pages have left. */
async function sendAll(): Promise<void> {
  const waiting = queue.status.get().pending.length;
  while (!(await queue.drain()) || queue.status.get().pending.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const list = await controller.fetch(notes.getList);
  const report: SentAll = { waiting, texts: list.map(({ text }) => text), errors };
  await fetch('/sent', { method: 'POST', body: JSON.stringify(report) });
}

await controller.ready;
await (location.search === '?send' ? sendAll() : write());
