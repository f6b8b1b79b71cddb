import { isEntity } from './isEntity.ts';
import type { Normalized } from './Normalized.ts';
import { MAY_BE_CYCLIC, Normalizer, type NormalizerOptions } from './Normalizer.ts';
import type { RootPk } from './rootPk.ts';
import type { EntityClass, Schema } from './Schema.ts';

/**
 * Normalizes a response: replaces nested entities by their pks and collects them by table. Never changes the
 * response.
 *
 * @param source - names the endpoint in errors
 * @throws HoldfastError `HF_SHAPE`, `HF_TOO_DEEP`, `HF_PK_MISSING`, `HF_PK_UNDEFINED`, `HF_PROCESS`
 */
export function normalize(
  schema: Schema,
  input: unknown,
  args: readonly unknown[] = [],
  source = 'a value',
  rootPk?: RootPk,
): Normalized {
  return run({ args, source, rootPk }, (normalizer) => {
    // Inside a response a string refers to an entity by its pk; a whole response that is a string does not.
    if (input !== null && input !== undefined && typeof input !== 'object' && isEntity(schema))
      normalizer.mismatch(`an object (${schema.name})`, input);
    return normalizer.visit(schema, input, input, undefined);
  });
}

/**
 * Normalizes a row that the user changed in place: fields that were assigned entities contain their pks again. The
 * row itself was processed earlier and is not processed again.
 *
 * @param row - the fields of the row; a copy, whose fields may be set
 */
export function normalizeRow(
  entity: EntityClass,
  pk: string,
  row: Record<string, unknown>,
  args: readonly unknown[],
): Normalized['entities'] {
  return run({ args, source: `a change of ${entity.name}` }, (normalizer) =>
    normalizer.fields(entity, pk, row),
  ).entities;
}

/**
 * Normalizes one field of a stored row, by a schema that was not known when it was stored.
 *
 * @param row - the fields of the row; not changed
 * @returns undefined if the schema cannot read the value
 */
export function normalizeField(
  schema: Schema,
  row: Readonly<Record<string, unknown>>,
  field: string,
): Normalized | undefined {
  try {
    return run({ args: [], source: 'a stored row' }, (normalizer) => normalizer.nested(schema, row, field));
  } catch {
    return undefined;
  }
}

/**
 * Runs a Normalizer, and the entities that it has postponed. If the data may have cycles, it runs a second time and
 * records the objects that it visits.
 *
 * @param visit - returns the normalized value
 */
function run(options: NormalizerOptions, visit: (normalizer: Normalizer) => unknown): Normalized {
  const normalizer = new Normalizer(options);
  try {
    const result = visit(normalizer);
    normalizer.normalizeDeferred();
    return { result, entities: normalizer.entities, updates: normalizer.updates };
  } catch (error) {
    if (error !== MAY_BE_CYCLIC) throw error;
    return run({ ...options, visited: new Map() }, visit);
  }
}
