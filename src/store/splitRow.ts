import type { Meta } from '../schema/Meta.ts';
import type { Normalized } from '../schema/Normalized.ts';
import { normalizeField } from '../schema/normalize.ts';
import type { Schema } from '../schema/Schema.ts';
import { equal } from '../util/adopt.ts';
import type { EntityRegistry } from './EntityRegistry.ts';
import { inlineTimeOf } from './inlineTimes.ts';
import type { StoredRow } from './State.ts';

/** A row whose inline entities have been moved out, and those entities. */
export interface SplitRow {
  readonly row: StoredRow;
  /** The entities found in its fields, each with the time it arrived. */
  readonly found: readonly (readonly [Normalized, Meta])[];
}

/**
 * Moves entities out of a row that was stored before their relation was known, for example by a class that does not
 * declare it.
 *
 * @param existing - looks up the stored row, whose relations are kept if the new value cannot be read
 * @returns the row itself if it contains none
 */
export function splitRow(
  registry: EntityRegistry,
  table: string,
  row: StoredRow,
  existing?: () => StoredRow | undefined,
): SplitRow {
  const found: [Normalized, Meta][] = [];
  let value: Record<string, unknown> | undefined;
  for (const [field, schema] of registry.relations(table)) {
    const inline = row.value?.[field];
    if (isPlainReference(inline, schema) || row.value === undefined) continue;
    const normalized = normalizeField(schema, row.value, field);
    if (normalized === undefined) {
      if (holdsRelation(existing?.(), field, schema))
        Reflect.deleteProperty((value ??= { ...row.value }), field);
    } else if (!equal(normalized.result, inline)) {
      (value ??= { ...row.value })[field] = normalized.result;
      found.push([normalized, timeIn(existing?.(), field, inline) ?? inlineTimeOf(inline, row.meta)]);
    }
  }
  return { row: value === undefined ? row : { value, meta: row.meta }, found };
}

/** Whether a row has a value for this relation, normalized or still inline. */
function holdsRelation(row: StoredRow | undefined, field: string, schema: Schema): boolean {
  const stored = row?.value?.[field];
  if (row?.value === undefined || stored === null || stored === undefined) return false;
  return normalizeField(schema, row.value, field) !== undefined;
}

/** When the stored row received the same value for this field. */
function timeIn(existing: StoredRow | undefined, field: string, inline: unknown): Meta | undefined {
  const stored = existing?.value?.[field];
  return existing !== undefined && equal(stored, inline) ? inlineTimeOf(stored, existing.meta) : undefined;
}

/** A fast check for what nearly all relations are. A list that has become a `Collection` since is stored as pks. */
function isPlainReference(value: unknown, schema: Schema): boolean {
  if (value === null || value === undefined || typeof value === 'string') return true;
  return Array.isArray(value) && Array.isArray(schema) && value.every((member) => typeof member === 'string');
}
