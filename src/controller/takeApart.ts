import { addersOf } from '../endpoint/addsTo.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { addedBy } from '../schema/addedBy.ts';
import { normalize, type Normalized } from '../schema/normalize.ts';
import { checkLists } from './checkLists.ts';
import { checkMatch } from './checkMatch.ts';
import type { Core } from './Core.ts';

/** What is stored of a response that names no record. */
export const NO_RECORDS: Normalized = { result: undefined, entities: new Map(), updates: [] };

/**
 * Normalizes a response by its endpoint's schema; without one, it is a value as it is.
 *
 * @param temporaryPk - of what a mutation makes, where this is only what it is expected to answer
 */
export function takeApart(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  response: unknown,
  temporaryPk?: string,
): Normalized {
  if (endpoint.schema === undefined) return { ...NO_RECORDS, result: response };
  const { itemParam } = endpoint;
  const root =
    temporaryPk === undefined ? undefined : { pk: temporaryPk, fields: itemParam ? [itemParam] : [] };
  const normalized = normalize(endpoint.schema, response, args, endpoint.name, root, core.registry);
  if (process.env.NODE_ENV !== 'production') checkMatch(core, endpoint, response, normalized);
  core.registry.addAll(normalized.entities);
  const { schema } = endpoint;
  const additions = addersOf(endpoint).flatMap((list) => addedBy(list, schema, normalized.result, args));
  if (process.env.NODE_ENV !== 'production') checkLists(core, endpoint, normalized.result, args);
  const updates = additions.length === 0 ? normalized.updates : [...normalized.updates, ...additions];
  // The lists may come from disk, and have never been read here.
  for (const { rows } of updates) core.registry.add(rows);
  return { ...normalized, updates };
}
