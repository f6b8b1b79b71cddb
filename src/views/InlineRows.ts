import type { EntityValue } from '../schema/Meta.ts';
import type { InlineRow } from '../schema/Schema.ts';
import { ChangeSet } from '../store/changes.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import { normalizeStored } from '../store/writeEntity.ts';
import type { Recipe } from '../store/transaction.ts';

/**
 * Changes the state that the views read, and then has `Views.apply` called with the changes.
 *
 * @param recipe - normalizes rows
 * @param rows - the rows that it normalizes
 */
export type NormalizeRows = (recipe: Recipe, rows: ChangeSet) => void;

/** Rows that contain entities instead of their pks: they were stored before one of their relations was known. */
export class InlineRows {
  /** The rows found that are not normalized yet, or their nodes. */
  found = new Set<InlineRow>();
  /** Rows that were already checked. */
  readonly #attempted = new WeakSet<EntityValue>();
  readonly #registry: EntityRegistry;
  readonly #normalize: NormalizeRows | undefined;

  /** @param normalize - without it, the rows stay as they are */
  constructor(registry: EntityRegistry, normalize: NormalizeRows | undefined) {
    this.#registry = registry;
    this.#normalize = normalize;
  }

  /** Records a row that contains an entity, or its node, for `normalize`. */
  record(found: InlineRow): void {
    const { row } = found;
    if (this.#normalize !== undefined && row !== undefined && !this.#attempted.has(row))
      this.found.add(found);
  }

  /** Stores the entities that the recorded rows contain as rows of their own. */
  normalize(): void {
    const rows = new ChangeSet();
    const named: [table: string, pk: string][] = [];
    for (const { entity, pk, row } of this.found) {
      if (row !== undefined) this.#attempted.add(row);
      // A live query reads rows without nodes.
      this.#registry.add(entity);
      rows.row(entity.key, pk, undefined);
      named.push([entity.key, pk]);
    }
    this.found = new Set();
    this.#normalize?.((writer) => normalizeStored(writer, named, this.#registry), rows);
  }
}
