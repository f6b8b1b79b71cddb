import { ChangeSet, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import { Footprints, WHOLE_TABLE } from './Footprints.ts';
import type { ListAddition } from './lazyListRow.ts';
import type { TransactionResult, Recipe } from './transaction.ts';

/** A pending optimistic transaction, and what it touched when it was last replayed. */
export interface Layer {
  readonly id: LayerId;
  readonly recipe: Recipe;
  /** The rows and results it read or wrote, except lists that it only added to. The previous values do not matter. */
  footprint: ChangeSet;
  /** What it adds to lists, whatever their contents. */
  additions: readonly ListAddition[];
  writes: ChangeSet;
}

/** Indexes the pending layers by what they read, write and add to. */
export class LayerIndex {
  readonly #layers = new Map<LayerId, Layer>();
  readonly #footprints = new Footprints<Layer>();
  /** The lists that layers add to. */
  readonly #lists = new Footprints<Layer>();
  readonly #writes = new Footprints<Layer>();

  get size(): number {
    return this.#layers.size;
  }

  get(id: LayerId): Layer | undefined {
    return this.#layers.get(id);
  }

  /** Adds a layer that has touched nothing yet. */
  add(id: LayerId, recipe: Recipe): Layer {
    const writes = new ChangeSet();
    const layer: Layer = { id, recipe, footprint: writes, additions: [], writes };
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
    { changes, additions }: Pick<TransactionResult<void>, 'changes' | 'additions'>,
  ): void {
    this.#unindex(layer);
    layer.footprint = footprint;
    layer.additions = additions;
    layer.writes = new ChangeSet();
    layer.writes.append(changes);
    this.#footprints.add(layer, footprint);
    this.#lists.add(layer, listsOf(additions));
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
    this.#lists.remove(layer, listsOf(layer.additions));
    this.#writes.remove(layer, layer.writes);
  }
}

/** The lists that these additions go to. */
function listsOf(additions: readonly ListAddition[]): Changes {
  const lists = new ChangeSet();
  for (const { table, pk = WHOLE_TABLE } of additions) lists.row(table, pk, undefined);
  return lists;
}
