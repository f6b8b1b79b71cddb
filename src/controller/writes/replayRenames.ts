import type { Meta } from '../../schema/Meta.ts';
import { isOlder } from '../../schema/order.ts';
import { references } from '../../schema/references.ts';
import type { EntityClass } from '../../schema/Schema.ts';
import { byPath, moveLists } from '../../store/listRenames.ts';
import { byOrder, RENAMES, type Rename } from '../../store/renames.ts';
import { rowOf } from '../../store/State.ts';
import type { CommitOptions } from '../../store/Store.ts';
import type { Recipe, Writer } from '../../store/transaction.ts';
import { mergeRows } from '../../store/writeEntity.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Restored } from '../plugins/StoragePlugin.ts';

/** Stores a rename, and renames what depends on the pk. */
export function recordRename(
  internals: ControllerInternals,
  writer: Writer,
  value: Rename['value'],
  meta: Meta,
): void {
  const { table, from, to, below } = value;
  // Never stale, so that it is persisted.
  const rename: Rename = { value, meta: { ...meta, expiresAt: Infinity } };
  writer.setRow(RENAMES, `${meta.order} ${table} ${from}`, rename);
  if (writer.row(table, from)?.movedTo === to)
    for (const entity of internals.registry.of(table)) moveScalars(writer, entity, from, to);
  if (below !== undefined) moveLists(writer, byPath(below), meta, internals.schemaOfTable);
}

/**
 * Renames in memory what another tab has renamed, or an earlier session.
 *
 * @param write - writes what came with the renames. Where that has another entity under a former pk, each rename is a
 * commit of its own.
 */
export function replayRenames<T>(
  internals: ControllerInternals,
  rows: Restored['rows'],
  options: CommitOptions,
  write: Recipe<T>,
): T {
  const { store } = internals;
  const renames = byOrder(
    rows
      .filter(([table, pk]) => table === RENAMES && rowOf(store.base, table, pk) === undefined)
      .map(([, , row]) => row),
  );
  const isReused = renames.some(({ value: { table, from } }) =>
    rows.some(([name, pk, { value }]) => name === table && pk === from && value !== undefined),
  );
  if (isReused)
    for (const rename of renames) store.commit((writer) => replay(internals, writer, rename), options);
  return store.commit((writer) => {
    if (!isReused) for (const rename of renames) replay(internals, writer, rename);
    return write(writer);
  }, options);
}

function replay(internals: ControllerInternals, writer: Writer, rename: Rename): void {
  const {
    value: { table, from, to },
    meta,
  } = rename;
  const old = writer.row(table, from);
  const target = writer.row(table, to);
  if (old?.value !== undefined && isOlder(old.meta, meta)) {
    if (target === undefined || (target.value === undefined && isOlder(target.meta, meta)))
      writer.setRow(table, to, old);
    writer.setRow(table, from, { value: undefined, meta, movedTo: to });
  }
  recordRename(internals, writer, rename.value, meta);
}

/** Has an entity's values that depend on args, which are in rows of their own, go on under its new pk. */
function moveScalars(writer: Writer, entity: EntityClass, from: string, to: string): void {
  references(entity.schema, writer.row(entity.key, to)?.value, (scalars, pk) => {
    const row = writer.row(scalars.key, from);
    if (scalars.lens === undefined || pk !== to || row?.value === undefined) return;
    writer.setRow(scalars.key, to, mergeRows(scalars, writer.row(scalars.key, to), row));
    writer.setRow(scalars.key, from, { value: undefined, meta: row.meta, movedTo: to });
  });
}
