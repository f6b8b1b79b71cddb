import { belongsIn, collectionArgs, type CollectionArgs } from '../schema/collectionArgs.ts';
import { appendNew, ChangeSet, differences, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import { grownRow, isThere, type ListAddition } from './grownRow.ts';
import { LayerIndex, type Layer } from './LayerIndex.ts';
import { rowOf, type State } from './State.ts';
import { transact, type Outcome, type Recipe, type Writer } from './transaction.ts';

const NOTHING = new ChangeSet();

/**
 * The optimistic transactions that are pending, in order. `head` is the base with each replayed on it. A change of
 * the base that no layer has met goes to head as it is; otherwise only the layers that are met are replayed. Where a
 * list has changed, what was added to it is added anew, for which no layer is replayed.
 */
export class Layers {
  readonly pending = new LayerIndex();
  #lastId: LayerId = 0;

  /**
   * Puts a transaction on top.
   *
   * @param base - what all of them are over; where one shows the same, removing it changes nothing
   */
  push(
    head: State,
    recipe: Recipe,
    base = head,
  ): { readonly id: LayerId; readonly head: State; readonly changes: ChangeSet } {
    this.#lastId += 1;
    const footprint = new ChangeSet();
    const pushed = transact(head, recipe, { shown: [base], footprint });
    this.pending.touched(this.pending.add(this.#lastId, recipe), footprint, pushed);
    return { id: this.#lastId, head: pushed.state, changes: pushed.changes };
  }

  /**
   * Head after the base has changed and some layers have been removed.
   *
   * @param base - the new base
   * @param touched - what changed in it
   * @param replayed - layers to replay although nothing that they stand on has changed
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
    const next = this.#replayMet(head, base, affected);
    return { head: next, changes: differences(head, next, affected) };
  }

  /**
   * Everything affected starts again from the base; then come the layers that have to do with it, in their order.
   * A replayed layer may touch other things than before, and so meet further layers: then all is done again with them.
   *
   * @param affected - grows by what the replayed layers have written, before and now
   */
  #replayMet(head: State, base: State, affected: ChangeSet): State {
    for (;;) {
      const met = this.#meeting(affected);
      if (this.pending.size === 0) return base;
      const copied = new ChangeSet();
      copied.append(affected);
      const shown = [head, base];
      let next = transact(head, (writer) => copy(base, copied, writer)).state;
      let adding: Layer[] = [];
      const replayed: Layer[] = [];
      for (const layer of this.#withAdding(met, affected)) {
        if (!met.has(layer)) {
          adding.push(layer);
          continue;
        }
        next = this.#addAll(adding, copied, next, shown);
        adding = [];
        next = this.#replay(layer, next, shown);
        replayed.push(layer);
      }
      next = this.#addAll(adding, copied, next, shown);
      if (!this.#addLaterMeetings(replayed, copied, affected)) return next;
    }
  }

  /** The layers that what is affected meets. `affected` grows by what they wrote, which may meet others. */
  #meeting(affected: ChangeSet): ReadonlySet<Layer> {
    const met = new Set<Layer>();
    const waiting: ChangeSet[] = [affected];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const layer of this.pending.standingOn(next)) {
        if (met.has(layer)) continue;
        met.add(layer);
        const written = appendNew(affected, layer.writes);
        if (!written.isEmpty) waiting.push(written);
      }
    return met;
  }

  /** These layers, and those that add to lists that are affected, in order. */
  #withAdding(met: ReadonlySet<Layer>, affected: Changes): Layer[] {
    const all = new Set(met);
    for (const layer of this.pending.addingTo(affected)) all.add(layer);
    return [...all].sort((left, right) => left.id - right.id);
  }

  /**
   * Whether replaying has shown that further layers have to do with it: one that stands on what a replayed one wrote
   * or, since head still held them, a later one whose writes a replayed one has seen. What they have written goes to
   * `affected`.
   *
   * @param copied - what was affected when it began, of which head held nothing
   */
  #addLaterMeetings(replayed: readonly Layer[], copied: ChangeSet, affected: ChangeSet): boolean {
    const met = new Set(replayed);
    const seen = new ChangeSet();
    seen.append(copied);
    let found = false;
    for (const layer of replayed) {
      const written = appendNew(affected, layer.writes);
      for (const other of this.pending.standingOn(written)) found ||= !met.has(other);
      for (const other of this.pending.addingTo(written)) found ||= other !== layer;
      // Of those that have seen the same, the first has more of the others after it.
      for (const other of this.pending.writing(appendNew(seen, layer.footprint)))
        if (other.id > layer.id && !met.has(other))
          found = !appendNew(affected, other.writes).isEmpty || found;
    }
    return found;
  }

  #replay(layer: Layer, head: State, shown: readonly State[]): State {
    const footprint = new ChangeSet();
    let replayed: Omit<Outcome<void>, 'value'>;
    try {
      replayed = transact(head, layer.recipe, { shown, footprint });
    } catch {
      // What the user's code makes of a new base is its own affair: this time, the layer shows nothing.
      replayed = { state: head, changes: NOTHING, additions: [] };
    }
    this.pending.touched(layer, footprint, replayed);
    return replayed.state;
  }

  /** Adds to the affected lists what some layers add, in one pass. */
  #addAll(layers: readonly Layer[], affected: Changes, head: State, shown: readonly State[]): State {
    if (layers.length === 0) return head;
    const add = (writer: Writer): void => {
      for (const table of new Set(layers.flatMap(({ additions }) => additions.map((each) => each.table))))
        for (const pk of affected.rows.get(table)?.keys() ?? []) this.#addTo(table, pk, layers, writer);
    };
    return transact(head, add, { shown }).state;
  }

  #addTo(table: string, pk: string, layers: readonly Layer[], writer: Writer): void {
    const row = writer.row(table, pk);
    const all: ListAddition[] = [];
    let list: CollectionArgs | undefined;
    for (const layer of layers) {
      const { length } = all;
      for (const addition of layer.additions) {
        // What is added to this one list makes it, also for those that come after and add to all there are.
        const isMeant = addition.pk === undefined ? all.length > 0 || isThere(row) : addition.pk === pk;
        if (addition.table === table && isMeant && addition.added.length > 0)
          if (belongsIn((list ??= collectionArgs(pk)), addition.where)) all.push(addition);
      }
      if (all.length > length) this.pending.addedTo(layer, table, pk);
    }
    const last = all.at(-1);
    if (last !== undefined) writer.setRow(table, pk, grownRow(row, all, last.meta));
  }
}

/** Copies rows and results as they stand in `from`. */
function copy(from: State, which: ChangeSet, writer: Writer): void {
  for (const [table, rows] of which.rows) {
    for (const pk of rows.keys()) {
      const row = rowOf(from, table, pk);
      if (row === undefined) writer.deleteRow(table, pk);
      else writer.setRow(table, pk, row);
    }
  }
  for (const [key] of which.resultsInTurn) {
    const result = from.results.get(key);
    if (result === undefined) writer.deleteResult(key);
    else writer.setResult(key, result);
  }
}
