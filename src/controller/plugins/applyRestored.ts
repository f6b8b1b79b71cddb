import { isListTable } from '../../schema/collection/collectionArgs.ts';
import type { Meta } from '../../schema/Meta.ts';
import type { Action, Commit } from '../../store/Commit.ts';
import { recordInlineTimes } from '../../store/inlineTimes.ts';
import { moveRestoredList } from '../../store/listRenames.ts';
import { addMissed } from '../../store/missedListChanges.ts';
import { isOfFormer } from '../../store/renames.ts';
import { shapeOf } from '../../schema/shapeOf.ts';
import { splitRow, type SplitRow } from '../../store/splitRow.ts';
import type { CommitOptions } from '../../store/Store.ts';
import type { Writer } from '../../store/transaction.ts';
import { mergeRows, writeFound } from '../../store/writeEntity.ts';
import { writeResult } from '../../store/writeResult.ts';
import { own } from '../../util/adopt.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Restored } from './StoragePlugin.ts';
import { replayRenames } from '../writes/rename.ts';

/** Options for rows and results that a plugin merges. */
export interface ApplyOptions {
  /** The plugin's name. */
  readonly origin: string;
  /** `'restore'` from disk, `'hydrate'` from a server's page, `'apply'` (default) from elsewhere. */
  readonly type?: 'restore' | 'hydrate' | 'apply';
  /** Records that another tab has written with them: the named plugins remove their layers in the same commit. */
  readonly side?: Commit['side'];
  /** Whether the caller gives up the rows: new ones are then stored without a copy. */
  readonly isTransferred?: boolean;
  /** Whether readers are notified with the next frame: for one of many parts. */
  readonly isDeferred?: boolean;
}

/**
 * Merges rows and results that have their own times and orders: from disk, a server's page, or another tab. If the app's
 * `merge` throws for a row, memory keeps its own version, and gets everything else.
 *
 * @throws the app's error, after the commit. From disk, it is reported instead, since the other rows are complete
 */
export function applyRestored(
  internals: ControllerInternals,
  restored: Restored,
  { origin, type = 'apply', side = {}, isTransferred = false, isDeferred = false }: ApplyOptions,
  action: Action = { type },
): void {
  const { clock, notifier, plugins, store } = internals;
  const options: CommitOptions = {
    action,
    origin,
    settled: plugins.settledBy(side, restored.rows.length > 0),
  };
  const failed: unknown[] = [];
  const report = (): void => {
    if (failed.length > 0) throw failed[0];
  };
  const merge = (): void => {
    const witness = ({ meta }: { readonly meta: Meta }): void =>
      clock.witness(Math.max(meta.order, meta.answered));
    for (const [, , row] of restored.rows) witness(row);
    for (const [, result] of restored.results) witness(result);
    restored.listChanges?.forEach(witness);
    const found = replayRenames(internals, restored.rows, options, (writer) =>
      writeRestored(writer, restored, internals, isTransferred, action.type, failed),
    );
    // These were not part of what was restored.
    if (found.length > 0)
      store.commit((writer) => writeFound(writer, found, internals.registry), { action, origin: 'app' });
  };
  if (isDeferred) notifier.deferToFrame(merge);
  else merge();
  if (type === 'restore') runIsolated(report);
  else report();
}

/**
 * @param type - `'apply'` if the rows are from after the list changes: a list among them may lack an added member on
 * purpose. `'restore'` if they are as old as the disk
 * @param failed - receives what the app's code has thrown
 * @returns the entities that were found inside of rows
 */
function writeRestored(
  writer: Writer,
  { rows, results, listChanges = [] }: Restored,
  { registry, aliases, listChanges: recent, reads }: ControllerInternals,
  isTransferred: boolean,
  type: Action['type'],
  failed: unknown[],
): SplitRow['found'] {
  const found: SplitRow['found'][number][] = [];
  const changeLists = (): void => {
    for (const change of listChanges) writer.changeLists(change, registry.schemaOf(change.table));
  };
  if (type === 'apply') changeLists();
  const writeRow = ([table, pk, restored, over]: Restored['rows'][number]): void => {
    if (restored.value !== undefined && isOfFormer(writer.before, table, pk, restored.meta)) return;
    const split = splitRow(registry, table, restored, () => writer.row(table, pk));
    const { row } = split;
    if (isTransferred) own(row.value);
    const existing = isTransferred ? writer.addRow(table, pk, row) : writer.row(table, pk);
    if (existing !== undefined || !isTransferred) {
      const merged = mergeRows(registry.of(table)[0], existing, row, over, writer.before);
      if (existing !== undefined) recordInlineTimes(merged, existing, row, true);
      writer.setRow(table, pk, merged);
    }
    for (const each of split.found) found.push(each);
    if (!isListTable(table)) return;
    if (type === 'restore') addMissed(writer, table, pk, restored.meta, recent, registry.schemaOf(table));
    moveRestoredList(writer, table, pk, restored.meta, registry, aliases);
  };
  for (const row of rows) {
    try {
      writeRow(row);
    } catch (error) {
      failed.push(error);
    }
  }
  if (type !== 'apply') changeLists();
  for (const [key, result] of results) {
    const read = reads.get(key);
    // A tab with another version of the app may have another shape: the tabs would request it in turns, for ever.
    const isOfOtherShape =
      read !== undefined && read.observers > 0 && (result.shape ?? '') !== shapeOf(read.endpoint.schema);
    if (result.invalidated === true || !isOfOtherShape) writeResult(writer, key, result);
  }
  return found;
}
