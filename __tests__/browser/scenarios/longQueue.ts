import { Controller, createResource, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { Note } from '../../support/entities.ts';

/** What the test asks of the page. */
export interface LongQueuePage {
  /** Resolves with the texts of the list that is shown, once there are so many: a database may open late. */
  texts(count?: number): Promise<readonly string[]>;
  /** Creates so many notes; resolves once all of them are kept. */
  create(count: number): Promise<void>;
  /** Sends what is kept; resolves with the texts that the server got, in order. */
  drain(): Promise<readonly string[]>;
  /** The longest task since this was last asked, in ms, of those of 50 ms and more; 0 where there was none. */
  longestTask(): Promise<number>;
}

/** Offline for the queue, until the test says otherwise, while the page itself comes from its server. */
Object.defineProperty(navigator, 'onLine', { get: () => 'isOnline' in globalThis });

/** A server in the page: what is measured is the page's own work, not the network's. */
class LocalEndpoint extends RestEndpoint {
  override fetchResponse(_url: string, init: RequestInit): Promise<Response> {
    if (init.method !== 'POST') return Promise.resolve(Response.json([]));
    const { text } = JSON.parse(init.body as string) as { text: string }; // as `create` wrote it
    received.push(text);
    return Promise.resolve(Response.json({ id: `server-${text}`, text }, { status: 201 }));
  }
}
const received: string[] = [];
const notes = createResource({
  path: '/notes/:id',
  schema: Note,
  Endpoint: LocalEndpoint,
  optimistic: true,
  dataExpiryLength: Infinity,
});

const queue = outbox({ endpoints: [notes] });
const controller = new Controller({ plugins: [indexedDB({ name: 'longQueue' }), queue] });

let longest = 0;
const noteTasks = (tasks: readonly PerformanceEntry[]): void => {
  for (const { duration } of tasks) longest = Math.max(longest, duration);
};
const observer = new PerformanceObserver((list) => {
  noteTasks(list.getEntries());
});
observer.observe({ type: 'longtask', buffered: true });

const page: LongQueuePage = {
  async texts(count = 0) {
    await controller.fetchIfStale(notes.getList);
    const shown = (): readonly Note[] => controller.getResponse(notes.getList).data ?? [];
    while (shown().length < count) await new Promise((resolve) => setTimeout(resolve));
    return shown().map(({ text }) => text);
  },
  async create(count) {
    // As people do it, one after the other: each in a task of its own.
    const kept: Promise<unknown>[] = [];
    for (let place = 0; place < count; place++) {
      kept.push(controller.fetch(notes.create, { text: String(place) }));
      if (place % 100 === 99) await new Promise((resolve) => setTimeout(resolve));
    }
    await Promise.all(kept);
  },
  async drain() {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (queue.status.get().pending.length === 0) resolve();
      };
      queue.status.subscribe(check);
      void queue.drain().then(check);
    });
    return received;
  },
  async longestTask() {
    // An entry is made after the task is over.
    await new Promise((resolve) => setTimeout(resolve, 100));
    noteTasks(observer.takeRecords());
    const found = longest;
    longest = 0;
    return found;
  },
};
(window as unknown as { page: LongQueuePage }).page = page; // for the test to find
