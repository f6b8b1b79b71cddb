import type { Disk } from '../Disk.ts';
import type { DiskResult } from '../records/records.ts';
import { reconcileRestored } from '../writing/reconcile.ts';
import { Importer, type ImporterOptions } from './Importer.ts';
import { prefetch } from './prefetch.ts';
import { restoreTable } from './restoreTable.ts';

/** Results read in one transaction: decoding them is one task. */
const RESULTS_READ = 128;

/**
 * Restores everything into memory, in short tasks while the main thread is idle. Rows come before results: a result
 * in memory is read without the disk, so everything it refers to must already be there.
 */
export async function backgroundRestore(disk: Disk, options: ImporterOptions): Promise<void> {
  const importer = new Importer(disk, options);
  for (const table of disk.directory.tables)
    if (!(await importer.waitForTurn()) || !(await restoreTable(disk, table, importer))) return;
  // Its references are in memory now.
  await reconcileRestored(disk, () => importer.waitForTurn());
  if (await importer.waitForTurn()) await restoreResults(disk, importer);
}

async function restoreResults(disk: Disk, importer: Importer): Promise<void> {
  const keys = [...disk.directory.results];
  const read = (first: number): Promise<readonly DiskResult[]> =>
    disk.reader.results(keys.slice(first, first + RESULTS_READ));
  for (const reading of prefetch(keys.length, RESULTS_READ, read)) {
    const found = await reading;
    if (!(await importer.waitForTurn()) || !(await importer.results(found))) return;
  }
}
