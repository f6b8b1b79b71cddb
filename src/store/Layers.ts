import { ChangeSet, differences, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import { Footprints } from './Footprints.ts';
import { rowOf, type State } from './State.ts';
import { transact, type Outcome, type Recipe, type Writer } from './transaction.ts';

/** A pending optimistic transaction, and what it touched when it was last replayed. */
interface Layer {
  readonly id: LayerId;
  readonly recipe: Recipe;
  /** The rows and results it read or wrote; what stood there before does not matter. */
  footprint: Changes;
  writes: Changes;
}

const NOTHING: Changes = new ChangeSet();

/**
 * The optimistic transactions that are pending, in order. `head` is the base with each replayed on it. A change of
 * the base that no layer has met goes to head as it is; otherwise only the layers that are met are replayed.
 */
export class Layers {
  readonly #layers = new Map<LayerId, Layer>();
  readonly #footprints = new Footprints<Layer>();
  readonly #writes = new Footprints<Layer>();
  #lastId: LayerId = 0;

  /** Puts a transaction on top. */
  push(
    head: State,
    recipe: Recipe,
  ): { readonly id: LayerId; readonly head: State; readonly changes: Changes } {
    this.#lastId += 1;
    const layer: Layer = { id: this.#lastId, recipe, footprint: NOTHING, writes: NOTHING };
    const footprint = new ChangeSet();
    const { state: next, changes } = transact(head, recipe, { footprint });
    this.#remember(layer, footprint, changes);
    this.#layers.set(layer.id, layer);
    return { id: layer.id, head: next, changes: layer.writes };
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
    touched: Changes,
    removed: readonly LayerId[],
    replayed: readonly LayerId[] = [],
  ): { readonly head: State; readonly changes: Changes } {
    if (this.#layers.size === 0) return { head: base, changes: touched };
    const affected = new ChangeSet();
    affected.append(touched);
    for (const id of removed) {
      const layer = this.#layers.get(id);
      if (layer === undefined) continue;
      affected.append(layer.writes);
      this.#forget(layer);
      this.#layers.delete(id);
    }
    for (const id of replayed) {
      const layer = this.#layers.get(id);
      if (layer !== undefined) affected.append(layer.footprint);
    }
    const next = this.#replayMet(head, base, affected);
    return { head: next, changes: differences(head, next, affected) };
  }

  /** The rows and results that pending transactions stand on. */
  get footprints(): Pick<Footprints<unknown>, 'hasRow' | 'hasResult'> {
    return this.#footprints;
  }

  has(id: LayerId): boolean {
    return this.#layers.has(id);
  }

  clear(): LayerId[] {
    const ids = [...this.#layers.keys()];
    for (const layer of this.#layers.values()) this.#forget(layer);
    this.#layers.clear();
    return ids;
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
      let next = transact(head, (writer) => copy(base, affected, writer)).state;
      for (const layer of met) {
        next = this.#replay(layer, next, head);
        affected.append(layer.writes);
      }
      if (this.#layers.size === 0) return base;
      if (!this.#addLaterMeetings(met, affected)) return next;
    }
  }

  /** The layers that what is affected meets, in order. `affected` grows by what they wrote, which may meet others. */
  #meeting(affected: ChangeSet): Layer[] {
    const met = new Set(this.#footprints.touching(affected));
    for (const layer of met) {
      affected.append(layer.writes);
      for (const next of this.#footprints.touching(layer.writes)) met.add(next);
    }
    return [...met].sort((left, right) => left.id - right.id);
  }

  /**
   * Whether replaying has shown that further layers have to do with it: one that stands on what a replayed one wrote
   * or, since head still held them, a later one whose writes a replayed one has seen. The latter go to `affected`.
   */
  #addLaterMeetings(replayed: readonly Layer[], affected: ChangeSet): boolean {
    const met = new Set(replayed);
    let found = false;
    for (const layer of replayed) {
      for (const other of this.#footprints.touching(layer.writes)) found ||= !met.has(other);
      for (const other of this.#writes.touching(layer.footprint)) {
        if (other.id < layer.id || met.has(other)) continue;
        affected.append(other.writes);
        found = true;
      }
    }
    return found;
  }

  #replay(layer: Layer, head: State, shown: State): State {
    const footprint = new ChangeSet();
    let replayed: Pick<Outcome<void>, 'state' | 'changes'>;
    try {
      replayed = transact(head, layer.recipe, { shown, footprint });
    } catch {
      // What the user's code makes of a new base is its own affair: this time, the layer shows nothing.
      replayed = { state: head, changes: NOTHING };
    }
    this.#remember(layer, footprint, replayed.changes);
    return replayed.state;
  }

  #forget(layer: Layer): void {
    this.#footprints.remove(layer, layer.footprint);
    this.#writes.remove(layer, layer.writes);
  }

  #remember(layer: Layer, footprint: Changes, writes: Changes): void {
    this.#forget(layer);
    this.#footprints.add(layer, footprint);
    this.#writes.add(layer, writes);
    layer.footprint = footprint;
    layer.writes = writes;
  }
}

/** Copies rows and results as they stand in `from`. */
function copy(from: State, which: Changes, writer: Writer): void {
  for (const [table, rows] of which.rows) {
    for (const pk of rows.keys()) {
      const row = rowOf(from, table, pk);
      if (row === undefined) writer.deleteRow(table, pk);
      else writer.setRow(table, pk, row);
    }
  }
  for (const key of which.results.keys()) {
    const result = from.results.get(key);
    if (result === undefined) writer.deleteResult(key);
    else writer.setResult(key, result);
  }
}
