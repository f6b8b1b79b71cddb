import { Controller, Endpoint } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { PluginWithSide } from '../../support/PluginWithSide.ts';
import { Note } from '../../support/entities.ts';

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();
const getNotes = new Endpoint(() => json('/notes'), {
  name: 'getNotes',
  schema: { owner: '', notes: [Note] },
  dataExpiryLength: Infinity,
});
/** The server answers it when the test says so. */
const getLate = new Endpoint(() => json('/late'), {
  name: 'getLate',
  schema: { owner: '', notes: [Note] },
  dataExpiryLength: Infinity,
});

const plugin = new PluginWithSide(
  ({ base, baseChanges }) =>
    baseChanges.results.size > 0 ? [['entry', JSON.stringify([...base.results.entries()])]] : undefined,
  { name: 'logout', persist: 'all', onError: () => undefined },
  { compactAt: { records: 99, rows: 30 } },
);
const isTold = new URLSearchParams(location.search).has('told');
const controller = new Controller({ plugins: isTold ? [plugin, tabs({ name: 'logout' })] : [plugin] });
let late: Promise<unknown> = Promise.resolve();

function openRaw(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('logout');
    opening.onerror = () => reject(new Error('the database does not open'));
    opening.onsuccess = () => resolve(opening.result);
  });
}

/** Every key and record of a store. */
function recordsOf(database: IDBDatabase, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const found: unknown[] = [];
    const asking = database.transaction(name).objectStore(name).openCursor();
    asking.onerror = () => reject(new Error(`${name} cannot be read`));
    asking.onsuccess = () => {
      const { result: cursor } = asking;
      if (cursor === null) {
        resolve(found);
        return;
      }
      found.push([cursor.key, cursor.value]);
      cursor.continue();
    };
  });
}

let reader: IDBDatabase | undefined;

/** What a test can have a page do. */
export interface LogoutPage {
  /** Asks for the notes, changes one, and writes all that; asks for what comes late, too. */
  use(id: string): Promise<void>;
  /** Changes a note, and begins to write it. */
  write(id: string, text: string): void;
  /** Begins to read the disk as another tab would, which takes a while. */
  read(): void;
  /** Changes a note without writing that. */
  change(id: string, text: string): void;
  reset(): Promise<void>;
  /** Resolves when nothing is under way any more, also what came late. */
  settle(): Promise<void>;
  /** All that is in memory, as text. */
  memory(): string;
  /** All that is on disk, store by store, as text. */
  disk(): Promise<Record<string, string>>;
}

// A page that only logs out.
if (new URLSearchParams(location.search).has('leave')) {
  void controller.reset();
  location.assign('/signedOut');
}

declare global {
  var logoutPage: LogoutPage;
}

globalThis.logoutPage = {
  async use(id) {
    const { owner } = await controller.fetchIfStale(getNotes);
    controller.set(Note, { id }, { text: `${owner} ${id}` });
    await controller.flush();
    reader = await openRaw();
    late = controller.fetch(getLate).catch(() => undefined);
  },
  change: (id, text) => controller.set(Note, { id }, { id, text }),
  write(id, text) {
    this.change(id, text);
    controller.flush().catch(() => undefined);
  },
  read() {
    const transaction = reader?.transaction(['meta', 'log']);
    for (let nth = 0; nth < 2000; nth++) transaction?.objectStore('log').getAll();
  },
  reset: () => controller.reset(),
  async settle() {
    await late;
    await Promise.allSettled([controller.flush(), controller.restored]);
    await Promise.allSettled([controller.catchUp()]);
    await Promise.allSettled([controller.flush()]);
  },
  memory() {
    const { tables, results } = controller.getState();
    return JSON.stringify([
      Object.values(tables).map((table) => [...table.entries()]),
      [...results.entries()],
    ]);
  },
  async disk() {
    const database = await openRaw();
    const text = async (name: string): Promise<[string, string]> => {
      const found = await recordsOf(database, name);
      return [name, JSON.stringify(found, (_key, value: unknown) => (value instanceof Map ? [...value] : value))]; // oxfmt-ignore
    };
    const stores = await Promise.all([...database.objectStoreNames].map(text));
    database.close();
    return Object.fromEntries(stores);
  },
};
