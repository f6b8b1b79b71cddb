import type { EntityClass } from '../schema/Schema.ts';
import type { CommitOptions } from '../store/Store.ts';
import type { Writer } from '../store/transaction.ts';
import { mergeRows } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import type { Core } from './Core.ts';
import type { Restored } from './Plugin.ts';

/** Merges rows and results that bring their own times and orders: from disk, or from another tab. */
export function applyRestored(core: Core, restored: Restored, options: CommitOptions): void {
  for (const [, , { meta }] of restored.rows) core.clock.witness(Math.max(meta.order, meta.answered));
  for (const [, { meta }] of restored.results) core.clock.witness(Math.max(meta.order, meta.answered));
  core.store.commit(
    (writer) => writeRestored(writer, restored, (table) => core.registry.of(table)[0]),
    options,
  );
}

/** @param entityOf - a class that reads a table, for its `merge` */
export function writeRestored(
  writer: Writer,
  { rows, results }: Restored,
  entityOf: (table: string) => EntityClass | undefined,
): void {
  for (const [table, pk, row, over] of rows)
    writer.setRow(table, pk, mergeRows(entityOf(table), writer.row(table, pk), row, over));
  for (const [key, result] of results) writeResult(writer, key, result);
}
