import { adopt, adoptOwn, equal } from '../util/adopt.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { isNormalized } from '../schema/isNormalized.ts';
import type { EntityClass, Schema, Stored } from '../schema/Schema.ts';
import { normalizeField, type FoundEntity, type Normalized } from '../schema/normalize.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import { isThere } from './grownRow.ts';
import { noteTimes } from './inlineTimes.ts';
import type { StoredRow } from './State.ts';
import type { Writer } from './transaction.ts';

/** Writes what a response brought: its entities, and its changes of stored collections. */
export function writeNormalized(
  writer: Writer,
  { entities, updates }: Pick<Normalized, 'entities' | 'updates'>,
  meta: Meta,
  keeps?: KeepsInline,
): void {
  const stored: Stored = (entity, pk) => writer.row(entity.key, pk)?.value;
  const begun = updates.map((update) => ({ update, change: update.begin(stored) }));
  writeEntities(writer, entities, meta, keeps);
  for (const { update, change } of begun) {
    const { pk: list } = update;
    const table = update.rows.key;
    if (typeof change !== 'function') {
      writer.add({ ...change, table, pk: list, meta });
      continue;
    }
    for (const pk of list === undefined ? storedPks(writer, table) : [list])
      changeCollection(writer, table, pk, change, meta);
  }
}

function storedPks(writer: Writer, table: string): readonly string[] {
  const pks: string[] = [];
  for (const [pk, row] of writer.rows(table)) if (isThere(row)) pks.push(pk);
  return pks;
}

/** Changes commute with each other, so one that is older than the row changes it all the same. */
function changeCollection(
  writer: Writer,
  table: string,
  pk: string,
  change: (pk: string, members: unknown) => unknown,
  meta: Meta,
): void {
  const row = writer.row(table, pk);
  const members = change(pk, row?.value?.['members']);
  if (row?.value !== undefined && equal(members, row.value['members'])) return;
  writer.setRow(table, pk, {
    value: adopt({ ...row?.value, members }, row?.value) as EntityValue, // adopt() keeps the type
    meta: row !== undefined && isOlder(meta, row.meta) ? row.meta : meta,
  });
}

/** Called for a row that becomes newer, but keeps plain objects which came earlier and may be entities. */
export type KeepsInline = (writer: Writer, table: string, pk: string) => void;

/** Writes every entity of a response. */
function writeEntities(
  writer: Writer,
  entities: Normalized['entities'],
  meta: Meta,
  keeps?: KeepsInline,
): void {
  for (const [table, rows] of entities) {
    for (const found of rows.values()) writeEntity(writer, table, found, meta, keeps);
  }
}

function writeEntity(
  writer: Writer,
  table: string,
  found: FoundEntity,
  meta: Meta,
  keeps: KeepsInline | undefined,
): void {
  const { entity, pk, value, unrelated } = found;
  const existing = writer.row(table, pk);
  // A plain object.
  const incoming = (unrelated === undefined ? value : withUnrelated(value, unrelated, existing)) as
    EntityValue | undefined;
  // What normalize() made belongs to nobody else.
  const isNew = existing === undefined && incoming !== undefined;
  const row = isNew
    ? { value: adoptOwn(incoming), meta }
    : mergeRows(entity, existing, { value: incoming, meta });
  writer.setRow(table, pk, row);
  if (existing === undefined || isWhole(row, existing, incoming)) return;
  if (noteTimes(row, existing, { value: incoming, meta }, false)) keeps?.(writer, table, pk);
}

/** Whether every field of a row has just arrived, unchanged: most of what arrives again is so. */
function isWhole(row: StoredRow, existing: StoredRow, incoming: EntityValue | undefined): boolean {
  if (row.value === undefined || incoming === undefined) return true;
  if (row.value !== existing.value) return false;
  // Without the lists that `Object.keys` makes.
  for (const field in row.value) if (!Object.hasOwn(incoming, field)) return false;
  return true;
}

/** What a value brought besides, where it takes no relation away: a row without that may as well have it. */
function withUnrelated(
  value: object | undefined,
  unrelated: NonNullable<FoundEntity['unrelated']>,
  existing: StoredRow | undefined,
): object | undefined {
  const others = [...unrelated].filter(([field, { schema }]) => !holdsRelation(existing, field, schema));
  return value && { ...value, ...Object.fromEntries(others.map(([field, other]) => [field, other.value])) };
}

/** Whether a row has a relation, be it as data that are still to be normalized. */
export function holdsRelation(row: StoredRow | undefined, field: string, schema: Schema): boolean {
  const stored = row?.value?.[field];
  if (row?.value === undefined || stored === null || stored === undefined) return false;
  return isNormalized(schema, stored) || normalizeField(schema, row.value, field) !== undefined;
}

/**
 * The row that comes of a stored and an incoming one. Older data fills in what is not stored, never overwrites;
 * tombstones replace and are replaced whole. Data that changes nothing keeps the stored value's identity.
 *
 * @param entity - combines the values; where the class is not known, newer fields win
 * @param over - of the version that `incoming` was merged over elsewhere; where that is the stored one, nothing is left
 * to merge
 */
export function mergeRows(
  entity: EntityClass | undefined,
  existing: StoredRow | undefined,
  incoming: StoredRow,
  over?: Meta,
): StoredRow {
  if (existing === undefined) return { ...incoming, value: owned(incoming.value, undefined) };
  const older = isOlder(incoming.meta, existing.meta);
  if (existing.value === undefined || incoming.value === undefined)
    return older ? existing : { ...incoming, value: owned(incoming.value, existing.value) };
  // A copy that comes back from disk or another tab: a merge that gathers would gather it twice.
  if (isSameWrite(incoming.meta, existing.meta) && equal(incoming.value, existing.value)) return existing;
  let combined: EntityValue;
  if (over !== undefined && isSameWrite(over, existing.meta)) combined = incoming.value;
  else if (entity !== undefined)
    combined = entity.mergeWithStore(existing.meta, incoming.meta, existing.value, incoming.value);
  else if (older) combined = { ...incoming.value, ...existing.value };
  else combined = { ...existing.value, ...incoming.value };
  const value = owned(combined, existing.value);
  const meta = older ? existing.meta : incoming.meta;
  return value === existing.value && isSameWrite(meta, existing.meta) ? existing : { value, meta };
}

function owned(value: EntityValue | undefined, previous: EntityValue | undefined): EntityValue | undefined {
  return adopt(value, previous) as EntityValue | undefined; // adopt() keeps the type
}
