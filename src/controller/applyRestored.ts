import type { Commit } from '../store/Commit.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import { noteTimes } from '../store/inlineTimes.ts';
import { splitRow, writeFound, type Split } from '../store/normalizeStored.ts';
import type { CommitOptions } from '../store/Store.ts';
import type { Writer } from '../store/transaction.ts';
import { mergeRows } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import { own } from '../util/adopt.ts';
import type { Core } from './Core.ts';
import type { Restored } from './Plugin.ts';
import { renameReferences } from './renameReferences.ts';

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
  const found = core.store.commit((writer) => {
    const entities = writeRestored(writer, restored, core.registry, isHandedOver);
    for (const [table, pk, { movedTo }] of restored.rows)
      if (movedTo !== undefined && writer.row(table, pk)?.movedTo === movedTo)
        renameReferences(core.views, writer, table, pk, movedTo);
    return entities;
  }, options);
  // Wherever the rows came from, these are not there.
  if (found.length > 0)
    core.store.commit((writer) => writeFound(writer, found), { action: options.action, origin: 'app' });
}

/**
 * @param registry - knows the classes of a table: their relations, and the first one's `merge`
 * @returns the entities that stood inside of rows
 */
function writeRestored(
  writer: Writer,
  { rows, results, additions = [] }: Restored,
  registry: EntityRegistry,
  isHandedOver: boolean,
): Split['found'] {
  const found: Split['found'][number][] = [];
  for (const [table, pk, restored, over] of rows) {
    const split = splitRow(registry, table, restored, () => writer.row(table, pk));
    const { row } = split;
    if (isHandedOver) own(row.value);
    const existing = isHandedOver ? writer.addRow(table, pk, row) : writer.row(table, pk);
    if (existing !== undefined || !isHandedOver) {
      const merged = mergeRows(registry.of(table)[0], existing, row, over);
      if (existing !== undefined) noteTimes(merged, existing, row, true);
      writer.setRow(table, pk, merged);
    }
    found.push(...split.found);
  }
  for (const addition of additions) writer.add(addition);
  for (const [key, result] of results) writeResult(writer, key, result);
  return found;
}
