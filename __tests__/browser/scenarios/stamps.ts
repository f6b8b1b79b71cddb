import { Controller, Endpoint, Entity } from 'holdfast';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { pksOf, type StoredStamps } from '../stampedRows.ts';

class Cell extends Entity {
  id = '';
  stamp = 0;
  filler = '';
  static override key = 'Cell';
}
const getCells = new Endpoint(async (): Promise<unknown> => undefined, {
  name: 'getCells',
  schema: [Cell],
  dataExpiryLength: Infinity,
});

const plugin = new IndexedDBPluginImpl(
  { name: 'stamps' },
  { storage: new IdbStorage('stamps'), compactAt: { records: 6, rows: 300 } },
);
const controller = new Controller({ plugins: [plugin] });

/** What is on disk: the stamp of each cell, and the list; and what went wrong with it. */
async function stored(): Promise<StoredStamps> {
  await controller.restored;
  const { tables, results } = controller.getState();
  const cells = [...(tables['Cell']?.entries() ?? [])].map(([pk, { value }]) => [pk, value?.['stamp']]);
  const problem = plugin.status.get().problem?.message;
  return { cells: Object.fromEntries(cells), list: results.get(getCells.key())?.value, problem };
}

/** Writes one state after the other, forever, and reports to the server which writes are durable. */
async function write(first: number): Promise<void> {
  for (let stamp = first; ; stamp++) {
    const cells = pksOf(stamp).map((id) => ({ id, stamp, filler: 'x'.repeat(300) }));
    controller.setResponse(getCells, cells);
    const flushed = controller.flush();
    if (stamp % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    if (stamp % 3 !== 0) continue;
    await flushed;
    navigator.sendBeacon(`/durable/${stamp}`);
  }
}

/** Reports to the server what is on disk, and writes from then on. */
async function run(): Promise<void> {
  const found = await stored();
  // On a busy machine opening may take longer than an app waits.
  if (found.problem?.includes('TimeoutError') === true) {
    location.reload();
    return;
  }
  await fetch('/stored', { method: 'POST', body: JSON.stringify(found) });
  await write((found.cells['always-0'] ?? 0) + 1);
}

void run();
