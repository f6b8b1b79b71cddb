import { denormalizeValue } from '../schema/denormalizeValue.ts';
import type { DeferredPass, EntityClass, RowObserver, RowSource, Schema } from '../schema/Schema.ts';
import { isEntity } from '../schema/isEntity.ts';
import { MISSING, type Missing } from '../schema/missing.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { Aliases } from '../store/Aliases.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import type { InlineRows } from './InlineRows.ts';
import type { LiveQueries } from './LiveQueries.ts';
import { ListNode, LONG_LIST, withoutDuplicates } from './ListNode.ts';
import type { DenormalizeContext, Node } from './Node.ts';
import { matchOf } from './RowIndex.ts';

const NO_NODES: readonly Node[] = [];

/** The graph that a denormalization works on. */
export interface ViewGraph {
  /** The node of an entity, created if there is none. */
  entityNode(entity: EntityClass, pk: string, args: readonly unknown[]): EntityNode;
  /** The node of a table's membership. */
  tableNode(entity: EntityClass): Node;
  /** The node of an index entry; undefined if the value cannot be indexed. */
  indexNode(entity: EntityClass, field: string, value: unknown): Node | undefined;
  /** Has what observes rows. */
  readonly liveQueries: Pick<LiveQueries, 'observer'>;
  /** The node of a part of the observer. */
  partNode(part: object, tables: Iterable<string>): Node;
  /** Collects the nodes whose rows contain inline entities instead of pks. */
  readonly inlineRows: Pick<InlineRows, 'record'>;
  /** Records that the row of a node is not stored. */
  recordAbsent(node: EntityNode): void;
  /** Knows the server's ids in place of temporary pks. */
  readonly aliases: Pick<Aliases, 'args'>;
  /** Forgets nodes that nothing holds any longer. */
  release(nodes: readonly Node[]): void;
}

/**
 * Denormalizes a node and every dirty node below it. Each node first gets an empty shell, which its parents may
 * reference at once, and is filled later from a work list: cycles close on the shells, and long chains do not
 * overflow the stack. Then missing nodes are removed from the parents that took their shells.
 */
export class Denormalizer implements DenormalizeContext {
  readonly #graph: ViewGraph;
  readonly #state: State;
  #pending: Node[] | undefined;
  #computing = NO_NODES;
  /** Nodes found missing after parents may have taken their shells. */
  #missing: Node[] | undefined;
  /** The node being filled, and its dependencies so far. */
  #current: Node | undefined;
  #deps = NO_NODES;
  /** The number of lists met in the current node: its nth list keeps its `ListNode`. */
  #lists = 0;
  #deferredPass: DeferredPass<Node> | undefined;
  /** Entities found by a former pk: a list that holds both pks shows the entity once. */
  #moved: Set<unknown> | undefined;

  constructor(graph: ViewGraph, state: State) {
    this.#graph = graph;
    this.#state = state;
  }

  get args(): readonly unknown[] {
    return this.#current?.lensArgs ?? this.#current?.args ?? [];
  }

  get current(): Node | undefined {
    return this.#current;
  }

  get label(): string | undefined {
    return this.#current?.label;
  }

  run(root: Node): void {
    this.#computing = [root];
    try {
      if (this.#prepare(root)) this.#fill(root);
      for (let node = this.#pending?.pop(); node !== undefined; node = this.#pending?.pop()) this.#fill(node);
      this.#propagateMissing();
      if (this.#deferredPass !== undefined) this.#runDeferredPass(this.#deferredPass);
    } catch (error) {
      // The user's constructor, converter or validate() threw: nothing of this run may be reused.
      for (const node of this.#computing) node.abandon();
      throw error;
    }
    root.completed();
    // oxlint-disable-next-line typescript/prefer-for-of -- runs for each mounted read: creates no iterator
    for (let nth = 0; nth < this.#computing.length; nth++) {
      const node = this.#computing[nth] as Node; // within the list
      node.phase = 'clean';
      if (process.env.NODE_ENV !== 'production') node.freeze();
    }
  }

  /** The value of a node; a dirty one is filled before the run ends. */
  resolve(node: Node): unknown {
    if (node.phase === 'dirty' || node.phase === 'failed') {
      this.#computing = withNode(this.#computing, node);
      if (!this.#prepare(node)) return node.value;
      if (this.#pending === undefined) this.#pending = [node];
      else this.#pending.push(node);
    }
    return node.value;
  }

  /** Returns whether there is something to fill. */
  #prepare(node: Node): boolean {
    node.phase = 'computing';
    if (node.prepare(this.#state, this)) return true;
    if (node instanceof EntityNode && !node.isStored(this.#state)) this.#graph.recordAbsent(node);
    this.#graph.release(node.setDeps([]));
    return false;
  }

  node(entity: EntityClass, pk: string): EntityNode {
    return this.#graph.entityNode(entity, pk, this.args);
  }

  currentArgs(args: readonly unknown[]): readonly unknown[] {
    return this.#graph.aliases.args(args);
  }

  release(nodes: readonly Node[]): void {
    this.#graph.release(nodes);
  }

  visit(schema: Schema, input: unknown): unknown {
    return denormalizeValue(schema, input, this);
  }

  entity(entity: EntityClass, pk: string): object | Missing {
    const node = this.node(entity, pk);
    const value = this.#dependOn(node) as object | Missing; // what EntityNode.prepare() sets
    if (node.movedTo !== undefined) (this.#moved ??= new Set()).add(value);
    return value;
  }

  row(entity: EntityClass, pk: string): EntityValue | undefined {
    const node = this.node(entity, pk);
    this.#dependOn(node);
    return rowOf(this.#state, entity.key, node.pk)?.value;
  }

  reportInline(): void {
    if (this.#current instanceof EntityNode) this.#graph.inlineRows.record(this.#current);
  }

  list(member: Schema, items: readonly unknown[]): readonly unknown[] {
    if (isEntity(member) && items.length >= LONG_LIST) return this.#longList(member, items);
    const list: unknown[] = [];
    for (const item of items) {
      const value = this.visit(member, item);
      if (value !== MISSING) list.push(value);
    }
    return withoutDuplicates(list, this.#moved);
  }

  rows(entity: EntityClass): readonly string[] {
    const pks = this.#dependOn(this.#graph.tableNode(entity));
    return pks === MISSING ? [] : (pks as readonly string[]); // what the node of a table shows
  }

  scans(): boolean {
    return true;
  }

  observer<O extends RowObserver>(make: (source: RowSource) => O): O {
    return this.#graph.liveQueries.observer(make);
  }

  part(part: object, tables: Iterable<string>): void {
    this.#dependOn(this.#graph.partNode(part, tables));
  }

  hasTable(entity: EntityClass): boolean {
    return this.#dependOn(this.#graph.tableNode(entity)) !== MISSING;
  }

  find(entity: EntityClass, field: string, value: unknown, args: object = {}): string | undefined {
    const node = this.#graph.indexNode(entity, field, value);
    const pks = node === undefined ? MISSING : this.#dependOn(node);
    if (pks === MISSING) return undefined;
    return matchOf(pks as readonly string[], entity, field, args, (pk) => this.row(entity, pk)); // what the node of an index shows
  }

  deferredPass<A extends DeferredPass>(make: () => A): A {
    this.#deferredPass ??= make() as unknown as DeferredPass<Node>; // `current` gives it nodes only
    return this.#deferredPass as unknown as A; // only one kind is ever created
  }

  #dependOn(node: Node): unknown {
    this.#deps = withNode(this.#deps, node);
    return this.resolve(node);
  }

  #longList(member: EntityClass, items: readonly unknown[]): readonly unknown[] {
    const node = this.#previousList(member) ?? new ListNode(member);
    node.lensArgs = this.args;
    if (node.setItems(items)) {
      if (node.phase === 'clean') node.phase = 'dirty';
      if (this.#current instanceof EntityNode && items.some(isInline)) this.reportInline();
    }
    return this.#dependOn(node) as readonly unknown[]; // a ListNode's value is a list
  }

  /** The list that was at this position when the node was last denormalized. */
  #previousList(member: EntityClass): ListNode | undefined {
    let nth = this.#lists++;
    for (const dep of this.#current?.deps ?? []) {
      if (dep instanceof ListNode && nth-- === 0) return dep.member === member ? dep : undefined;
    }
    return undefined;
  }

  #fill(node: Node): void {
    this.#current = node;
    this.#deps = NO_NODES;
    this.#lists = 0;
    this.#deferredPass?.startNode();
    try {
      node.fill(this);
    } finally {
      // Also if a class threw: when that row changes, the readers of this node try again.
      if (!node.managesDeps()) this.#graph.release(node.setDeps(this.#deps));
    }
    if (node.value === MISSING) (this.#missing ??= []).push(node);
  }

  /** Fills again, in waves, the parents of nodes that turned out to be missing. */
  #propagateMissing(): void {
    for (let missing = this.#missing; missing !== undefined; missing = this.#missing) {
      const parents = new Set<Node>();
      for (const node of missing) {
        for (const parent of node.parents)
          if (parent.phase === 'computing' && parent.value !== MISSING) parents.add(parent);
      }
      this.#missing = undefined;
      for (const parent of parents) this.#fill(parent);
    }
  }

  #runDeferredPass(last: DeferredPass<Node>): void {
    const stack = new Set(last.finish());
    if (process.env.NODE_ENV !== 'production') {
      for (const node of this.#computing) if (!stack.has(node)) node.freeze();
    }
    for (const node of stack) if (node.value !== MISSING) this.#fill(node);
  }
}

/** The list with one more node. Most have one or two: a push, or a spread, would reserve places for 16 more. */
function withNode(list: readonly Node[], node: Node): readonly Node[] {
  if (list.length === 0) return [node];
  if (list.length === 1) return [list[0] as Node, node]; // within the list
  (list as Node[]).push(node); // it was made here
  return list;
}

/** Whether there is an inline value instead of a pk. */
function isInline(item: unknown): boolean {
  return typeof item !== 'string' && item !== null && item !== undefined;
}
