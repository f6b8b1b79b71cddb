import { Controller, Entity } from 'holdfast';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';

/** A row that several pages and workers write at once, each a field of its own beside the time. */
class Shared extends Entity {
  id = '';
  at = 0;
  static override key = 'Shared';
}

/** Rows that all write. */
const ROWS = 12;
/** A log that is longer than this is compacted. */
const COMPACT_AT = { records: 6, rows: 200 };

const isWorker = typeof document === 'undefined';
let compactions = 0;

/** Counts the compactions of this context. */
class Counting extends IdbStorage {
  override async rewrite(...args: Parameters<IdbStorage['rewrite']>): Promise<boolean> {
    const isDone = await super.rewrite(...args);
    if (isDone) compactions += 1;
    return isDone;
  }
}

const plugin = new IndexedDBPluginImpl(
  { name: 'shared', persist: 'all' },
  { storage: new Counting('shared'), compactAt: COMPACT_AT },
);
const controller = new Controller({ plugins: [plugin] });

const page = {
  /** Writes some rounds under a name, each flushed, and one row of its own in each. Returns when each shared row was last written. */
  async write(name: string, rounds: number): Promise<Record<string, number>> {
    await controller.restored;
    const last: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      const id = String(round % ROWS);
      const at = (last[id] = Date.now());
      controller.set(Shared, { id }, { id, at, [name]: round });
      controller.set(Shared, { id: `${name}-${round}` }, { id: `${name}-${round}`, at });
      await controller.flush();
      if (round % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return last;
  },

  /** Every row on disk, how long the log is, and how often this context has folded. */
  async stored(): Promise<{
    rows: Record<string, Record<string, unknown>>;
    log: number;
    compactions: number;
  }> {
    await controller.restored;
    await controller.catchUp();
    const rows = [...(controller.getState().tables['Shared']?.entries() ?? [])];
    const log = await new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('shared');
      opening.onerror = () => reject(new Error('the database does not open'));
      opening.onsuccess = () => {
        const counting = opening.result.transaction('log').objectStore('log').count();
        counting.onsuccess = () => {
          opening.result.close();
          resolve(counting.result);
        };
      };
    });
    return { rows: Object.fromEntries(rows.map(([pk, { value }]) => [pk, { ...value }])), log, compactions };
  },

  /** Has a worker write. */
  writeInWorker(name: string, rounds: number): Promise<Record<string, number>> {
    const worker = new Worker('/sharedDisk.js', { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as Record<string, number>); // see below
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage([name, rounds]);
    });
  },
};
export type SharedDiskPage = typeof page;

if (isWorker) {
  addEventListener('message', (event) => {
    const [name, rounds] = (event as MessageEvent<[string, number]>).data; // from writeInWorker
    void page.write(name, rounds).then((last) => {
      postMessage(last);
    });
  });
} else {
  Object.assign(globalThis, { shared: page });
}
