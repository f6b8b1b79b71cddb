import { isNormalized } from '../schema/isNormalized.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { normalizeField, type Normalized } from '../schema/normalize.ts';
import { adopt, equal } from '../util/adopt.ts';
import type { EntityRegistry } from './EntityRegistry.ts';
import { timeOf } from './inlineTimes.ts';
import type { StoredRow } from './State.ts';
import type { Writer } from './transaction.ts';
import { holdsRelation, writeNormalized } from './writeEntity.ts';

/** A row without entities inside of it, and those that were. */
export interface Split {
  readonly row: StoredRow;
  /** What stood in its fields, with when that came. */
  readonly found: readonly (readonly [Normalized, Meta])[];
}

/**
 * Hoists entities out of a row that was stored before their relation was known, as by a class that does not declare
 * it, in this tab or elsewhere.
 *
 * @param existing - gives what is stored of it here: no relation of that is given up for what nobody can read
 * @returns the row itself where there are none
 */
export function splitRow(
  registry: EntityRegistry,
  table: string,
  row: StoredRow,
  existing?: () => StoredRow | undefined,
): Split {
  const found: [Normalized, Meta][] = [];
  let value: Record<string, unknown> | undefined;
  for (const [field, schema] of registry.relations(table)) {
    const inline = row.value?.[field];
    if (isPlainReference(inline) || isNormalized(schema, inline)) continue;
    const fields = (value ??= { ...row.value });
    const normalized = normalizeField(schema, fields, field, registry);
    if (normalized !== undefined) {
      fields[field] = normalized.result;
      found.push([normalized, timeIn(existing?.(), field, inline) ?? timeOf(inline, row.meta)]);
    } else if (holdsRelation(existing?.(), field, schema)) Reflect.deleteProperty(fields, field);
  }
  return { row: value === undefined ? row : { value, meta: row.meta }, found };
}

/** Writes the entities that were inside of a row. */
export function writeFound(writer: Writer, found: Split['found']): void {
  for (const [normalized, meta] of found) writeNormalized(writer, normalized, meta);
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
    writer.setRow(table, pk, {
      value: adopt(split.row.value, stored.value) as EntityValue, // adopt() keeps the type
      meta: stored.meta,
    });
    writeFound(writer, split.found);
  }
}

/** When a row got what another version of it has in a field too. */
function timeIn(existing: StoredRow | undefined, field: string, inline: unknown): Meta | undefined {
  const stored = existing?.value?.[field];
  return existing !== undefined && equal(stored, inline) ? timeOf(stored, existing.meta) : undefined;
}

/** A look at what nearly all relations are, before a longer one. */
function isPlainReference(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'string') return true;
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}
