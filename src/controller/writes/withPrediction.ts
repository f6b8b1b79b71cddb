import { storedAs } from '../../endpoint/rest/optimisticResponses.ts';
import { isListTable } from '../../schema/collection/collectionArgs.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { EntityValue } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { references } from '../../schema/references.ts';
import type { EntityClass } from '../../schema/Schema.ts';
import { rowOf } from '../../store/State.ts';
import { equal } from '../../util/adopt.ts';
import { isPlain } from '../../util/isPlain.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { normalizeResponse } from '../requests/normalizeResponse.ts';
import type { NetworkRequest } from '../requests/NetworkRequest.ts';
import type { Mutation } from './Mutation.ts';
import { paramsOf, rowNamedBy } from './currentArgs.ts';
import { createsRow, rowsIn, type Row } from './temporaryPk.ts';
import { predictedResponse } from './showOptimistic.ts';

/**
 * The response of a mutation, completed by its prediction: servers respond with nothing (204), with the new id, or with
 * the fields that they have changed themselves. What was shown and is not contradicted stays, until the next read.
 *
 * @returns undefined if nothing of it is only predicted
 */
export function withPrediction(
  internals: ControllerInternals,
  mutation: Mutation | undefined,
  response: Normalized,
): Normalized | undefined {
  if (mutation?.expected === undefined) return undefined;
  const { result } = response;
  // The pk of an entity that the server has created is in its response, or unknown.
  if (result === null || result === undefined)
    return createsRow(mutation) ? undefined : predictedResponse(internals, mutation);
  const [row] = rowsIn(mutation.endpoint.schema, result);
  return row && completed(internals, mutation, response, row);
}

/**
 * The response of a resource's `create` that contains nothing but the new pk, completed by the declared fields that were
 * sent: without a prediction, defaults would be shown in their place.
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
  const { schema, ownList } = endpoint;
  const sent = args.at(-1);
  if (ownList === undefined || endpoint.getOptimisticResponse !== undefined) return undefined;
  if (!isEntity(schema) || !isPlain(sent) || !isPlain(response)) return undefined;
  const [[field, id] = [], ...others] = Object.entries(response);
  const fields = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && name !== field && Object.hasOwn(schema.defaults, name),
  );
  if (others.length > 0 || fields.length === 0) return undefined;
  try {
    if (schema.pk(response) !== String(id)) return undefined;
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

/** The response with fields of its entity that were sent, but are not in it. */
function completed(
  internals: ControllerInternals,
  mutation: Mutation,
  { entities, ...response }: Normalized,
  { table, pk }: Row,
): Normalized | undefined {
  const rows = entities.get(table);
  const answered = rows?.get(pk);
  if (rows === undefined || answered?.value === undefined) return undefined;
  const { entity } = answered;
  const value = answered.value;
  const { base, head } = internals.store;
  const stored = rowOf(base, table, pk)?.value ?? {};
  const isAdded = (sent: EntityValue, field: string): boolean =>
    field in sent &&
    !(field in value) &&
    sent[field] !== mutation.temporaryPk &&
    !equal(sent[field], stored[field]) &&
    referredRows(entity, field, sent[field]).every(({ rows: to }) => isListTable(to.key));
  const pkIn = (normalized: unknown): string =>
    rowsIn(mutation.endpoint.schema, normalized).find((row) => row.table === table)?.pk ?? '';
  const shown = rowOf(head, table, pkIn(mutation.expected))?.value ?? {};
  const candidates = Object.keys(entity.defaults).filter((field) => isAdded(shown, field));
  // Usually none, so that nothing is predicted again.
  if (candidates.length === 0) return undefined;
  const predicted = predictedResponse(internals, mutation);
  // Other pending mutations may have changed what is shown.
  const sent = predicted?.entities.get(table)?.get(pkIn(predicted.result))?.value;
  if (predicted === undefined || sent === undefined) return undefined;
  const added: Record<string, unknown> = {};
  const written = new Map(entities);
  for (const field of candidates.filter((each) => isAdded(sent, each))) {
    const [list] = referredRows(entity, field, sent[field]);
    if (list === undefined) {
      added[field] = sent[field];
      continue;
    }
    // An empty list of the entity: the server's pk identifies it now. The list changes of pending mutations follow.
    const empty = predicted.entities.get(list.rows.key)?.get(list.pk)?.value;
    const collection = entity.schema[field] as Partial<NestedCollection>; // a Collection, or a schema that wraps one
    const listPk = collection.pk?.(value, field, mutation.args);
    if (listPk === undefined || !isEmpty(empty?.['members'])) continue;
    added[field] = listPk;
    if (rowOf(base, list.rows.key, listPk)?.value !== undefined) continue;
    const listRow = { entity: list.rows, pk: listPk, value: empty };
    written.set(list.rows.key, new Map([...(written.get(list.rows.key) ?? []), [listPk, listRow]]));
  }
  if (Object.keys(added).length === 0) return undefined;
  const row = { ...answered, value: { ...added, ...value } };
  return { ...response, entities: written.set(table, new Map([...rows, [pk, row]])) };
}

/** The rows that the value of a field refers to. Entities that only the prediction contains are not stored. */
function referredRows(
  { schema }: EntityClass,
  field: string,
  value: unknown,
): readonly { readonly rows: EntityClass; readonly pk: string }[] {
  const found: { rows: EntityClass; pk: string }[] = [];
  references(schema[field], value, (rows, pk) => found.push({ rows, pk }));
  return found;
}

/** Whether these are the members of a list or map without any. */
function isEmpty(members: unknown): boolean {
  return typeof members === 'object' && members !== null && Object.keys(members).length === 0;
}
