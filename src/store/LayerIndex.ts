import { ChangeSet, WHOLE_TABLE, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import type { ListChange } from './lazyListRow.ts';
import type { TransactionResult, Recipe } from './transaction.ts';
import { getOrInsert } from '../util/getOrInsert.ts';

/** A pending optimistic transaction, and what it touched when it was last replayed. */
export interface Layer {
  readonly id: LayerId;
  readonly recipe: Recipe;
  /** The rows and results it read or wrote, except lists that it only added to. The previous values do not matter. */
  footprint: ChangeSet;
  /** What it adds to lists, whatever their contents. */
  listChanges: readonly ListChange[];
  writes: ChangeSet;
}

/** Indexes the pending layers by what they read, write and add to. */
export class LayerIndex {
  readonly #layers = new Map<LayerId, Layer>();
  readonly #footprints = new Footprints();
  /** The lists that layers add to. */
  readonly #lists = new Footprints();
  readonly #writes = new Footprints();

  get size(): number {
    return this.#layers.size;
  }

  get(id: LayerId): Layer | undefined {
    return this.#layers.get(id);
  }

  /** Adds a layer that has touched nothing yet. */
  add(id: LayerId, recipe: Recipe): Layer {
    const writes = new ChangeSet();
    const layer: Layer = { id, recipe, footprint: writes, listChanges: [], writes };
    this.#layers.set(id, layer);
    return layer;
  }

  delete(layer: Layer): void {
    this.#unindex(layer);
    this.#layers.delete(layer.id);
  }

  /** @returns the ids of the removed layers */
  clear(): LayerId[] {
    const ids = [...this.#layers.keys()];
    for (const layer of this.#layers.values()) this.delete(layer);
    return ids;
  }

  /** Replaces a layer's recorded footprint. */
  recordFootprint(
    layer: Layer,
    footprint: ChangeSet,
    { changes, listChanges }: Pick<TransactionResult<void>, 'changes' | 'listChanges'>,
  ): void {
    this.#unindex(layer);
    layer.footprint = footprint;
    layer.listChanges = listChanges;
    layer.writes = new ChangeSet();
    layer.writes.append(changes);
    this.#footprints.add(layer, footprint);
    this.#lists.add(layer, listsOf(listChanges));
    this.#writes.add(layer, layer.writes);
  }

  /** Records that a layer has added to a list. */
  recordListWrite(layer: Layer, table: string, pk: string): void {
    const list = new ChangeSet();
    list.row(table, pk, undefined);
    layer.writes.append(list);
    this.#writes.add(layer, list);
  }

  /** The layers that have read or written any of this. */
  dependingOn(changes: Changes): Iterable<Layer> {
    return this.#footprints.touching(changes);
  }

  /** The layers that add to any of these lists. */
  addingTo(changes: Changes): Iterable<Layer> {
    return this.#lists.touching(changes);
  }

  /** The layers that have written any of this. */
  writing(changes: Changes): Iterable<Layer> {
    return this.#writes.touching(changes);
  }

  /** Whether a layer depends on this row. */
  hasRow(table: string, pk: string): boolean {
    return this.#footprints.hasRow(table, pk) || this.#lists.hasRow(table, pk);
  }

  /** Whether a layer depends on this result. */
  hasResult(key: string): boolean {
    return this.#footprints.hasResult(key);
  }

  #unindex(layer: Layer): void {
    this.#footprints.remove(layer, layer.footprint);
    this.#lists.remove(layer, listsOf(layer.listChanges));
    this.#writes.remove(layer, layer.writes);
  }
}

/** The lists that these changes are for. */
function listsOf(listChanges: readonly ListChange[]): Changes {
  const lists = new ChangeSet();
  for (const { table, pk = WHOLE_TABLE } of listChanges) lists.row(table, pk, undefined);
  return lists;
}

/** Finds the layers that have touched a row or result without a scan of all layers. */
class Footprints {
  readonly #rows = new Map<string, Map<string, Set<Layer>>>();
  readonly #results = new Map<string, Set<Layer>>();

  add(layer: Layer, footprint: Changes): void {
    for (const [table, rows] of footprint.rows) {
      const layers = getOrInsert(this.#rows, table, () => new Map<string, Set<Layer>>());
      for (const pk of rows.keys()) addTo(layers, pk, layer);
    }
    for (const key of footprint.results.keys()) addTo(this.#results, key, layer);
  }

  remove(layer: Layer, footprint: Changes): void {
    for (const [table, rows] of footprint.rows) {
      const layers = this.#rows.get(table);
      if (layers !== undefined) for (const pk of rows.keys()) removeFrom(layers, pk, layer);
    }
    for (const key of footprint.results.keys()) removeFrom(this.#results, key, layer);
  }

  /** Whether any layer has touched this row, or the whole table. */
  hasRow(table: string, pk: string): boolean {
    const layers = this.#rows.get(table);
    return layers !== undefined && (layers.has(pk) || layers.has(WHOLE_TABLE));
  }

  hasResult(key: string): boolean {
    return this.#results.has(key);
  }

  /** The layers that have touched any of `changes`. */
  *touching(changes: Changes): IterableIterator<Layer> {
    for (const [table, rows] of changes.rows) {
      const layers = this.#rows.get(table);
      if (layers === undefined) continue;
      if (rows.has(WHOLE_TABLE)) for (const set of layers.values()) yield* set;
      else for (const pk of rows.keys()) yield* layers.get(pk) ?? [];
      yield* layers.get(WHOLE_TABLE) ?? [];
    }
    for (const key of changes.results.keys()) yield* this.#results.get(key) ?? [];
  }
}

function addTo(layers: Map<string, Set<Layer>>, key: string, layer: Layer): void {
  getOrInsert(layers, key, () => new Set<Layer>()).add(layer);
}

function removeFrom(layers: Map<string, Set<Layer>>, key: string, layer: Layer): void {
  const set = layers.get(key);
  set?.delete(layer);
  if (set?.size === 0) layers.delete(key);
}
