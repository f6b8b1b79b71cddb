import { collectionArgs, isMeantFor, type CollectionArgs } from '../schema/collection/collectionArgs.ts';
import { appendNew, ChangeSet, differences, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import { lazyListRow, isLive, type ListChange } from './lazyListRow.ts';
import { LayerIndex, type Layer } from './LayerIndex.ts';
import { rowOf, type State } from './State.ts';
import { transact, type TransactionResult, type Recipe, type Writer } from './transaction.ts';

const NO_CHANGES = new ChangeSet();

/**
 * The pending optimistic layers, in order. `head` is `base` with each of them replayed on it. A change of the base
 * that no layer depends on goes to head directly; otherwise only the dependent layers are replayed. When a list
 * changes, pending changes of lists are applied to it again without a replay.
 */
export class Layers {
  readonly pending = new LayerIndex();
  #lastId: LayerId = 0;

  /**
   * Adds a layer on top.
   *
   * @param base - the confirmed state: where a layer shows the same, removing it changes nothing
   */
  push(
    head: State,
    recipe: Recipe,
    base = head,
  ): { readonly id: LayerId; readonly head: State; readonly changes: ChangeSet } {
    this.#lastId += 1;
    const footprint = new ChangeSet();
    const pushed = transact(head, recipe, { visibleStates: [base], footprint });
    this.pending.recordFootprint(this.pending.add(this.#lastId, recipe), footprint, pushed);
    return { id: this.#lastId, head: pushed.state, changes: pushed.changes };
  }

  /**
   * Computes head after the base has changed and layers have been removed.
   *
   * @param base - the new base
   * @param touched - what changed in it
   * @param replayed - layers to replay although nothing they depend on has changed
   */
  rebase(
    head: State,
    base: State,
    touched: ChangeSet,
    removed: readonly LayerId[],
    replayed: readonly LayerId[] = [],
  ): { readonly head: State; readonly changes: ChangeSet } {
    if (this.pending.size === 0) return { head: base, changes: touched };
    const affected = new ChangeSet();
    affected.append(touched);
    for (const id of removed) {
      const layer = this.pending.get(id);
      if (layer === undefined) continue;
      affected.append(layer.writes);
      this.pending.delete(layer);
    }
    for (const id of replayed) {
      const layer = this.pending.get(id);
      if (layer !== undefined) affected.append(layer.footprint);
    }
    // For example, a commit in which a plugin only writes its own records.
    if (affected.isEmpty && this.pending.size > 0) return { head, changes: affected };
    const next = this.#rebaseAffected(head, base, affected);
    return { head: next, changes: differences(head, next, affected) };
  }

  /**
   * Resets everything affected to the base, then replays the dependent layers in order. A replayed layer may touch
   * other records than before and so affect further layers; then everything is done again with those.
   *
   * @param affected - grows by what the replayed layers wrote, before and now
   */
  #rebaseAffected(head: State, base: State, affected: ChangeSet): State {
    for (;;) {
      const toReplay = this.#findAffected(affected);
      if (this.pending.size === 0) return base;
      const copied = new ChangeSet();
      copied.append(affected);
      const shown = [head, base];
      let next = transact(head, (writer) => copyRecords(base, copied, writer)).state;
      let adding: Layer[] = [];
      const replayed: Layer[] = [];
      for (const layer of this.#withListChanges(toReplay, affected)) {
        if (!toReplay.has(layer)) {
          adding.push(layer);
          continue;
        }
        next = this.#addAll(adding, copied, next, shown);
        adding = [];
        next = this.#replay(layer, next, shown);
        replayed.push(layer);
      }
      next = this.#addAll(adding, copied, next, shown);
      if (!this.#findNewlyAffected(replayed, copied, affected)) return next;
    }
  }

  /** The layers that depend on affected records. `affected` grows by what they wrote, which may affect others. */
  #findAffected(affected: ChangeSet): ReadonlySet<Layer> {
    const found = new Set<Layer>();
    const stack: ChangeSet[] = [affected];
    for (let next = stack.pop(); next !== undefined; next = stack.pop())
      for (const layer of this.pending.dependingOn(next)) {
        if (found.has(layer)) continue;
        found.add(layer);
        const written = appendNew(affected, layer.writes);
        if (!written.isEmpty) stack.push(written);
      }
    return found;
  }

  /** These layers and those that add to affected lists, in order. */
  #withListChanges(toReplay: ReadonlySet<Layer>, affected: Changes): Layer[] {
    const all = new Set(toReplay);
    for (const layer of this.pending.addingTo(affected)) all.add(layer);
    return [...all].sort((left, right) => left.id - right.id);
  }

  /**
   * Whether the replay affects further layers: one that depends on what a replayed layer wrote, or, since head still
   * held its writes, a later one that a replayed layer has read from. Their writes are added to `affected`.
   *
   * @param copied - what was affected at the start, of which head held nothing
   */
  #findNewlyAffected(replayed: readonly Layer[], copied: ChangeSet, affected: ChangeSet): boolean {
    const known = new Set(replayed);
    const seen = new ChangeSet();
    seen.append(copied);
    let found = false;
    for (const layer of replayed) {
      const written = appendNew(affected, layer.writes);
      for (const other of this.pending.dependingOn(written)) found ||= !known.has(other);
      for (const other of this.pending.addingTo(written)) found ||= other !== layer;
      // Of several that have seen the same, the first has the most others after it.
      for (const other of this.pending.writing(appendNew(seen, layer.footprint)))
        if (other.id > layer.id && !known.has(other))
          found = !appendNew(affected, other.writes).isEmpty || found;
    }
    return found;
  }

  #replay(layer: Layer, head: State, visibleStates: readonly State[]): State {
    const footprint = new ChangeSet();
    let replayed: Omit<TransactionResult<void>, 'value'>;
    try {
      replayed = transact(head, layer.recipe, { visibleStates, footprint });
    } catch {
      // If the app's code throws for the new base, the layer shows nothing this time.
      replayed = { state: head, changes: NO_CHANGES, listChanges: [] };
    }
    this.pending.recordFootprint(layer, footprint, replayed);
    return replayed.state;
  }

  /** Applies the list changes of these layers to the affected lists in one pass. */
  #addAll(layers: readonly Layer[], affected: Changes, head: State, visibleStates: readonly State[]): State {
    if (layers.length === 0) return head;
    const add = (writer: Writer): void => {
      for (const table of new Set(layers.flatMap(({ listChanges }) => listChanges.map((each) => each.table))))
        for (const pk of affected.rows.get(table)?.keys() ?? []) this.#addTo(table, pk, layers, writer);
    };
    return transact(head, add, { visibleStates }).state;
  }

  #addTo(table: string, pk: string, layers: readonly Layer[], writer: Writer): void {
    const row = writer.row(table, pk);
    const all: ListChange[] = [];
    let list: CollectionArgs | undefined;
    for (const layer of layers) {
      const { length } = all;
      for (const change of layer.listChanges) {
        // A change of this one list creates it, also for later changes of all lists.
        const isMeant = change.pk === undefined ? all.length > 0 || isLive(row) : change.pk === pk;
        if (change.table === table && isMeant && change.items.length > 0)
          if (isMeantFor((list ??= collectionArgs(pk)), change)) all.push(change);
      }
      if (all.length > length) this.pending.recordListWrite(layer, table, pk);
    }
    const last = all.at(-1);
    if (last !== undefined) writer.setRow(table, pk, lazyListRow(row, all, row?.meta ?? last.meta));
  }
}

/** Copies rows and results from `from`. */
function copyRecords(from: State, which: ChangeSet, writer: Writer): void {
  for (const [table, rows] of which.rows) {
    for (const pk of rows.keys()) {
      const row = rowOf(from, table, pk);
      if (row === undefined) writer.deleteRow(table, pk);
      else writer.setRow(table, pk, row);
    }
  }
  for (const [key] of which.resultEntries) {
    const result = from.results.get(key);
    if (result === undefined) writer.deleteResult(key);
    else writer.setResult(key, result);
  }
}
