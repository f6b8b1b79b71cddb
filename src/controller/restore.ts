import { queryKey } from '../schema/queryKey.ts';
import { references } from '../schema/references.ts';
import { applyRestored } from './applyRestored.ts';
import type { Called } from './Call.ts';
import type { Core } from './Core.ts';
import type { Wanted } from './Plugin.ts';

/** Asks the plugins, such as the disk, for what some reads or mutations stand on, all at once. */
export async function restore(core: Core, called: readonly Called[]): Promise<void> {
  const { epoch, plugins } = core;
  if (!plugins.canRestore) return;
  const results = called.map(({ endpoint, args }) => endpoint.key(...args));
  const answers = await plugins.restore({ results, ...named(core, called) });
  if (epoch !== core.epoch) return;
  for (const { from, restored } of answers)
    applyRestored(core, restored, { action: { type: 'restore', key: results[0] ?? '' }, origin: from });
}

/** The rows that the args name, which are wanted even where no result is stored, and the tables to look for them in. */
function named({ views }: Core, called: readonly Called[]): Pick<Wanted, 'rows' | 'tables'> {
  const rows: (readonly [table: string, pk: string])[] = [];
  const tables: string[] = [];
  for (const { endpoint, args } of called) {
    const value = queryKey(endpoint.schema, args, {
      find(entity, field, wanted) {
        const pk = views.find(entity, field, wanted);
        // Only the whole table tells whether disk has a row with this value.
        if (pk === undefined) tables.push(entity.key);
        return pk;
      },
      // Memory may hold a part of it.
      hasTable(entity) {
        tables.push(entity.key);
        return false;
      },
    });
    if (value !== undefined) references(endpoint.schema, value, ({ key }, pk) => rows.push([key, pk]));
  }
  return { rows, tables };
}
