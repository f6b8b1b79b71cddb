import { listAddersOf } from '../../endpoint/rest/collectionOf.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { normalize } from '../../schema/normalize.ts';
import { checkNormalized } from '../checks/checkNormalized.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';

/** Stored for a response without records. */
export const NO_RECORDS: Normalized = { result: undefined, entities: new Map(), updates: [] };

/**
 * Normalizes a response by its endpoint's schema; without a schema, the value is stored as it is.
 *
 * @param temporaryPk - of the entity that the mutation creates, if this is its predicted response
 */
export function normalizeResponse(
  internals: ControllerInternals,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  response: unknown,
  temporaryPk?: string,
): Normalized {
  if (endpoint.schema === undefined) return { ...NO_RECORDS, result: response };
  const { itemParam } = endpoint;
  const root =
    temporaryPk === undefined ? undefined : { pk: temporaryPk, fields: itemParam ? [itemParam] : [] };
  const normalized = normalize(endpoint.schema, response, args, endpoint.name, root);
  if (process.env.NODE_ENV !== 'production')
    checkNormalized(internals, { endpoint, args }, response, normalized);
  const { schema } = endpoint;
  const additions = listAddersOf(endpoint).flatMap((list) => list.additions(schema, normalized.result, args));
  const updates = additions.length === 0 ? normalized.updates : [...normalized.updates, ...additions];
  return { ...normalized, updates };
}
