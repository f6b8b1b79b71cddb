import { adopt, adoptOwn, equal } from '../util/adopt.ts';
import { checkReturned } from '../schema/checkReturned.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import type { EntityClass, Stored } from '../schema/Schema.ts';
import type { NormalizedEntity, Normalized } from '../schema/Normalized.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import type { EntityRegistry } from './EntityRegistry.ts';
import type { ListChange } from './lazyListRow.ts';
import { releaseLists } from './listRenames.ts';
import { recordInlineTimes } from './inlineTimes.ts';
import { withoutRemoved } from './missedListChanges.ts';
import { isOfFormer, renamedRow } from './renames.ts';
import { splitRow, type SplitRow } from './splitRow.ts';
import type { State, StoredRow } from './State.ts';
import type { Writer } from './transaction.ts';

/**
 * Writes a normalized response: its entities and its updates of stored collections.
 *
 * @param former - see `CollectionUpdate.prepare`
 * @param listChanges - the latest changes of lists
 */
export function writeNormalized(
  writer: Writer,
  { entities, updates }: Pick<Normalized, 'entities' | 'updates'>,
  meta: Meta,
  registry: EntityRegistry,
  former?: EntityValue,
  listChanges: readonly ListChange[] = [],
): void {
  // The lists may be restored later without having been read.
  for (const { rows } of updates) registry.add(rows);
  // All classes first: a row of one may contain a relation of another.
  for (const rows of entities.values()) for (const { entity } of rows.values()) registry.add(entity);
  const stored: Stored = (entity, pk) => writer.row(entity.key, pk)?.value;
  const prepared = updates.map((update) => ({ update, change: update.prepare(stored, former) }));
  for (const [table, rows] of entities)
    for (const found of rows.values()) writeEntity(writer, table, found, meta, registry);
  for (const { update, change } of prepared) {
    const { pk, rows } = update;
    for (const each of typeof change === 'function' ? change() : [change])
      writer.changeLists(withoutRemoved({ ...each, table: rows.key, pk, meta }, listChanges), rows.schema);
  }
}

function writeEntity(
  writer: Writer,
  table: string,
  { entity, pk, value }: NormalizedEntity,
  meta: Meta,
  registry: EntityRegistry,
): void {
  const { before } = writer;
  if (value !== undefined && isOfFormer(before, table, pk, meta)) return;
  const existing = writer.row(table, pk);
  const given = { value, meta };
  // Otherwise, a relation that only another class declares would be lost for the readers of that class.
  const split = registry.of(table).length > 1 ? splitRow(registry, table, given, () => existing) : undefined;
  const incoming = split?.row ?? given;
  // Nothing else holds what normalize() created.
  const isNew = existing === undefined && incoming.value !== undefined;
  const row = isNew
    ? { value: adoptOwn(incoming.value), meta }
    : mergeRows(entity, existing, incoming, undefined, before);
  writer.setRow(table, pk, row);
  for (const [found] of split?.found ?? []) writeNormalized(writer, found, meta, registry);
  if (existing?.movedTo !== undefined && row.value !== undefined) releaseLists(writer, table, pk, row.meta);
  if (existing === undefined || isWhole(row, existing, incoming.value)) return;
  // Inline data that a registered class reads as entities would get the age of the newer row.
  if (recordInlineTimes(row, existing, incoming, false)) normalizeStored(writer, [[table, pk]], registry);
}

/** Whether every field of a row has just arrived unchanged, as most repeated data does. */
function isWhole(row: StoredRow, existing: StoredRow, incoming: EntityValue | undefined): boolean {
  if (row.value === undefined || incoming === undefined) return true;
  if (row.value !== existing.value) return false;
  // Avoids the arrays that `Object.keys` allocates.
  for (const field in row.value) if (!Object.hasOwn(incoming, field)) return false;
  return true;
}

/** Writes the entities that were found in a row. */
export function writeFound(writer: Writer, found: SplitRow['found'], registry: EntityRegistry): void {
  for (const [normalized, meta] of found) writeNormalized(writer, normalized, meta, registry);
}

/** `splitRow` for rows that are stored. */
export function normalizeStored(
  writer: Writer,
  rows: Iterable<readonly [table: string, pk: string]>,
  registry: EntityRegistry,
): void {
  for (const [table, pk] of rows) {
    const stored = writer.row(table, pk);
    if (stored?.value === undefined) continue;
    const split = splitRow(registry, table, stored);
    if (split.found.length === 0) continue;
    writer.setRow(table, pk, { value: adopt(split.row.value, stored.value), meta: stored.meta });
    writeFound(writer, split.found, registry);
  }
}

/**
 * Merges a stored and an incoming row. Older data fills in missing fields and overwrites none; tombstones replace
 * whole rows and are replaced whole. If nothing changes, the stored value keeps its identity.
 *
 * @param entity - merges the values; if the class is unknown, newer fields win
 * @param over - the meta of the version that `incoming` was merged over elsewhere. If that is the stored one, no
 * merge is needed
 * @param state - knows the renames between the two versions
 */
export function mergeRows(
  entity: EntityClass | undefined,
  existing: StoredRow | undefined,
  incoming: StoredRow,
  over?: Meta,
  state?: State,
): StoredRow {
  if (existing === undefined) return { ...incoming, value: adopt(incoming.value, undefined) };
  const older = isOlder(incoming.meta, existing.meta);
  if (existing.value === undefined || incoming.value === undefined)
    return older ? existing : { ...incoming, value: adopt(incoming.value, existing.value) };
  // A copy restored from disk or another tab must not be merged twice: an appending `merge` would duplicate members.
  if (isSameWrite(incoming.meta, existing.meta) && equal(incoming.value, existing.value)) return existing;
  const stored = renamedRow(state, entity?.schema, existing, incoming.meta).value ?? {}; // it has a value, checked above
  const came = renamedRow(state, entity?.schema, incoming, existing.meta).value ?? {}; // likewise
  let combined: EntityValue;
  if (over !== undefined && isSameWrite(over, existing.meta)) combined = came;
  else if (entity !== undefined)
    combined = checkReturned(
      entity.name,
      'merge',
      entity.mergeWithStore(existing.meta, incoming.meta, stored, came),
    );
  else if (older) combined = { ...came, ...stored };
  else combined = { ...stored, ...came };
  const value = adopt(combined, existing.value);
  const meta = older ? existing.meta : incoming.meta;
  return value === existing.value && isSameWrite(meta, existing.meta) ? existing : { value, meta };
}
