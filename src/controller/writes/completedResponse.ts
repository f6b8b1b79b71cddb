import { storedAs } from '../../endpoint/rest/optimisticResponses.ts';
import { listTablesIn } from '../../endpoint/rest/collectionOf.ts';
import { isListTable } from '../../schema/collection/collectionArgs.ts';
import { entitiesOf } from '../../schema/entitiesOf.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { Normalized, NormalizedEntity } from '../../schema/Normalized.ts';
import { rowOf } from '../../store/State.ts';
import { equal } from '../../util/adopt.ts';
import { getOrInsert } from '../../util/getOrInsert.ts';
import { isPlain } from '../../util/isPlain.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { normalizeResponse } from '../requests/normalizeResponse.ts';
import type { NetworkRequest } from '../requests/NetworkRequest.ts';
import type { Mutation } from './Mutation.ts';
import { paramsOf, rowNamedBy } from './currentArgs.ts';
import { rowsIn, type PairedRow, type Row } from './createdRows.ts';

/**
 * The response of a create, or of a `push` and the like, that contains nothing but the new pk, or the part of it that the
 * server assigns, completed by the declared fields that were sent: without a prediction, defaults would be shown in
 * their place.
 *
 * @returns undefined for any other response
 */
export function withSentFields(
  internals: ControllerInternals,
  request: NetworkRequest,
  response: unknown,
  pathArgs: readonly unknown[],
): Normalized | undefined {
  const { endpoint, args } = request;
  const { schema, ownList, itemParam } = endpoint;
  const sent = args.at(-1);
  const isCreate = ownList !== undefined || listTablesIn(schema).length > 0;
  if (!isCreate) return undefined;
  const [entity, ...others] = entitiesOf(schema);
  if (entity === undefined || others.length > 0 || !isPlain(sent) || !isPlain(response)) return undefined;
  const [[field, id] = [], ...rest] = Object.entries(response);
  const fields = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && name !== field && Object.hasOwn(entity.defaults, name),
  );
  if (rest.length > 0 || fields.length === 0) return undefined;
  try {
    // Otherwise, what was sent has other fields of the pk.
    const isPk = entity.pk(response) === String(id);
    if (isPk ? endpoint.getOptimisticResponse !== undefined : field !== itemParam) return undefined;
    const completed = { ...Object.fromEntries(fields), ...response };
    return normalizeResponse(internals, endpoint, pathArgs, completed);
  } catch {
    // What was sent does not have the form of a response.
    return undefined;
  }
}

/**
 * The response of an update without a pk, completed by the params of its path: some servers respond with only the fields
 * that they have changed. It must contain all declared fields that were sent, so that a status such as `{ ok: true }`
 * is not stored.
 *
 * @returns undefined for any other response
 */
export function withParams(
  internals: ControllerInternals,
  { endpoint, args }: NetworkRequest,
  response: unknown,
  pathArgs: readonly unknown[],
): Normalized | undefined {
  const { schema } = endpoint;
  const [params] = pathArgs;
  const sent = args[1];
  const named = rowNamedBy(endpoint, pathArgs);
  if (endpoint.renames !== true || named === undefined) return undefined;
  if (!isEntity(schema) || !isPlain(params) || !isPlain(sent) || !isPlain(response)) return undefined;
  const fields = Object.keys(sent).filter((name) => Object.hasOwn(schema.defaults, name));
  if (fields.length === 0 || !fields.every((name) => name in response)) return undefined;
  const identity = storedAs(schema, rowOf(internals.store.base, ...named)?.value, paramsOf(endpoint, params));
  return normalizeResponse(internals, endpoint, pathArgs, { ...identity, ...response });
}

/** A `Collection` in a field of an entity. */
interface NestedCollection {
  pk(parent: unknown, key: string, args: readonly unknown[]): string;
}

/**
 * The response of a mutation, completed by its prediction: servers respond with nothing (204), with the new id, or with
 * the fields that they have changed themselves. What was shown and is not contradicted stays, until the next read. What
 * refers to entities that only the prediction contains does not.
 *
 * @param paired - the rows of the response
 * @returns undefined if nothing of it is only predicted
 */
export function withPrediction(
  { store: { base } }: ControllerInternals,
  mutation: Mutation,
  response: Normalized,
  paired: readonly PairedRow[],
  prediction: Normalized | undefined,
): Normalized | undefined {
  if (prediction === undefined) return undefined;
  const { schema } = mutation.endpoint;
  // The pk of an entity that the server has created is in its response, or unknown.
  if (isNone(response.result))
    return rowsIn(schema, prediction.result).some(({ pk }) => pk.includes(mutation.temporaryPk))
      ? undefined
      : prediction;
  const entities = new Map([...response.entities].map(([table, members]) => [table, new Map(members)]));
  const isStored = ({ table, pk }: Row): boolean =>
    (entities.get(table)?.get(pk) ?? rowOf(base, table, pk))?.value !== undefined;
  let isPartial = false;
  for (const row of paired) {
    const { entity, table, pk, predicted, received } = row;
    const rows = entities.get(table);
    const stored = rowOf(base, table, pk)?.value ?? {};
    const isOnlySent = (field: string): boolean =>
      field in predicted && !(field in received) && !equal(predicted[field], stored[field]);
    const fields = Object.keys(entity.defaults).filter(
      (field) => isOnlySent(field) && !isOwnPk(mutation, predicted[field]),
    );
    if (fields.length === 0 || rows?.get(pk)?.value === undefined) continue;
    isPartial = true;
    const added: Record<string, unknown> = {};
    for (const field of fields) {
      const referred = rowsIn(entity.schema[field], predicted[field]);
      const list = referred.find(({ table: name }) => isListTable(name));
      if (list === undefined) {
        // Entities that only the prediction contains are not stored.
        if (referred.every(isStored)) added[field] = predicted[field];
        continue;
      }
      const listed = prediction.entities.get(list.table)?.get(list.pk);
      const empty = listed && emptyListOf(row, field, listed, mutation.args);
      if (empty === undefined) continue;
      added[field] = empty.pk;
      if (!isStored({ ...list, pk: empty.pk }))
        getOrInsert(entities, list.table, () => new Map<string, NormalizedEntity>()).set(empty.pk, empty);
    }
    rows.set(pk, { entity, pk, value: { ...added, ...received } });
  }
  return isPartial ? { ...response, entities } : undefined;
}

/**
 * The list in a field of a created entity, by the pk that it has with the server's pk of the entity. The list changes of
 * pending mutations follow.
 *
 * @returns undefined if the prediction has members in it
 */
function emptyListOf(
  { entity: owner, received }: PairedRow,
  field: string,
  { entity, value }: NormalizedEntity,
  args: readonly unknown[],
): NormalizedEntity | undefined {
  const collection = owner.schema[field] as Partial<NestedCollection>; // a Collection, or a schema that wraps one
  const pk = collection.pk?.(received, field, args);
  return pk !== undefined && isEmpty(value?.['members']) ? { entity, pk, value } : undefined;
}

/** Whether a value is a temporary pk of the mutation. */
function isOwnPk({ temporaryPk }: Mutation, value: unknown): boolean {
  return value === temporaryPk || (typeof value === 'string' && value.startsWith(`${temporaryPk}~`));
}

/** Whether a response has no record. */
export function isNone(result: unknown): boolean {
  return result === null || result === undefined;
}

/** Whether these are the members of a list or map without any. */
function isEmpty(members: unknown): boolean {
  return typeof members === 'object' && members !== null && Object.keys(members).length === 0;
}
