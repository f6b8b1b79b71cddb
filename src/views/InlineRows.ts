import type { EntityValue } from '../schema/Meta.ts';
import { ChangeSet } from '../store/changes.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import { normalizeStored } from '../store/normalizeStored.ts';
import type { Recipe } from '../store/transaction.ts';
import type { EntityNode } from './EntityNode.ts';

/**
 * Changes the state that the views read, and then has `Views.apply` called with the changes.
 *
 * @param recipe - normalizes rows
 * @param rows - the rows that it normalizes
 */
export type NormalizeRows = (recipe: Recipe, rows: ChangeSet) => void;

/**
 * Rows that contain entities in place of their pks, because they were stored before one of their relations was known.
 * They are found when they are denormalized, and normalized afterwards.
 */
export class InlineRows {
  /** The nodes of the rows that were found. */
  nodes = new Set<EntityNode>();
  readonly #registry: EntityRegistry;
  readonly #normalize: NormalizeRows;
  /** Rows that were normalized before. What is left in them is no entity. */
  readonly #attempted = new WeakSet<EntityValue>();

  constructor(registry: EntityRegistry, normalize: NormalizeRows) {
    this.#registry = registry;
    this.#normalize = normalize;
  }

  /** A denormalization has found such a row. */
  record(node: EntityNode): void {
    const { row } = node;
    if (row !== undefined && !this.#attempted.has(row)) this.nodes.add(node);
  }

  /** Normalizes the rows that were found. */
  normalize(): void {
    const rows = new ChangeSet();
    const named: [table: string, pk: string][] = [];
    for (const { entity, pk, row } of this.nodes) {
      if (row !== undefined) this.#attempted.add(row);
      rows.row(entity.key, pk, undefined);
      named.push([entity.key, pk]);
    }
    this.nodes = new Set();
    this.#normalize((writer) => normalizeStored(writer, named, this.#registry), rows);
  }
}
