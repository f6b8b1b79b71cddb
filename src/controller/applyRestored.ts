import type { CommitOptions } from '../store/Store.ts';
import { mergeRows } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import type { Core } from './Core.ts';
import type { Restored } from './Plugin.ts';

/** Merges rows and results that bring their own times and orders: from disk, or from another tab. */
export function applyRestored(core: Core, { rows, results }: Restored, options: CommitOptions): void {
  core.store.commit((writer) => {
    for (const [table, pk, row, over] of rows) {
      core.clock.witness(Math.max(row.meta.order, row.meta.answered));
      writer.setRow(table, pk, mergeRows(core.registry.of(table)[0], writer.row(table, pk), row, over));
    }
    for (const [key, result] of results) {
      core.clock.witness(Math.max(result.meta.order, result.meta.answered));
      writeResult(writer, key, result);
    }
  }, options);
}
