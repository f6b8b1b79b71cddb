import { isCollectionRow } from '../schema/collection/CollectionRow.ts';
import { lazyReachOf, lensesOf } from '../schema/eachSchema.ts';
import { MISSING } from '../schema/missing.ts';
import type { EntityClass, LazyReach, Lens, RowObserver, Schema } from '../schema/Schema.ts';
import type { State, StoredRow } from '../store/State.ts';
import type { Table } from '../store/Table.ts';
import { containsTemporaryPk } from '../store/temporaryPks.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { CollectionNode } from './CollectionNode.ts';
import { EntityNode } from './EntityNode.ts';
import { LeafNode } from './LeafNode.ts';
import type { Node } from './Node.ts';
import { QueryNode, ResultNode } from './RootNode.ts';
import { Indexes } from './RowIndex.ts';

/** The nodes of a class. */
interface ClassNodes {
  readonly lenses: readonly Lens[];
  /** By the selected lens values, as text, then by pk. A class without lens fields has one map. */
  readonly byLens: Map<string, Map<string, EntityNode>>;
  /** The map of a class without lens fields. */
  readonly shared: Map<string, EntityNode> | undefined;
}

const NO_RESULTS: readonly ResultNode[] = [];

/** Finds the nodes of a graph by what they show. */
export class NodeRegistry {
  /** The nodes of entities. */
  readonly classes = new Map<EntityClass, ClassNodes>();
  /** By class with lazy relations: the function that finds the rows they refer to. */
  readonly lazy = new Map<EntityClass, LazyReach>();
  /** By key: one node (most keys), or one for each schema. */
  readonly #results = new Map<string, ResultNode | readonly ResultNode[]>();
  readonly #queries = new Map<Schema, Map<string, QueryNode>>();
  /** The queries whose args contain a temporary pk. */
  readonly temporaryQueries = new Set<QueryNode>();
  readonly tables = new Map<string, LeafNode>();
  readonly indexes = new Indexes();
  /** Of the row observer, by part. */
  readonly parts = new Map<object, LeafNode>();

  /** The node of an entity, created if there is none. */
  entity(entity: EntityClass, pk: string, args: readonly unknown[]): EntityNode {
    const { lenses, byLens, shared } = getOrInsert(this.classes, entity, () => this.#addClass(entity));
    const nodes =
      shared ??
      getOrInsert(
        byLens,
        JSON.stringify(lenses.map((lens) => lens(args))),
        () => new Map<string, EntityNode>(),
      );
    let node = nodes.get(pk);
    if (node === undefined) {
      node = isCollectionRow(entity) ? new CollectionNode(entity, pk) : new EntityNode(entity, pk);
      if (shared === undefined) node.lensArgs = args;
      nodes.set(pk, node);
    }
    return node;
  }

  /** The nodes of a class by pk: one map, or one for each selected lens value. */
  of(entity: EntityClass): Iterable<ReadonlyMap<string, EntityNode>> {
    return this.classes.get(entity)?.byLens.values() ?? [];
  }

  /** The nodes of a row through these classes. */
  ofRow(entities: readonly EntityClass[], pk: string): EntityNode[] {
    const found: EntityNode[] = [];
    for (const entity of entities)
      for (const nodes of this.of(entity)) {
        const node = nodes.get(pk);
        if (node !== undefined) found.push(node);
      }
    return found;
  }

  #addClass(entity: EntityClass): ClassNodes {
    const lazyReach = lazyReachOf(entity);
    if (lazyReach !== undefined) this.lazy.set(entity, lazyReach);
    const lenses = lensesOf(entity);
    const shared = lenses.length === 0 ? new Map<string, EntityNode>() : undefined;
    return { lenses, byLens: new Map(shared && [['', shared]]), shared };
  }

  /** The endpoint keys that have nodes. */
  resultKeys(): Iterable<string> {
    return this.#results.keys();
  }

  /** The nodes of an endpoint key, one for each schema. */
  results(key: string): readonly ResultNode[] {
    const found = this.#results.get(key);
    return found instanceof ResultNode ? [found] : (found ?? NO_RESULTS);
  }

  addResult(node: ResultNode): void {
    const others = this.results(node.key);
    this.#results.set(node.key, others.length === 0 ? node : [...others, node]);
  }

  /**
   * The node of a query, created if there is none.
   *
   * @param key - the args as text
   */
  query(schema: Schema, args: readonly unknown[], key: string): QueryNode {
    const nodes = getOrInsert(this.#queries, schema, () => new Map<string, QueryNode>());
    return getOrInsert(nodes, key, () => {
      const node = new QueryNode(schema, args, key);
      if (containsTemporaryPk(key)) this.temporaryQueries.add(node);
      return node;
    });
  }

  /** The nodes of queries. */
  *queries(): Iterable<QueryNode> {
    for (const nodes of this.#queries.values()) yield* nodes.values();
  }

  /**
   * The node of a table's pks without tombstones, created if there is none; `MISSING` if the table has had no row at
   * all. Changes only when a row is added or removed.
   */
  table(table: string): LeafNode {
    const read = ({ tables }: State): unknown => storedPks(tables[table]);
    return getOrInsert(this.tables, table, () => new LeafNode(read, () => this.tables.delete(table)));
  }

  /** The node of a part of the row observer, created if there is none. */
  part(part: object, observer: RowObserver): LeafNode {
    return getOrInsert(this.parts, part, () => {
      const forget = (): void => {
        if (this.parts.delete(part)) observer.released(part);
      };
      return new LeafNode(() => part, forget);
    });
  }

  /** Removes a node from the lookups; the next reader gets a new one. */
  forget(node: Node): void {
    if (node instanceof EntityNode) {
      const { byLens, shared } = this.classes.get(node.entity) ?? {};
      for (const [selected, nodes] of byLens ?? []) {
        forgetIn(nodes, node.pk, node);
        if (nodes.size === 0 && nodes !== shared) byLens?.delete(selected);
      }
    } else if (node instanceof ResultNode) {
      node.isForgotten = true;
      const others = this.results(node.key).filter((other) => other !== node);
      if (others.length === 0) this.#results.delete(node.key);
      else this.#results.set(node.key, others);
    } else if (node instanceof QueryNode) {
      const nodes = this.#queries.get(node.schema);
      forgetIn(nodes, node.key, node);
      if (nodes?.size === 0) this.#queries.delete(node.schema);
      this.temporaryQueries.delete(node);
    } else if (node instanceof LeafNode) {
      node.forget();
    }
  }
}

function storedPks(rows: Table<StoredRow> | undefined): unknown {
  if (rows === undefined) return MISSING;
  const pks: string[] = [];
  for (const [pk, row] of rows.entries()) if (row.value !== undefined) pks.push(pk);
  return pks;
}

/** Another node may have replaced it. */
function forgetIn<N>(nodes: Map<string, N> | undefined, key: string, node: N): void {
  if (nodes?.get(key) === node) nodes.delete(key);
}
