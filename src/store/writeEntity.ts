import { adopt } from '../util/adopt.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import type { FoundEntity, Normalized } from '../schema/normalize.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import type { StoredRow } from './State.ts';
import type { Writer } from './transaction.ts';

/** Writes every entity of a response. */
export function writeEntities(writer: Writer, entities: Normalized['entities'], meta: Meta): void {
  for (const [table, rows] of entities) {
    for (const found of rows.values()) writeEntity(writer, table, found, meta);
  }
}

function writeEntity(writer: Writer, table: string, found: FoundEntity, meta: Meta): void {
  const incoming: StoredRow = { value: found.value as EntityValue | undefined, meta }; // processed values are plain objects
  const row = mergeRows(found.entity, writer.row(table, found.pk), incoming);
  writer.setRow(table, found.pk, row);
}

/**
 * The row that comes of a stored and an incoming one. Older data fills in what is not stored, never overwrites;
 * tombstones replace and are replaced whole. Data that changes nothing keeps the stored value's identity.
 *
 * @param entity - combines the values; where the class is not known, newer fields win
 */
export function mergeRows(
  entity: EntityClass | undefined,
  existing: StoredRow | undefined,
  incoming: StoredRow,
): StoredRow {
  if (existing === undefined) return own(incoming, undefined);
  const older = isOlder(incoming.meta, existing.meta);
  if (existing.value === undefined || incoming.value === undefined)
    return older ? existing : own(incoming, existing.value);
  const value =
    entity === undefined
      ? older
        ? { ...incoming.value, ...existing.value }
        : { ...existing.value, ...incoming.value }
      : entity.mergeWithStore(existing.meta, incoming.meta, existing.value, incoming.value);
  const merged = own({ value, meta: older ? existing.meta : incoming.meta }, existing.value);
  return merged.value === existing.value && isSameWrite(merged.meta, existing.meta) ? existing : merged;
}

function own(row: StoredRow, previous: EntityValue | undefined): StoredRow {
  return { value: adopt(row.value, previous) as EntityValue | undefined, meta: row.meta }; // adopt() keeps the type
}
