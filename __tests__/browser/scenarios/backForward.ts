import { Controller, createResource, Endpoint, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';

class RowWithText extends Entity {
  id = '';
  text = '';
  static override key = 'Row';
}

const getRows = new Endpoint(() => Promise.resolve([]), {
  name: 'getRows',
  schema: [RowWithText],
  dataExpiryLength: Infinity,
});
const rows = createResource({ path: '/rows/:id', schema: RowWithText, dataExpiryLength: Infinity });

// Offline for the queue, while the page itself comes from its server.
Object.defineProperty(navigator, 'onLine', { get: () => false });

/** Without a storage plugin, the outbox has a database of its own. */
const isAlone = new URLSearchParams(location.search).has('alone');
const queue = outbox({ endpoints: [rows] });
const disk = indexedDB({ name: 'backForward' });
const controller = new Controller({ plugins: isAlone ? [queue] : [disk, queue] });

let returns = 0;
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) returns += 1;
});

function store(count: number, text: string): void {
  const all = Array.from({ length: count }, (_, id) => ({ id: String(id), text }));
  controller.setResponse(getRows, all);
}

addEventListener('pagehide', () => {
  store(1, 'left');
  void controller.fetch(rows.create, { id: 'left', text: 'left' }).catch(() => undefined);
});

const page = {
  /** Has a flush under way while the page is left. */
  leave(count: number, url: string): void {
    store(count, 'before');
    void controller.flush();
    void controller.fetch(rows.create, { id: 'before', text: 'before' }).catch(() => undefined);
    location.href = url;
  },
  /** How often it has come back from the back/forward cache. */
  returns: () => returns,
  /** Writes, and resolves with how many mutations wait. */
  async write(): Promise<number> {
    store(2, 'after');
    await controller.flush();
    await controller.fetch(rows.create, { id: 'after', text: 'after' });
    return queue.status.get().pending.length;
  },
  async isWorking(): Promise<boolean> {
    await controller.ready;
    return (isAlone ? queue : disk).status.get().state === 'working';
  },
  waiting: async (): Promise<number> => {
    await controller.ready;
    return queue.status.get().pending.length;
  },
  reset: () => controller.reset(),
};
export type BackForwardPage = typeof page;
Object.assign(globalThis, { backForward: page });
