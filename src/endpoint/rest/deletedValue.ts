import type { Delete } from '../../schema/Delete.ts';
import type { EntityValue } from '../../schema/Meta.ts';
import type { EntityClass } from '../../schema/Schema.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';

/** The endpoint of a DELETE. */
interface Deletion {
  readonly schema: Delete<EntityOrUnion>;
  readonly itemParam?: string | undefined;
}

/**
 * The value that identifies the entity that a DELETE removed: the server's response if it is an object with at least
 * one key and a primary key, and the request's parameters identify no other entity; else these parameters. Servers also
 * respond with the next item, the parent, or a job.
 */
export function deletedValue(
  { schema, itemParam }: Deletion,
  response: unknown,
  args: readonly unknown[],
): unknown {
  const [params] = args;
  const isNamed =
    typeof response === 'object' &&
    response !== null &&
    Object.keys(response).length > 0 &&
    schema.entities(response).some((entity) => isDeleted(entity, response, args, itemParam));
  return isNamed ? response : (params ?? response);
}

function isDeleted(
  entity: EntityClass,
  response: object,
  args: readonly unknown[],
  itemParam: string | undefined,
): boolean {
  if (Array.isArray(response)) return false;
  try {
    const processed = entity.process(response, undefined, undefined, args);
    if (typeof processed !== 'object' || processed === null) return false;
    const pkWith = (fields: unknown): string | undefined =>
      entity.pk({ ...processed, ...(fields as EntityValue) }, undefined, undefined, args); // anything can be spread
    const pk = pkWith({});
    if (pk === undefined) return false;
    // Parameters may identify other things too, as in `/posts/:id/comments/:comment`.
    return pkWith(args[0]) === pk || (itemParam !== undefined && pkWith({ [itemParam]: '\0' }) === pk);
  } catch {
    return false; // a pk() or process() that needs more than this object has
  }
}
