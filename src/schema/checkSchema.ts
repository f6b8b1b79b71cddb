import { HoldfastError } from '../util/errors.ts';
import { warnOnce } from '../util/warnOnce.ts';
import { classPlan } from './entity/classPlan.ts';
import { isEntity } from './isEntity.ts';
import type { EntityClass, Schema } from './Schema.ts';

/**
 * Warns about a list schema with more than one member, since only the first is used. Called in development only.
 *
 * @throws HoldfastError `HF_SCHEMA_UNDEFINED` if that is undefined
 */
export function checkList(schema: readonly Schema[], where: string): void {
  if (schema.length === 1) checkDefined(schema[0], `In ${where}, the schema of a list`);
  if (schema.length < 2) return;
  warnOnce(
    schema,
    'HF_LIST_SCHEMA',
    `In ${where}, a list has ${schema.length} schemas, of which only the first is used; for members of several kinds, write [new Union({ … }, 'type')]`,
  );
}

/**
 * Called in development only: a class of a module that imports this one may not exist yet.
 *
 * @throws HoldfastError `HF_SCHEMA_UNDEFINED`
 */
export function checkDefined(schema: Schema, what: string): void {
  if (schema !== undefined) return;
  throw new HoldfastError(
    'HF_SCHEMA_UNDEFINED',
    `${what} is undefined, as in modules that import each other (circular imports); assign it after both classes are declared, or write null if there is none`,
  );
}

/**
 * Warns about a field whose default is an entity, but that `static schema` does not have: it is forgotten or misspelt
 * there, and related entities stay in their rows as plain objects. Called in development only.
 */
export function checkEntityFields(entity: EntityClass): void {
  for (const [field, value] of Object.entries(classPlan(entity).defaults)) {
    const related = typeof value === 'object' && value !== null ? (value.constructor as Schema) : null; // or any class
    if (!isEntity(related) || Object.hasOwn(entity.schema, field)) continue;
    const names = Object.keys(entity.schema).join(', ');
    warnOnce(
      entity,
      'HF_SCHEMA_FIELD',
      `${entity.name}.${field} is an entity by default, but static schema has ${names === '' ? 'no fields' : `only ${names}`}; add { ${field}: ${related.name} }`,
      field,
    );
  }
}
