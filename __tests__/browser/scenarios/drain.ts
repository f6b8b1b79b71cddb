import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';

class NoteWithEitherId extends Entity {
  id: number | string = '';
  text = '';
  static override key = 'Note';
}

const notes = createResource({
  path: '/notes/:id',
  schema: NoteWithEitherId,
  optimistic: true,
  dataExpiryLength: Infinity,
});

let isOnline = true;
Object.defineProperty(navigator, 'onLine', { get: () => isOnline });

const queue = outbox({ endpoints: [notes] });
const controller = new Controller({
  plugins: [indexedDB({ name: 'drain' }), queue, tabs({ name: 'drain' })],
});

/** What a test can have a page do. */
export interface DrainPage {
  /** Reads the list; resolves with its texts. */
  texts(): Promise<readonly string[]>;
  /** Creates a note and edits it twice; resolves once all of that is kept. */
  write(name: string): Promise<void>;
  setOnline(isOnline: boolean): void;
  /** Sends what is kept; resolves once nothing is pending. */
  drain(): Promise<void>;
}

declare global {
  var drainPage: DrainPage;
}

globalThis.drainPage = {
  texts: async () => (await controller.fetchIfStale(notes.getList)).map(({ text }) => text),
  async write(name) {
    const created = await controller.fetch(notes.create, { text: `${name} created` });
    for (const what of ['edited', 'edited again'])
      await controller.fetch(notes.partialUpdate, { id: created.id }, { text: `${name} ${what}` });
  },
  setOnline(to) {
    isOnline = to;
    dispatchEvent(new Event(to ? 'online' : 'offline'));
  },
  async drain() {
    while (!(await queue.drain()) || queue.status.get().pending.length > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  },
};
await controller.ready;
