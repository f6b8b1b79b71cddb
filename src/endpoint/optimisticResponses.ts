import { CollectionChange } from '../schema/CollectionChange.ts';
import { isEntity } from '../schema/isEntity.ts';
import type { EntityOrUnion } from '../schema/Union.ts';
import { isPlain } from '../util/isPlain.ts';
import type { RestEndpointOptions } from './RestEndpointOptions.ts';
import type { Snapshot } from './Snapshot.ts';

/** What the mutations of a resource with `optimistic: true` are expected to answer. */
export interface OptimisticResponses {
  /** For `push` and the like, which take it from the list. */
  readonly list: Partial<RestEndpointOptions>;
  readonly create: Partial<RestEndpointOptions>;
  readonly change: Partial<RestEndpointOptions>;
  readonly delete: Partial<RestEndpointOptions>;
}

const NONE: OptimisticResponses = { list: {}, create: {}, change: {}, delete: {} };

/** The optimistic answers of a resource's mutations: what they were sent. None where the resource is not optimistic. */
export function optimisticResponses(
  entity: EntityOrUnion,
  isOptimistic: boolean | undefined,
): OptimisticResponses {
  if (isOptimistic !== true || !isEntity(entity)) return NONE;
  const named = (snapshot: Snapshot, params: unknown): object =>
    storedAs(snapshot.get(entity, params), fieldsOf(params, snapshot));
  return {
    list: {
      getOptimisticResponse(this: Pick<RestEndpointOptions, 'schema' | 'method'>, snapshot, ...args) {
        // What else is made of the list answers something else.
        if (!(this.schema instanceof CollectionChange)) throw snapshot.abort;
        const body = fieldsOf(args.at(-1), snapshot);
        // The body may leave it to the parameters to say which member is changed.
        if (this.method !== 'PATCH' || entity.pk(body, undefined, undefined, args) !== undefined) return body;
        return { ...named(snapshot, args[0]), ...body };
      },
    },
    // The body is the last argument: where the path has no parameters, there may be no other.
    create: { getOptimisticResponse: (snapshot, ...args) => fieldsOf(args.at(-1), snapshot) },
    change: {
      getOptimisticResponse: (snapshot, params, body) => ({
        ...named(snapshot, params),
        ...fieldsOf(body, snapshot),
      }),
    },
    delete: { getOptimisticResponse: named },
  };
}

/** The fields of what was sent; forms and files say nothing of an entity's fields. */
function fieldsOf(sent: unknown, { abort }: Snapshot): Readonly<Record<string, unknown>> {
  if (!isPlain(sent)) throw abort;
  return sent;
}

/** Parameters as the entity has them: a path has `'5'` or `5` alike, but its row one of the two. */
function storedAs(current: object | undefined, params: Readonly<Record<string, unknown>>): object {
  if (current === undefined) return params;
  const fields = current as Readonly<Record<string, unknown>>; // an entity's fields by name
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      String(fields[name]) === String(value) ? fields[name] : value,
    ]),
  );
}
