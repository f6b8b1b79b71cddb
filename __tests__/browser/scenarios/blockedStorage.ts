import { Controller, createResource } from 'holdfast';
import { indexedDB as storage } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { Note } from '../../support/entities.ts';

const notes = createResource({
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  dataExpiryLength: Infinity,
});

const codes = new Set<string>();
const onError = ({ code }: { readonly code: string }): void => void codes.add(code);
const queue = outbox({ endpoints: [notes], onError });
const controller = new Controller({
  plugins: [storage({ name: 'blocked', onError }), queue, tabs({ name: 'blocked', onError })],
});

/** What a test can have the page do. */
export interface BlockedPage {
  /** Which of these the browser refuses. */
  refused(): Promise<readonly string[]>;
  text(): Promise<string>;
  /** Gives what is shown right after. */
  write(text: string): Promise<string>;
  /** Codes of what the plugins said. */
  codes(): readonly string[];
  pending(): number;
  drain(): Promise<boolean>;
}

declare global {
  var blockedPage: BlockedPage;
}

async function isRefused(use: () => unknown): Promise<boolean> {
  try {
    await use();
    return false;
  } catch {
    return true;
  }
}

const opening = (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('asked');
    request.onsuccess = resolve;
    request.onerror = () => reject(request.error ?? new Error('refused'));
  });

globalThis.blockedPage = {
  async refused() {
    const uses = {
      IndexedDB: opening,
      'Web Locks': () => navigator.locks.request('asked', () => undefined),
      BroadcastChannel: () => new BroadcastChannel('asked').close(),
    };
    const refused: string[] = [];
    for (const [name, use] of Object.entries(uses)) if (await isRefused(use)) refused.push(name);
    return refused;
  },
  text: async () => (await controller.fetchIfStale(notes.get, { id: '1' })).text,
  async write(text) {
    await controller.fetch(notes.partialUpdate, { id: '1' }, { text });
    return controller.get(Note, { id: '1' })?.text ?? '';
  },
  codes: () => [...codes].sort(),
  pending: () => queue.status.get().pending.length,
  drain: () => queue.drain(),
};
await controller.ready;
