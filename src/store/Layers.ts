import { ChangeSet, differences, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import { rowOf, type State } from './State.ts';
import { transact, type Recipe, type Writer } from './transaction.ts';

/** A pending optimistic transaction and what it touched when it was last replayed. */
interface Layer {
  readonly recipe: Recipe;
  /** The rows and results it read or wrote; the values of these maps are not used. */
  footprint: ChangeSet;
  writes: Changes;
}

const NOTHING: Changes = new ChangeSet();

/**
 * The optimistic transactions that are pending, in order. `head` is the base with each replayed on it. A change of
 * the base that no layer has met goes to head as it is; otherwise only the layers that are met are replayed.
 */
export class Layers {
  readonly #layers = new Map<LayerId, Layer>();
  #lastId: LayerId = 0;

  get size(): number {
    return this.#layers.size;
  }

  /** Puts a transaction on top. */
  push(
    head: State,
    recipe: Recipe,
  ): { readonly id: LayerId; readonly head: State; readonly changes: Changes } {
    this.#lastId += 1;
    const layer: Layer = { recipe, footprint: new ChangeSet(), writes: NOTHING };
    const next = replay(layer, head);
    this.#layers.set(this.#lastId, layer);
    return { id: this.#lastId, head: next, changes: layer.writes };
  }

  /**
   * Head after the base has changed and some layers have been removed.
   *
   * @param base - the new base
   * @param touched - what changed in it
   */
  rebase(
    head: State,
    base: State,
    touched: Changes,
    removed: readonly LayerId[],
  ): { readonly head: State; readonly changes: Changes } {
    if (this.#layers.size === 0) return { head: base, changes: touched };
    const affected = new ChangeSet();
    affected.append(touched);
    for (const id of removed) {
      const layer = this.#layers.get(id);
      if (layer !== undefined) affected.append(layer.writes);
      this.#layers.delete(id);
    }
    const met = this.#meeting(affected);
    // Everything affected starts again from the base; then the layers that have to do with it, in their order.
    let next = transact(head, (writer) => copy(base, affected, writer)).state;
    for (const layer of met) {
      next = replay(layer, next);
      affected.append(layer.writes);
    }
    if (this.#layers.size === 0) next = base;
    return { head: next, changes: differences(head, next, affected) };
  }

  clear(): LayerId[] {
    const ids = [...this.#layers.keys()];
    this.#layers.clear();
    return ids;
  }

  /** The layers that what is affected meets, in order; `affected` grows by what they wrote, until nothing is added. */
  #meeting(affected: ChangeSet): Layer[] {
    const met = new Set<Layer>();
    let grew = true;
    while (grew) {
      grew = false;
      for (const layer of this.#layers.values()) {
        if (met.has(layer) || !meets(layer.footprint, affected)) continue;
        met.add(layer);
        affected.append(layer.writes);
        grew = true;
      }
    }
    return [...this.#layers.values()].filter((layer) => met.has(layer));
  }
}

function replay(layer: Layer, head: State): State {
  const footprint = new ChangeSet();
  const { state, changes } = transact(head, (writer) => layer.recipe(tracked(writer, footprint)));
  layer.footprint = footprint;
  layer.writes = changes;
  return state;
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

function meets(footprint: Changes, affected: Changes): boolean {
  for (const [table, rows] of footprint.rows) {
    const others = affected.rows.get(table);
    if (others !== undefined) for (const pk of rows.keys()) if (others.has(pk)) return true;
  }
  for (const key of footprint.results.keys()) if (affected.results.has(key)) return true;
  return false;
}

/** A writer that notes whatever passes through it. */
function tracked(writer: Writer, footprint: ChangeSet): Writer {
  return {
    row(table, pk) {
      footprint.row(table, pk, undefined);
      return writer.row(table, pk);
    },
    setRow(table, pk, row) {
      footprint.row(table, pk, undefined);
      writer.setRow(table, pk, row);
    },
    deleteRow(table, pk) {
      footprint.row(table, pk, undefined);
      writer.deleteRow(table, pk);
    },
    result(key) {
      footprint.result(key, undefined);
      return writer.result(key);
    },
    setResult(key, result) {
      footprint.result(key, undefined);
      writer.setResult(key, result);
    },
    deleteResult(key) {
      footprint.result(key, undefined);
      writer.deleteResult(key);
    },
  };
}
