import type { Normalized } from '../../schema/Normalized.ts';
import type { CollectionUpdate, MembersChange } from '../../schema/Schema.ts';
import { pendingRenames } from '../../store/renames.ts';
import type { RowOf } from '../../store/State.ts';
import type { Writer } from '../../store/transaction.ts';
import type { CurrentPks } from './currentArgs.ts';
import type { Mutation } from './Mutation.ts';
import { singleEntity } from './rename.ts';
import type { Reuse } from './showOptimistic.ts';

/** The pks that rows with confirmed pks have in a state with the layers before one. */
export function pksBefore(writer: Writer, layerOrder: number): CurrentPks['pk'] {
  const renames = pendingRenames(writer.before).filter(({ meta }) => meta.order < layerOrder);
  return (table, confirmed) =>
    renames.reduce((now, { value }) => {
      // The layer depends on those that rename this row.
      writer.row(table, now);
      return value.table === table && value.from === now ? value.to : now;
    }, confirmed);
}

/** A creation under a pk that the app has chosen and another entity has had; undefined if it is none. */
export function reuseOf(
  { endpoint, temporaryPk: from }: Mutation,
  { result, updates }: Normalized,
  row: RowOf,
): Reuse | undefined {
  const [entity, to] = endpoint.ownList === undefined ? [] : singleEntity(endpoint.schema, result);
  if (entity === undefined || to === undefined || row(entity.key, to)?.movedTo === undefined)
    return undefined;
  return {
    rename: { table: entity.key, from, to, isCreated: true },
    updates: updates.map((update) => withItem(update, to, from)),
  };
}

/** A change of lists with another pk among its items. */
function withItem(update: CollectionUpdate, former: string, item: string): CollectionUpdate {
  const replaced = (change: MembersChange): MembersChange => ({
    ...change,
    items: change.items.map((each) => (each === former ? item : each)),
  });
  return {
    ...update,
    prepare(...rows) {
      const change = update.prepare(...rows);
      return typeof change === 'function' ? () => change().map(replaced) : replaced(change);
    },
  };
}
