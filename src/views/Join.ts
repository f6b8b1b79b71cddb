import { denormalizeValue } from '../schema/denormalizeValue.ts';
import type { Afterwards, EntityClass, Schema } from '../schema/Schema.ts';
import { isEntity } from '../schema/isEntity.ts';
import { MISSING, type Missing } from '../schema/missing.ts';
import type { EntityValue } from '../schema/Meta.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import { withoutTwins } from './ListMembers.ts';
import { ListNode, LONG_LIST } from './ListNode.ts';
import type { Filling, Node } from './Node.ts';

/** What a join needs of the graph it works on. */
export interface JoinedGraph {
  /** The node of an entity, made where there is none. */
  entityNode(entity: EntityClass, pk: string, args: readonly unknown[]): EntityNode;
  /** The node of a table's membership. */
  tableNode(entity: EntityClass): Node;
  /** The node of what an index has for a value; undefined where the value is in no index. */
  indexNode(entity: EntityClass, field: string, value: unknown): Node | undefined;
  /** Notes that the row of a node holds data of entities where their pks should stand. */
  noteInline(node: EntityNode): void;
  /** Forgets nodes that nothing holds any more. */
  release(nodes: readonly Node[]): void;
}

/**
 * Joins one node and every dirty node below it. Each is given an empty shell when it is first met, which its parents
 * may take at once, and is filled later from a work list: cycles close on the shells, and long chains do not overflow
 * the stack. Then what turned out to be missing is taken out of those that had taken its shell.
 */
export class Join implements Filling {
  readonly #graph: JoinedGraph;
  readonly #state: State;
  readonly #pending: Node[] = [];
  #begun: Node[] = [];
  /** Nodes that were found missing only after parents may have taken their shells. */
  #lost: Node[] = [];
  /** The node being filled, and what it has been joined from so far. */
  #current: Node | undefined;
  #deps: Node[] = [];
  /** Lists met in the current node so far: the nth list of a node keeps its `ListNode`. */
  #lists = 0;
  #afterwards: Afterwards<Node> | undefined;
  /** What was found by a former pk: a list may hold both pks, and shows it once. */
  readonly #moved = new Set<unknown>();

  constructor(graph: JoinedGraph, state: State) {
    this.#graph = graph;
    this.#state = state;
  }

  get args(): readonly unknown[] {
    return this.#current?.lensArgs ?? this.#current?.args ?? [];
  }

  get current(): Node | undefined {
    return this.#current;
  }

  get place(): string | undefined {
    return this.#current?.place;
  }

  run(root: Node): void {
    this.#begun = [root];
    try {
      if (this.#open(root)) this.#fill(root);
      for (let node = this.#pending.pop(); node !== undefined; node = this.#pending.pop()) this.#fill(node);
      this.#takeOutMissing();
      if (this.#afterwards !== undefined) this.#runLast(this.#afterwards);
    } catch (error) {
      // A constructor, converter or validate() of the user's threw: nothing of this run may be taken for finished.
      for (const node of this.#begun) node.abandon();
      throw error;
    }
    root.completed();
    for (const node of this.#begun) {
      node.phase = 'clean';
      if (process.env.NODE_ENV !== 'production') node.freeze();
    }
  }

  /** The value of a dirty node, to be filled before the run ends. */
  begin(node: Node): unknown {
    if (node.phase === 'dirty') {
      this.#begun.push(node);
      if (this.#open(node)) this.#pending.push(node);
    }
    return node.value;
  }

  /** Returns whether there is something to fill. */
  #open(node: Node): boolean {
    node.phase = 'begun';
    if (node.open(this.#state, this)) return true;
    this.#graph.release(node.setDeps([]));
    return false;
  }

  node(entity: EntityClass, pk: string): EntityNode {
    return this.#graph.entityNode(entity, pk, this.args);
  }

  release(nodes: readonly Node[]): void {
    this.#graph.release(nodes);
  }

  visit(schema: Schema, input: unknown): unknown {
    return denormalizeValue(schema, input, this);
  }

  entity(entity: EntityClass, pk: string): object | Missing {
    const node = this.node(entity, pk);
    const value = this.#dep(node) as object | Missing; // what EntityNode.open() sets
    if (node.movedTo !== undefined) this.#moved.add(value);
    return value;
  }

  row(entity: EntityClass, pk: string): EntityValue | undefined {
    const node = this.node(entity, pk);
    this.#dep(node);
    return rowOf(this.#state, entity.key, node.pk)?.value;
  }

  foundInline(): void {
    if (this.#current instanceof EntityNode) this.#graph.noteInline(this.#current);
  }

  list(member: Schema, items: readonly unknown[]): readonly unknown[] {
    if (isEntity(member) && items.length >= LONG_LIST) return this.#longList(member, items);
    const list: unknown[] = [];
    for (const item of items) {
      const value = this.visit(member, item);
      if (value !== MISSING) list.push(value);
    }
    return withoutTwins(list, this.#moved);
  }

  rows(entity: EntityClass): readonly string[] {
    const pks = this.#dep(this.#graph.tableNode(entity));
    return pks === MISSING ? [] : (pks as readonly string[]); // what TableNode.open() sets
  }

  hasTable(entity: EntityClass): boolean {
    return this.#dep(this.#graph.tableNode(entity)) !== MISSING;
  }

  find(entity: EntityClass, field: string, value: unknown): string | undefined {
    const node = this.#graph.indexNode(entity, field, value);
    const pk = node === undefined ? MISSING : this.#dep(node);
    return pk === MISSING ? undefined : (pk as string); // what IndexNode.open() sets
  }

  afterwards<A extends Afterwards>(make: () => A): A {
    this.#afterwards ??= make() as unknown as Afterwards<Node>; // it is given nothing but nodes, by `current`
    return this.#afterwards as unknown as A; // there is one kind of it only
  }

  #dep(node: Node): unknown {
    this.#deps.push(node);
    return this.begin(node);
  }

  #longList(member: EntityClass, items: readonly unknown[]): readonly unknown[] {
    const node = this.#formerList(member) ?? new ListNode(member);
    node.lensArgs = this.args;
    if (node.setItems(items)) {
      if (node.phase === 'clean') node.phase = 'dirty';
      if (items.some(isInline)) this.foundInline();
    }
    this.#deps.push(node);
    return this.begin(node) as readonly unknown[]; // a ListNode's value is a list
  }

  /** The list that stood at this place when the current node was last joined. */
  #formerList(member: EntityClass): ListNode | undefined {
    let nth = this.#lists++;
    for (const dep of this.#current?.deps ?? []) {
      if (dep instanceof ListNode && nth-- === 0) return dep.member === member ? dep : undefined;
    }
    return undefined;
  }

  #fill(node: Node): void {
    this.#current = node;
    this.#deps = [];
    this.#lists = 0;
    this.#afterwards?.filling();
    node.fill(this);
    if (!node.keepsDeps()) this.#graph.release(node.setDeps(this.#deps));
    if (node.value === MISSING) this.#lost.push(node);
  }

  /** Fills again, in waves, the parents of nodes that became missing after the parents had taken their shells. */
  #takeOutMissing(): void {
    while (this.#lost.length > 0) {
      const parents = new Set<Node>();
      for (const node of this.#lost) {
        for (const parent of node.parents)
          if (parent.phase === 'begun' && parent.value !== MISSING) parents.add(parent);
      }
      this.#lost = [];
      for (const parent of parents) this.#fill(parent);
    }
  }

  #runLast(last: Afterwards<Node>): void {
    const waiting = new Set(last.begin());
    if (process.env.NODE_ENV !== 'production') {
      for (const node of this.#begun) if (!waiting.has(node)) node.freeze();
    }
    for (const node of waiting) if (node.value !== MISSING) this.#fill(node);
  }
}

/** Whether something stands where a pk should. */
function isInline(item: unknown): boolean {
  return typeof item !== 'string' && item !== null && item !== undefined;
}
