import { addersOf } from '../endpoint/addsTo.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { addedBy } from '../schema/addedBy.ts';
import { belongsIn, collectionArgs, pathOf, unmatched, withoutPath } from '../schema/collectionArgs.ts';
import { isPagingWord } from '../schema/nonFilterArguments.ts';
import { isThere } from '../store/grownRow.ts';
import { warnOnce } from '../util/warnOnce.ts';
import type { Core } from './Core.ts';

/**
 * In development, warns of what a mutation makes that no stored list of its resource takes up, where only args keep it
 * out that are no fields of it: whether these filter, only the app knows.
 */
export function checkLists(
  core: Core,
  { name, schema, ownList }: EndpointInterface,
  result: unknown,
  args: readonly unknown[],
): void {
  if (ownList === undefined) return;
  const [update] = addersOf({ name, ownList }).flatMap((list) => addedBy(list, schema, result, args));
  const change = update?.begin(() => undefined);
  if (update === undefined || typeof change !== 'object' || typeof change.where === 'function') return;
  const { where } = change;
  const members = update.rows.namedAfter ?? [];
  const fields = new Set(members.flatMap(({ defaults }) => Object.keys(defaults)));
  let strange: { readonly list: string; readonly names: readonly string[] } | undefined;
  for (const [pk, row] of core.store.base.tables[update.rows.key]?.entries() ?? []) {
    const list = collectionArgs(pk);
    if (!isThere(row) || pathOf(list) !== where.path) continue;
    if (belongsIn(list, where)) return;
    const names = unmatched(list, where);
    // A later page takes nothing up, nor does the list of another parent, and they are right to.
    const isSent = (one: string): boolean => where.args.some((given) => Object.hasOwn(given, one));
    if (!names.some((one) => fields.has(one) || isPagingWord(one) || isSent(one)))
      strange ??= { list: JSON.stringify(withoutPath(list)), names };
  }
  if (strange === undefined) return;
  const names = strange.names.map((one) => `\`${one}\``).join(' and ');
  warnOnce(
    core,
    'HF_LIST_UNMATCHED',
    `What ${name} made belongs in no stored list of its resource: ${strange.list} has ${names}, which ${members.map((entity) => entity.name).join(' or ')} does not; if that does not filter, name it in nonFilterArgumentKeys, else decide by createCollectionFilter`,
    `${name} ${strange.names.join()}`,
  );
}
