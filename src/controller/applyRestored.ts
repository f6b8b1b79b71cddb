import type { EntityClass } from '../schema/Schema.ts';
import type { Commit } from '../store/Commit.ts';
import type { CommitOptions } from '../store/Store.ts';
import type { Writer } from '../store/transaction.ts';
import { mergeRows } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import { own } from '../util/adopt.ts';
import type { Core } from './Core.ts';
import type { Restored } from './Plugin.ts';

/** What goes with rows and results that a plugin merges. */
export interface ApplyOptions {
  /** The plugin's name. */
  readonly origin: string;
  /** `'restore'` from disk, `'hydrate'` from a server's page, `'apply'` (default) from elsewhere. */
  readonly type?: 'restore' | 'hydrate' | 'apply';
  /** Records that another tab has written with them: the plugins named take their layers away in the same commit. */
  readonly side?: Commit['side'];
  /** Nobody else holds the rows: those that are new are stored as they are, instead of being copied. */
  readonly isHandedOver?: boolean;
}

/**
 * Merges rows and results that bring their own times and orders: from disk, or from another tab.
 *
 * @param isHandedOver - whether nobody else holds the rows
 */
export function applyRestored(
  core: Core,
  restored: Restored,
  options: CommitOptions,
  isHandedOver = false,
): void {
  for (const [, , { meta }] of restored.rows) core.clock.witness(Math.max(meta.order, meta.answered));
  for (const [, { meta }] of restored.results) core.clock.witness(Math.max(meta.order, meta.answered));
  for (const { meta } of restored.additions ?? []) core.clock.witness(Math.max(meta.order, meta.answered));
  core.store.commit(
    (writer) => writeRestored(writer, restored, (table) => core.registry.of(table)[0], isHandedOver),
    options,
  );
}

/** @param entityOf - a class that reads a table, for its `merge` */
export function writeRestored(
  writer: Writer,
  { rows, results, additions = [] }: Restored,
  entityOf: (table: string) => EntityClass | undefined,
  isHandedOver = false,
): void {
  for (const [table, pk, row, over] of rows) {
    if (isHandedOver) own(row.value);
    const existing = isHandedOver ? writer.addRow(table, pk, row) : writer.row(table, pk);
    if (existing !== undefined || !isHandedOver)
      writer.setRow(table, pk, mergeRows(entityOf(table), existing, row, over));
  }
  for (const addition of additions) writer.add(addition);
  for (const [key, result] of results) writeResult(writer, key, result);
}
