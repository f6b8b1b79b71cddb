import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { normalize, type Normalized } from '../schema/normalize.ts';
import { checkMatch } from './checkMatch.ts';
import type { Core } from './Core.ts';

/** What is stored of a response that names no record. */
export const NO_RECORDS: Normalized = { result: undefined, entities: new Map(), updates: [] };

/**
 * Normalizes a response by its endpoint's schema; without one, it is a value as it is.
 *
 * @param rootPk - the pk of the outermost entity where its value has none
 */
export function takeApart(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  response: unknown,
  rootPk?: string,
): Normalized {
  if (endpoint.schema === undefined) return { ...NO_RECORDS, result: response };
  const normalized = normalize(endpoint.schema, response, args, endpoint.name, rootPk, true);
  if (process.env.NODE_ENV !== 'production') checkMatch(core, endpoint, response, normalized);
  core.registry.addAll(normalized.entities);
  const { addsTo } = endpoint;
  const { result } = normalized;
  const isAdded = addsTo !== undefined && result !== null && result !== undefined;
  const updates = isAdded ? [...normalized.updates, addsTo.addition(result, args)] : normalized.updates;
  // The lists may come from disk, and have never been read here.
  for (const { rows } of updates) core.registry.add(rows);
  return { ...normalized, updates };
}
