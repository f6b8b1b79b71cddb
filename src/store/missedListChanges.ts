import { collectionArgs, isMeantFor } from '../schema/collection/collectionArgs.ts';
import { asList, without } from '../schema/collection/members.ts';
import type { Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { Schema } from '../schema/Schema.ts';
import { withListChange, type ListChange } from './lazyListRow.ts';
import { rowOf } from './State.ts';
import type { Writer } from './transaction.ts';

/**
 * Adds to a list that was not stored before what was added to the others since: the server may have answered before it
 * knew of that, and another tab may not have written it to disk yet.
 *
 * @param meta - of the list, as it was received or read
 * @param listChanges - the latest changes of lists
 * @param schema - of the table's rows
 */
export function addMissed(
  writer: Writer,
  table: string,
  pk: string,
  meta: Meta,
  listChanges: readonly ListChange[],
  schema: Schema,
): void {
  if (listChanges.length === 0 || rowOf(writer.before, table, pk) !== undefined) return;
  for (const change of listChanges) {
    // A page belongs to one list, which its request has stored. An older change is included, or its removal.
    if (change.table !== table || change.pk !== undefined || isOlder(change.meta, meta)) continue;
    const list = writer.row(table, pk);
    const members = list?.value?.['members'];
    // A function of the app may add what the list already includes a second time.
    if (typeof change.how === 'function' && without(members, asList(change.items[0])) !== members) continue;
    const row = withListChange(list, pk, change, writer.before, schema);
    if (row !== undefined) writer.setRow(table, pk, row);
  }
}

/** A further page of a list, without what has been removed from the list since the page was requested. */
export function withoutRemoved(page: ListChange, listChanges: readonly ListChange[]): ListChange {
  const { table, pk, meta, items } = page;
  if (pk === undefined) return page;
  const left = listChanges
    .filter((change) => change.table === table && change.how === 'remove' && isOlder(meta, change.meta))
    .filter((change) => isMeantFor(collectionArgs(pk), change))
    .reduce((stay, change) => asList(without(stay, change.items)), items);
  return left === items ? page : { ...page, items: left };
}
