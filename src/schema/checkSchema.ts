import { HoldfastError } from '../util/errors.ts';
import { warnOnce } from '../util/warnOnce.ts';
import type { Schema } from './Schema.ts';

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
