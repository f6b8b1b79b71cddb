import { queryKey } from '../../schema/query/queryKey.ts';
import type { Schema } from '../../schema/Schema.ts';
import { applyRestored } from './applyRestored.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';

/** The tables of which a live query reads every row. */
export function scannedTables(queryable: Schema, args: readonly unknown[]): readonly string[] {
  const tables = new Set<string>();
  queryKey(queryable, args, {
    find: () => undefined,
    hasTable: () => false,
    scans({ key }) {
      tables.add(key);
      return false;
    },
  });
  return [...tables];
}

/**
 * Asks the plugins, such as the disk, for whole tables: for each table once.
 *
 * @returns settles once the tables are in memory, as far as they can be restored; undefined if they are already
 */
export function restoreTables(
  internals: ControllerInternals,
  tables: readonly string[],
): Promise<unknown> | undefined {
  const { plugins, wholeTables } = internals;
  if (!plugins.canRestore) return undefined;
  const missing = tables.filter((table) => !wholeTables.has(table));
  if (missing.length > 0) {
    const restoring = restore(internals, missing).finally(() => {
      for (const table of missing)
        if (wholeTables.get(table) === restoring) wholeTables.set(table, undefined);
    });
    for (const table of missing) wholeTables.set(table, restoring);
  }
  const restoring = tables.map((table) => wholeTables.get(table)).filter((one) => one !== undefined);
  return restoring.length === 0 ? undefined : Promise.all(restoring);
}

async function restore(internals: ControllerInternals, tables: readonly string[]): Promise<void> {
  const { resetEpoch, plugins } = internals;
  const answers = await plugins.restore({ tables });
  if (resetEpoch !== internals.resetEpoch) return;
  for (const { from, restored } of answers)
    applyRestored(internals, restored, { action: { type: 'restore' }, origin: from });
}
