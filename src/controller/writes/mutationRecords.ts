import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { isAccepted, mayBeRedirectedPost } from '../../endpoint/http/execution.ts';
import { Delete } from '../../schema/Delete.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';
import { rowOf } from '../../store/State.ts';
import { equal } from '../../util/adopt.ts';
import { HoldfastError } from '../../util/errors.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { MutationRequest } from '../requests/NetworkRequest.ts';
import { NO_RECORDS, normalizeResponse } from '../requests/normalizeResponse.ts';
import { isNone, withParams, withPrediction, withSentFields } from './completedResponse.ts';
import { pairRows, resolveTemporaryPks, type PairedRow } from './createdRows.ts';
import type { Mutation } from './Mutation.ts';
import { basePks, currentPathArgs, rowNamedBy } from './currentArgs.ts';
import { renameOf, type Rename } from './rename.ts';
import { predictionOf } from './showOptimistic.ts';

/** What the response of a mutation says of the records that the server has now. */
interface MutationRecords {
  /** Those of the response; none if it has no primary key, or is a job that is yet to make the change. */
  readonly received: Normalized;
  /** The same with what was sent or predicted, and is not in the response; undefined if there is nothing to add. */
  readonly assumed: Normalized | undefined;
}

/**
 * The records in the response of a mutation. Readers of its temporary pks continue with those.
 *
 * @throws HoldfastError if the response does not match its schema, or if it has no record because a redirect has
 * made a GET of the POST
 */
export function mutationRecords(
  internals: ControllerInternals,
  request: MutationRequest,
  response: unknown,
): MutationRecords {
  const { endpoint, mutation } = request;
  const pathArgs = currentPathArgs(request, basePks(internals));
  const completed = withSentFields(internals, request, response, pathArgs);
  let received = completed ?? normalizedIfNamed(internals, request, response, pathArgs);
  if (received.entities.size === 0 && endpoint.schema !== undefined && mayBeRedirectedPost(response))
    throw new HoldfastError(
      'HF_PK_MISSING',
      `${endpoint.name} was redirected, and the response has no record: a POST that is redirected with 301 or 302 becomes a GET, so the server has executed nothing; use the URL that it redirects to`,
    );
  if (isAccepted(response) && isJob(internals, request, received, pathArgs)) received = NO_RECORDS;
  const shown = pairRows(internals, mutation, received);
  // Most responses have all fields, so that nothing is predicted again.
  const isPartial = isNone(received.result) || shown.some(isPartialRow);
  const prediction = isPartial ? predictionOf(internals, mutation) : undefined;
  if (process.env.NODE_ENV !== 'production' && isNone(response) && prediction === undefined)
    checkChanged(internals, request, pathArgs);
  const paired = prediction ? pairRows(internals, mutation, received, prediction) : shown;
  resolveTemporaryPks(internals, mutation, received, paired);
  return {
    received,
    assumed: withPrediction(internals, mutation, received, paired, prediction) ?? completed,
  };
}

/** In development, warns that the stored row keeps its values after an update with an empty response. */
function checkChanged(
  internals: ControllerInternals,
  { endpoint }: MutationRequest,
  pathArgs: readonly unknown[],
): void {
  const named = endpoint.renames === true ? rowNamedBy(endpoint, pathArgs) : undefined;
  if (named === undefined || rowOf(internals.store.base, ...named)?.value === undefined) return;
  warnOnce(
    internals,
    'HF_PK_MISSING',
    `${endpoint.name} has an empty response, so the stored ${named[0]} keeps its values; set \`optimistic: true\`, or return the row in process()`,
    endpoint.name,
  );
}

/** Whether what was predicted may have fields that the row of the response lacks, or rows inside it. */
function isPartialRow({ entity: { schema, defaults }, predicted, received }: PairedRow): boolean {
  const isMissing = (field: string): boolean => field in predicted && !(field in received);
  return Object.keys(schema).length > 0 || Object.keys(defaults).some(isMissing);
}

/** The normalized response, completed by the params if it has no pk; without records if they do not suffice either. */
function normalizedIfNamed(
  internals: ControllerInternals,
  request: MutationRequest,
  response: unknown,
  pathArgs: readonly unknown[],
): Normalized {
  const { endpoint, mutation } = request;
  try {
    return normalizeResponse(internals, endpoint, pathArgs, response);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    // The response to a GET that a POST became has another shape, such as that of a list.
    if (error.code !== 'HF_PK_MISSING' && !mayBeRedirectedPost(response)) throw error;
  }
  // The server has done the mutation; a response without a record does not make it fail.
  const named = withParams(internals, request, response, pathArgs);
  if (
    named === undefined &&
    process.env.NODE_ENV !== 'production' &&
    !mayBeRedirectedPost(response) &&
    // Its params may identify the row by an index, and its prediction is what is stored. One of no row has a temporary pk.
    !(endpoint.schema instanceof Delete && isOfRow(mutation))
  )
    warnOnce(
      internals,
      'HF_PK_MISSING',
      `${endpoint.name} has a response without a primary key, so nothing of it was stored; check pk(), or add the key in process()`,
      endpoint.name,
    );
  return named ?? NO_RECORDS;
}

/** Whether a mutation has a prediction of a row that exists. */
function isOfRow({ expected, temporaryPk }: Mutation): boolean {
  return expected !== undefined && expected !== temporaryPk;
}

/** Whether the body of a 202 is a job that is to make the change, rather than the entity. */
function isJob(
  internals: ControllerInternals,
  { endpoint, mutation }: MutationRequest,
  received: Normalized,
  pathArgs: readonly unknown[],
): boolean {
  const rename = renameOf(endpoint, pathArgs, received, mutation.expected);
  const isOther =
    rename !== undefined &&
    rename.to !== rename.predicted &&
    !createsEntity(predictionOf(internals, mutation), rename, received);
  return isOther || deletesAnother(internals, endpoint, pathArgs, received);
}

/** Whether a response would delete another entity than the stored one that the args name. */
function deletesAnother(
  { store: { base } }: ControllerInternals,
  { schema }: EndpointInterface,
  args: readonly unknown[],
  { result }: Normalized,
): boolean {
  if (!(schema instanceof Delete)) return false;
  const deletion = schema as Delete<EntityOrUnion>; // it takes no other schemas
  return deletion.entities().some((entity) => {
    const named = entity.queryKey(args);
    return named !== undefined && named !== result && rowOf(base, entity.key, named) !== undefined;
  });
}

/**
 * Whether the entity in the response to a create is the one that was sent, rather than a job that is to create it: it has
 * all the fields that were predicted, with the same values.
 */
function createsEntity(
  prediction: Normalized | undefined,
  { table, to, predicted, isCreated }: Rename,
  { entities }: Normalized,
): boolean {
  if (isCreated !== true || predicted === undefined) return false;
  const sent = prediction?.entities.get(table)?.get(predicted)?.value ?? {};
  const created = entities.get(table)?.get(to)?.value ?? {};
  const fields = Object.keys(sent).filter((field) => sent[field] !== predicted);
  return fields.length > 0 && fields.every((field) => equal(sent[field], created[field]));
}
