import { Delete } from '../../schema/Delete.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';

/**
 * The value that identifies the entity that a DELETE removed: the server's response if it is an object with at least
 * one key and a primary key, else the request's parameters. With any schema but `Delete`, the response itself.
 */
export function deletedValue(schema: Schema, response: unknown, args: readonly unknown[]): unknown {
  if (!(schema instanceof Delete)) return response;
  const deletion = schema as Delete<EntityOrUnion>; // it takes no other schemas
  const [params] = args;
  const isNamed =
    typeof response === 'object' &&
    response !== null &&
    !Array.isArray(response) &&
    Object.keys(response).length > 0 &&
    deletion.entities(response).some((entity) => hasWholePk(entity, response, args));
  return isNamed ? response : (params ?? response);
}

/** Whether the response contains the whole pk: of a composite one, parameters may add what it lacks. */
function hasWholePk(entity: EntityClass, response: object, args: readonly unknown[]): boolean {
  const pk = pkOf(entity, response, args);
  return pk !== undefined && pk === pkOf(entity, Object.assign({}, args[0], response), args);
}

function pkOf(entity: EntityClass, value: object, args: readonly unknown[]): string | undefined {
  try {
    const processed: unknown = entity.process(value, undefined, undefined, args);
    return typeof processed === 'object' && processed !== null
      ? entity.pk(processed, undefined, undefined, args)
      : undefined;
  } catch {
    return undefined; // a pk() or process() that needs more than this object has
  }
}
