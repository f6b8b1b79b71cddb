import { adopt, adoptOwn, equal } from '../util/adopt.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import type { EntityClass, Stored } from '../schema/Schema.ts';
import type { FoundEntity, Normalized } from '../schema/normalize.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import type { StoredRow } from './State.ts';
import { isThere } from './grownRow.ts';
import type { Writer } from './transaction.ts';

/** Writes what a response brought: its entities, and its changes of stored collections. */
export function writeNormalized(
  writer: Writer,
  { entities, updates }: Pick<Normalized, 'entities' | 'updates'>,
  meta: Meta,
): void {
  const stored: Stored = (entity, pk) => writer.row(entity.key, pk)?.value;
  const begun = updates.map((update) => ({ update, change: update.begin(stored) }));
  writeEntities(writer, entities, meta);
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

/** Writes every entity of a response. */
export function writeEntities(writer: Writer, entities: Normalized['entities'], meta: Meta): void {
  for (const [table, rows] of entities) {
    for (const found of rows.values()) writeEntity(writer, table, found, meta);
  }
}

function writeEntity(writer: Writer, table: string, { entity, pk, value }: FoundEntity, meta: Meta): void {
  const existing = writer.row(table, pk);
  const incoming = value as EntityValue | undefined; // a plain object
  // What normalize() made belongs to nobody else.
  const isNew = existing === undefined && incoming !== undefined;
  const row = isNew
    ? { value: adoptOwn(incoming), meta }
    : mergeRows(entity, existing, { value: incoming, meta });
  writer.setRow(table, pk, row);
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
  if (existing === undefined) return { value: owned(incoming.value, undefined), meta: incoming.meta };
  const older = isOlder(incoming.meta, existing.meta);
  if (existing.value === undefined || incoming.value === undefined)
    return older ? existing : { value: owned(incoming.value, existing.value), meta: incoming.meta };
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
