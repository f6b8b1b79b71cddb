import { ChangeSet, type Changes } from './changes.ts';
import type { LayerId } from './Commit.ts';
import { Footprints, WHOLE_TABLE } from './Footprints.ts';
import type { ListAddition } from './grownRow.ts';
import type { Outcome, Recipe } from './transaction.ts';

/** A pending optimistic transaction, and what it touched when it was last replayed. */
export interface Layer {
  readonly id: LayerId;
  readonly recipe: Recipe;
  /** The rows and results it read or wrote, apart from lists that it added to; what stood there before does not matter. */
  footprint: ChangeSet;
  /** What it adds to lists, whatever they become. */
  additions: readonly ListAddition[];
  writes: ChangeSet;
}

/** The layers that are pending, found by what they have to do with. */
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
    this.#forget(layer);
    this.#layers.delete(layer.id);
  }

  /** @returns those that there were */
  clear(): LayerId[] {
    const ids = [...this.#layers.keys()];
    for (const layer of this.#layers.values()) this.delete(layer);
    return ids;
  }

  /** Notes what a layer has touched, in place of what it touched before. */
  touched(
    layer: Layer,
    footprint: ChangeSet,
    { changes, additions }: Pick<Outcome<void>, 'changes' | 'additions'>,
  ): void {
    this.#forget(layer);
    layer.footprint = footprint;
    layer.additions = additions;
    layer.writes = new ChangeSet();
    layer.writes.append(changes);
    this.#footprints.add(layer, footprint);
    this.#lists.add(layer, listsOf(additions));
    this.#writes.add(layer, layer.writes);
  }

  /** Notes that a layer has added to a list, which may be new to it. */
  addedTo(layer: Layer, table: string, pk: string): void {
    const list = new ChangeSet();
    list.row(table, pk, undefined);
    layer.writes.append(list);
    this.#writes.add(layer, list);
  }

  /** The layers that have read or written any of this. */
  standingOn(changes: Changes): Iterable<Layer> {
    return this.#footprints.touching(changes);
  }

  /** The layers that add to a list among this. */
  addingTo(changes: Changes): Iterable<Layer> {
    return this.#lists.touching(changes);
  }

  /** The layers that have written any of this. */
  writing(changes: Changes): Iterable<Layer> {
    return this.#writes.touching(changes);
  }

  /** Whether layers stand on a row. */
  hasRow(table: string, pk: string): boolean {
    return this.#footprints.hasRow(table, pk) || this.#lists.hasRow(table, pk);
  }

  /** Whether layers stand on a result. */
  hasResult(key: string): boolean {
    return this.#footprints.hasResult(key);
  }

  #forget(layer: Layer): void {
    this.#footprints.remove(layer, layer.footprint);
    this.#lists.remove(layer, listsOf(layer.additions));
    this.#writes.remove(layer, layer.writes);
  }
}

/** Where what is added goes. */
function listsOf(additions: readonly ListAddition[]): Changes {
  const lists = new ChangeSet();
  for (const { table, pk = WHOLE_TABLE } of additions) lists.row(table, pk, undefined);
  return lists;
}
