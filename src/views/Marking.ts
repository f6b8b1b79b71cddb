import { MISSING } from '../schema/missing.ts';
import type { RowObserver, Schema } from '../schema/Schema.ts';
import type { Aliases } from '../store/Aliases.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import { hasUnreadChanges } from '../store/lazyListRow.ts';
import { RENAMES, withCurrentPks, type Rename } from '../store/renames.ts';
import { rowOf, type State, type StoredResult, type StoredRow } from '../store/State.ts';
import type { EntityNode } from './EntityNode.ts';
import type { Listener, Node } from './Node.ts';
import type { NodeRegistry } from './NodeRegistry.ts';

/** The graph that a change marks. */
export interface MarkedGraph {
  /** The changed state. */
  readonly state: State;
  readonly nodes: NodeRegistry;
  readonly registry: EntityRegistry;
  readonly aliases: Aliases;
  readonly observer: RowObserver | undefined;
}

/** The changed rows of one table, with their previous values. */
type ChangedRows = ReadonlyMap<string, StoredRow | undefined>;

/** A missing node and a parent that was denormalized without it. */
type Recheck = readonly [missing: Node, parent: Node];

/**
 * Marks what a change touches, with everything that depends on it. A value that was denormalized without a missing
 * node changes only if that node is no longer missing, which is checked afterwards.
 */
export class Marking {
  /** To be checked afterwards. Grows while marking. */
  readonly rechecks: Recheck[] = [];
  /** Nodes whose row or result is gone, and what these depended on. */
  readonly gone: Node[] = [];
  readonly #graph: MarkedGraph;
  readonly #listeners: Set<Listener>;
  readonly #roots: Set<Node>;

  /**
   * @param listeners - receives the listeners of the marked nodes
   * @param roots - receives the marked nodes that nothing depends on
   */
  constructor(graph: MarkedGraph, listeners: Set<Listener>, roots: Set<Node>) {
    this.#graph = graph;
    this.#listeners = listeners;
    this.#roots = roots;
  }

  /** Marks the nodes of changed rows, and those of the indexes, the tables and the live queries that contain them. */
  rowsChanged(table: string, rows: ChangedRows): void {
    const { state, nodes, registry } = this.#graph;
    if (table === RENAMES) this.#namesChanged(rows);
    const indexes = nodes.indexes.ofTable(table);
    const membership = nodes.tables.get(table);
    const observer = this.#graph.observer?.follows(table) === true ? this.#graph.observer : undefined;
    // No `flatMap`: for a single changed row, it takes longer than all that follows.
    const nodesOfTable: ReadonlyMap<string, EntityNode>[] = [];
    for (const entity of registry.of(table))
      for (const nodesByPk of nodes.of(entity)) nodesOfTable.push(nodesByPk);
    // No reader uses this table.
    if (nodesOfTable.length === 0 && indexes.length === 0 && (membership ?? observer) === undefined) return;
    for (const [pk, before] of rows) {
      const after = rowOf(state, table, pk);
      if (
        rowsViewEqual(before, after) &&
        registry.of(table).every(({ schema }) => meanSame(state, schema, before, after))
      )
        continue;
      if (before?.movedTo !== undefined || after?.movedTo !== undefined)
        this.#moveKey(table, pk, rows, after);
      for (const index of indexes)
        for (const node of index.change(pk, before?.value, after?.value)) this.mark(node);
      if (observer !== undefined) this.#markParts(observer.changed(table, pk, before?.value, after?.value));
      if (membership !== undefined && hasEnteredOrLeft(before, after)) this.mark(membership);
      for (const nodesByPk of nodesOfTable) {
        const node = nodesByPk.get(pk);
        if (node === undefined || isEqualForLens(node, before, after)) continue;
        this.mark(node);
        if (after === undefined) this.#detachDeleted(node);
      }
    }
  }

  /** Marks the nodes of a changed result. */
  resultChanged(key: string, before: StoredResult | undefined): void {
    const { state, nodes } = this.#graph;
    const after = state.results.get(key);
    for (const node of nodes.results(key)) {
      // New times alone keep the value, but a reader may show them.
      if (resultsViewEqual(before, after) && meanSame(state, node.schema, before, after))
        node.collectListeners(this.#listeners);
      else this.mark(node);
      if (after === undefined) this.gone.push(node);
    }
  }

  /** Marks a node that depends on a changed one. */
  markParent(parent: Node, child: Node): void {
    parent.childMarked(child);
    this.mark(parent);
  }

  /** Marks a node and everything that depends on it. Iterative, so that a long chain does not overflow the stack. */
  mark(start: Node): void {
    const stack: Node[] = [start];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.phase === 'dirty') continue;
      node.phase = 'dirty';
      node.collectListeners(this.#listeners);
      let isRoot = true;
      for (const parent of node.parents) {
        isRoot = false;
        if (node.value === MISSING && parent.value !== MISSING) {
          this.rechecks.push([node, parent]);
        } else {
          parent.childMarked(node);
          stack.push(parent);
        }
      }
      if (isRoot) this.#roots.add(node);
    }
  }

  #markParts(parts: Iterable<object>): void {
    for (const part of parts) {
      const node = this.#graph.nodes.parts.get(part);
      if (node !== undefined) this.mark(node);
    }
  }

  /** Marks what refers to renamed entities by their former pks. */
  #namesChanged(rows: ChangedRows): void {
    const { state, nodes, registry, observer } = this.#graph;
    for (const [pk, before] of rows) {
      // That of a layer may be gone.
      const rename = (rowOf(state, RENAMES, pk) ?? before) as Rename | undefined; // all rows of the table are
      if (rename === undefined) continue;
      const { table, from } = rename.value;
      this.#markParts(observer?.renamed(table, from) ?? []);
      for (const node of nodes.ofRow(registry.of(table), from))
        for (const parent of node.parents) this.markParent(parent, node);
    }
  }

  /** A renamed entity, or one that returns to its former pk, keeps its key unless another row already uses that pk. */
  #moveKey(table: string, pk: string, rows: ChangedRows, after: StoredRow | undefined): void {
    const { state, aliases } = this.#graph;
    const before = rows.get(pk);
    const to = after?.movedTo;
    const from = before?.movedTo;
    if (to !== undefined) {
      const there = rows.has(to) ? rows.get(to) : rowOf(state, table, to);
      const wasShown = from !== undefined || before?.value !== undefined;
      if (wasShown && there?.value === undefined) aliases.rename(table, from ?? pk, to);
    } else if (from !== undefined && after?.value !== undefined) {
      const target = rowOf(state, table, from);
      if (target?.value === undefined && target?.movedTo === undefined) aliases.rename(table, from, pk);
    }
  }

  /** A deleted row has no dependencies; otherwise the nodes of a cycle would hold each other. */
  #detachDeleted(node: EntityNode): void {
    // It has the server's pk now. What refers to it depends on that row, also if both are incomplete.
    if (this.#graph.aliases.pk(node.pk) !== node.pk)
      for (const parent of node.parents) this.markParent(parent, node);
    node.value = MISSING;
    for (const dep of node.setDeps([])) this.gone.push(dep);
    this.gone.push(node);
  }
}

/** Whether two rows give the same view, without computing the value of a lazy list row. */
function rowsViewEqual(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    !hasUnreadChanges(before) &&
    !hasUnreadChanges(after) &&
    before.value === after.value &&
    before.movedTo === after.movedTo
  );
}

/** A row or result. */
type Version = StoredRow | StoredResult | undefined;

/** Whether the references of two equal versions mean the same entities: one may be newer than a rename. */
function meanSame(state: State, schema: Schema, before: Version, after: Version): boolean {
  const pksOf = (version: Version): unknown => version && withCurrentPks(state, schema, version);
  return pksOf(before) === pksOf(after);
}

/** Whether two results give the same view. */
function resultsViewEqual(before: StoredResult | undefined, after: StoredResult | undefined): boolean {
  return (
    before?.value === after?.value &&
    before?.invalidated === after?.invalidated &&
    before?.shape === after?.shape
  );
}

/** Whether a row was added to its table or removed from it. A tombstone counts: it may be the only row. */
function hasEnteredOrLeft(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  return (before?.value === undefined) !== (after?.value === undefined) || !before || !after;
}

/** Whether the change of a row does not affect what a node reads through its lens. */
function isEqualForLens(
  { entity, lensArgs }: EntityNode,
  before: StoredRow | undefined,
  after: StoredRow | undefined,
): boolean {
  if (entity.isEqualForLens === undefined || before?.value === undefined || after?.value === undefined)
    return false;
  return entity.isEqualForLens(before.value, after.value, lensArgs ?? []);
}
