import { queryKey } from '../../schema/query/queryKey.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import { applyRestored } from './applyRestored.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';

/** Asks the plugins, such as the disk, for the whole tables that a live query reads: each table once. */
export async function restoreTables(
  internals: ControllerInternals,
  queryable: Schema,
  args: readonly unknown[],
): Promise<void> {
  const { resetEpoch, plugins, wholeTables } = internals;
  if (!plugins.canRestore) return;
  const tables: string[] = [];
  queryKey(queryable, args, {
    find: () => undefined,
    hasTable: () => false,
    scans({ key }: EntityClass) {
      if (!wholeTables.has(key)) tables.push(key);
      wholeTables.add(key);
      return false;
    },
  });
  if (tables.length === 0) return;
  const answers = await plugins.restore({ tables });
  if (resetEpoch !== internals.resetEpoch) return;
  for (const { from, restored } of answers)
    applyRestored(internals, restored, { action: { type: 'restore' }, origin: from });
}
