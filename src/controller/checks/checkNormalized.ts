import { listAddersOf } from '../../endpoint/rest/collectionOf.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import {
  belongsIn,
  collectionArgs,
  pathOf,
  unmatched,
  withoutPath,
  type CollectionArgs,
} from '../../schema/collection/collectionArgs.ts';
import { isPagingWord } from '../../schema/collection/nonFilterArguments.ts';
import { isEntity } from '../../schema/isEntity.ts';
import { isLive } from '../../store/lazyListRow.ts';
import { listsFor } from '../../store/listIndex.ts';
import type { StoredRow } from '../../store/State.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { EndpointCall } from '../requests/NetworkRequest.ts';
import { checkMatch } from './checkMatch.ts';
import type { Normalized } from '../../schema/Normalized.ts';

/** In development, warns about what an app rarely wants in a normalized response. */
export function checkNormalized(
  internals: ControllerInternals,
  { endpoint, args }: EndpointCall,
  response: unknown,
  normalized: Normalized,
): void {
  checkMatch(internals, endpoint, response, normalized);
  checkParams(internals, endpoint, normalized.result, args);
  checkPks(internals, normalized);
  checkLists(internals, endpoint, normalized.result, args);
}

/**
 * Warns when the params of a read name another entity than its response, as in `/employees/:id/manager`: where the one that
 * they name is stored, it is shown.
 */
function checkParams(
  owner: object,
  { name, path, schema, sideEffect, itemParam, pathParams }: EndpointInterface,
  result: unknown,
  args: readonly unknown[],
): void {
  // Params at the end of a path may be an alias, as in `/users/me`.
  if (sideEffect === true || itemParam !== undefined || (pathParams?.size ?? 0) === 0) return;
  if (!isEntity(schema) || typeof result !== 'string') return;
  const named = schema.queryKey(args);
  if (named === undefined || named === result) return;
  warnOnce(
    owner,
    'HF_PATH_PARAMETER',
    `The response of ${name} has the pk ${result}, but its params name the ${schema.name} with the pk ${named}, which is shown if it is stored; give the parameter in ${path} another name than that of the primary key`,
    name,
  );
}

/**
 * Warns when a created entity matches no stored list of its resource only because of args that are
 * not fields of it. Only the app knows whether those args filter.
 */
function checkLists(
  internals: ControllerInternals,
  { name, schema, ownList }: EndpointInterface,
  result: unknown,
  args: readonly unknown[],
): void {
  if (ownList === undefined) return;
  const [update] = listAddersOf({ name, ownList }).flatMap((list) => list.additions(schema, result, args));
  const change = update?.prepare(() => undefined);
  if (update === undefined || typeof change !== 'object' || typeof change.where === 'function') return;
  const { where } = change;
  const members = update.rows.namedAfter ?? [];
  const fields = new Set(members.flatMap(({ defaults }) => Object.keys(defaults)));
  const lists = internals.store.base.tables[update.rows.key];
  const isOwn = (list: CollectionArgs, row: StoredRow | undefined): boolean =>
    isLive(row) && pathOf(list) === where.path;
  for (const pk of listsFor(lists, where)) {
    const list = collectionArgs(pk);
    if (isOwn(list, lists?.get(pk)) && belongsIn(list, where)) return;
  }
  let unmatchedList: { readonly list: string; readonly names: readonly string[] } | undefined;
  for (const [pk, row] of lists?.entries() ?? []) {
    const list = collectionArgs(pk);
    if (!isOwn(list, row)) continue;
    const names = unmatched(list, where);
    // A later page, or the list of another parent, rightly takes no new entity.
    const isSent = (one: string): boolean => where.args.some((given) => Object.hasOwn(given, one));
    if (!names.some((one) => fields.has(one) || isPagingWord(one) || isSent(one))) {
      unmatchedList = { list: JSON.stringify(withoutPath(list)), names };
      break;
    }
  }
  if (unmatchedList === undefined) return;
  const names = unmatchedList.names.map((one) => `\`${one}\``).join(' and ');
  warnOnce(
    internals,
    'HF_LIST_UNMATCHED',
    `What ${name} created belongs to no stored list of its resource: ${unmatchedList.list} has ${names}, which ${members.map((entity) => entity.name).join(' or ')} does not; if that arg does not filter, add it to nonFilterArgumentKeys, else set createCollectionFilter`,
    `${name} ${unmatchedList.names.join()}`,
  );
}

/**
 * Warns of a pk that is a number beyond 2^53, as Java's `long` and Snowflake ids may be: `JSON.parse` has
 * rounded it, so two rows of the server may be one here.
 *
 * @param owner - receives the warning once per class
 */
function checkPks(owner: object, { entities }: Normalized): void {
  for (const rows of entities.values())
    for (const { entity, pk, value } of rows.values()) {
      const number = Number(pk);
      // A string of digits is exact.
      if (!isRounded(number) || !Object.values(value ?? {}).includes(number)) continue;
      warnOnce(
        owner,
        'HF_PK_UNSAFE',
        `${entity.name} has the pk ${pk}, a number that JSON.parse has rounded, so rows with similar ids are mixed up; have the server send ids as strings, or read them as strings in parseResponse`,
        entity.name,
      );
      break;
    }
}

function isRounded(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}
