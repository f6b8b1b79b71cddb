import { adopt, adoptOwn, equal } from '../util/adopt.ts';
import { checkReturned } from '../schema/checkReturned.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { isNormalized } from '../schema/isNormalized.ts';
import type { EntityClass, Schema, Stored } from '../schema/Schema.ts';
import type { NormalizedEntity, Normalized } from '../schema/Normalized.ts';
import { normalizeField } from '../schema/normalize.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import { releaseLists } from './listRenames.ts';
import { recordInlineTimes } from './inlineTimes.ts';
import { isOfFormer, renamedRow } from './renames.ts';
import type { State, StoredRow } from './State.ts';
import type { Writer } from './transaction.ts';

/** Writes a normalized response: its entities and its updates of stored collections. */
export function writeNormalized(
  writer: Writer,
  { entities, updates }: Pick<Normalized, 'entities' | 'updates'>,
  meta: Meta,
  onInlineData?: OnInlineData,
): void {
  const stored: Stored = (entity, pk) => writer.row(entity.key, pk)?.value;
  const prepared = updates.map((update) => ({ update, change: update.prepare(stored) }));
  for (const [table, rows] of entities)
    for (const found of rows.values()) writeEntity(writer, table, found, meta, onInlineData);
  for (const { update, change } of prepared) {
    const { pk, rows } = update;
    for (const each of typeof change === 'function' ? change() : [change])
      writer.add({ ...each, table: rows.key, pk, meta }, rows.schema);
  }
}

/** Called when a row becomes newer but keeps older plain objects that may be entities. */
export type OnInlineData = (writer: Writer, table: string, pk: string) => void;

function writeEntity(
  writer: Writer,
  table: string,
  found: NormalizedEntity,
  meta: Meta,
  onInlineData: OnInlineData | undefined,
): void {
  const { entity, pk, value, unrelated } = found;
  const { before } = writer;
  if (value !== undefined && isOfFormer(before, table, pk, meta)) return;
  const existing = writer.row(table, pk);
  const incoming = unrelated === undefined ? value : withUnrelated(value, unrelated, existing);
  // Nothing else holds what normalize() created.
  const isNew = existing === undefined && incoming !== undefined;
  const row = isNew
    ? { value: adoptOwn(incoming), meta }
    : mergeRows(entity, existing, { value: incoming, meta }, undefined, before);
  writer.setRow(table, pk, row);
  if (existing?.movedTo !== undefined && row.value !== undefined) releaseLists(writer, table, pk, row.meta);
  if (existing === undefined || isWhole(row, existing, incoming)) return;
  if (recordInlineTimes(row, existing, { value: incoming, meta }, false)) onInlineData?.(writer, table, pk);
}

/** Whether every field of a row has just arrived unchanged, as most repeated data does. */
function isWhole(row: StoredRow, existing: StoredRow, incoming: EntityValue | undefined): boolean {
  if (row.value === undefined || incoming === undefined) return true;
  if (row.value !== existing.value) return false;
  // Avoids the arrays that `Object.keys` allocates.
  for (const field in row.value) if (!Object.hasOwn(incoming, field)) return false;
  return true;
}

/** The value with its unrelated fields, unless they would overwrite a relation. */
function withUnrelated(
  value: EntityValue | undefined,
  unrelated: NonNullable<NormalizedEntity['unrelated']>,
  existing: StoredRow | undefined,
): EntityValue | undefined {
  const others = [...unrelated].filter(([field, { schema }]) => !holdsRelation(existing, field, schema));
  return value && { ...value, ...Object.fromEntries(others.map(([field, other]) => [field, other.value])) };
}

/** Whether a row has a value for this relation, normalized or still inline. */
export function holdsRelation(row: StoredRow | undefined, field: string, schema: Schema): boolean {
  const stored = row?.value?.[field];
  if (row?.value === undefined || stored === null || stored === undefined) return false;
  return isNormalized(schema, stored) || normalizeField(schema, row.value, field) !== undefined;
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
