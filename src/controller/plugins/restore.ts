import { isListTable } from '../../schema/collection/collectionArgs.ts';
import { queryKey } from '../../schema/query/queryKey.ts';
import type { EntityClass, Lookup, Schema } from '../../schema/Schema.ts';
import { references } from '../../schema/references.ts';
import { formerLists } from '../../store/listRenames.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import { idOf, type RowName } from './AbsentRows.ts';
import { applyRestored } from './applyRestored.ts';
import type { Views } from '../../views/Views.ts';
import type { EndpointCall } from '../requests/NetworkRequest.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { rowNamedBy } from '../writes/currentArgs.ts';
import { readEndpoint, type ReadResult } from '../reads/readResult.ts';
import type { Read } from './Plugin.ts';
import type { RestoreQuery } from './StoragePlugin.ts';

/**
 * Restores the data that reads or mutations depend on, in one query to the plugins.
 *
 * @param further - rows that they depend on beside those that their args identify
 */
export async function restore(
  internals: ControllerInternals,
  calls: readonly EndpointCall[],
  further: readonly RowName[] = [],
): Promise<void> {
  const { resetEpoch } = internals;
  if (!internals.plugins.canRestore) return;
  // Mutations have no result, and queued args may no longer fit the endpoint's path.
  const reads = calls.filter(({ endpoint }) => endpoint.sideEffect !== true);
  const results = reads.map(({ endpoint, args }) => endpoint.key(...args));
  const asked = new Set<string>();
  let named = rowsNamedBy(internals, calls);
  do {
    const rows = [...further, ...named.rows].filter((row) => !asked.has(idOf(row)));
    for (const row of rows) asked.add(idOf(row));
    internals.absentRows?.markAsked(rows);
    await restoreQuery(internals, { results, ...named, rows });
    if (resetEpoch !== internals.resetEpoch) return;
    // The first answer may contain the renames by which more is found.
    named = rowsNamedBy(internals, calls);
  } while (!named.rows.every((row) => asked.has(idOf(row))));
}

/**
 * Restores what a read depends on. The rows that come may refer to others that the plugin did not know of, since a tab
 * that did not know their class has stored them: those are restored too.
 */
export async function restoreRead(internals: ControllerInternals, read: Read): Promise<ReadResult> {
  await restore(internals, [read]);
  for (;;) {
    const found = readEndpoint(internals, read.endpoint, read.key, read.args);
    const restoring = internals.absentRows?.restore();
    if (restoring === undefined) return found;
    await restoring;
  }
}

/**
 * The rows that the args identify, which are needed even without a stored result, and the tables to search for them.
 */
function rowsNamedBy(
  { views, store }: ControllerInternals,
  calls: readonly EndpointCall[],
): Required<Pick<RestoreQuery, 'rows' | 'tables'>> {
  const rows: RowName[] = [];
  const tables = new Set<string>();
  const lookup = tableLookup(views, tables);
  for (const { endpoint, args } of calls) {
    // The schema of a list change finds nothing without a response: the args name the row that moves.
    const row = endpoint.sideEffect === true ? rowNamedBy(endpoint, args) : undefined;
    if (row !== undefined) rows.push(row);
    const value = queryKey(endpoint.schema, args, lookup);
    if (value === undefined) continue;
    references(endpoint.schema, value, ({ key }, pk) => {
      rows.push([key, pk]);
      if (isListTable(key)) for (const former of formerLists(store.base, pk)) rows.push([key, former]);
    });
  }
  return { rows, tables: [...tables] };
}

/**
 * The tables of which a query needs every row: those that it reads as a whole, or searches for a value; and whether it
 * is a live query, which has no result before that.
 */
export function queriedTables(
  views: Views,
  queryable: Schema,
  args: readonly unknown[],
): { readonly tables: readonly string[]; readonly isLive: boolean } {
  const tables = new Set<string>();
  const lookup = tableLookup(views, tables);
  let isLive = false;
  const scans = (entity: EntityClass): boolean => {
    isLive = true;
    return lookup.hasTable(entity);
  };
  queryKey(queryable, args, { ...lookup, scans });
  return { tables: [...tables], isLive };
}

/** Adds to `tables` what a schema reads as a whole, or searches without a match in memory. */
function tableLookup(views: Views, tables: Set<string>): Lookup {
  const whole = ({ key }: EntityClass): boolean => {
    tables.add(key);
    return false;
  };
  return {
    find(entity, field, wanted, args) {
      const pk = views.find(entity, field, wanted, args);
      // Only the whole table shows whether a row on disk has this value.
      if (pk === undefined) tables.add(entity.key);
      return pk;
    },
    // Memory may hold only a part of it.
    hasTable: whole,
    scans: whole,
  };
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
  // Each mounted query asks, so without tables nothing is allocated, not even a scope for closures.
  return tables.length > 0 && internals.plugins.canRestore ? restoreMissing(internals, tables) : undefined;
}

function restoreMissing(
  internals: ControllerInternals,
  tables: readonly string[],
): Promise<unknown> | undefined {
  const { wholeTables } = internals;
  const missing = tables.filter((table) => !wholeTables.has(table));
  if (missing.length > 0) {
    const restoring = restoreQuery(internals, { tables: missing }).finally(() => {
      for (const table of missing)
        if (wholeTables.get(table) === restoring) wholeTables.set(table, undefined);
    });
    for (const table of missing) wholeTables.set(table, restoring);
  }
  const restoring = tables.map((table) => wholeTables.get(table)).filter((one) => one !== undefined);
  return restoring.length === 0 ? undefined : Promise.all(restoring);
}

/** Merges what the plugins have for a query into memory. Nothing after a reset. */
export async function restoreQuery(internals: ControllerInternals, query: RestoreQuery): Promise<void> {
  const { resetEpoch, plugins } = internals;
  const [key = ''] = query.results ?? [];
  const answers = await plugins.restore(query);
  if (resetEpoch !== internals.resetEpoch) return;
  for (const { from, restored } of answers)
    // If code of the app throws, the request follows. Otherwise, readers would ask the disk without end.
    runIsolated(() => applyRestored(internals, restored, { origin: from }, { type: 'restore', key }));
}
