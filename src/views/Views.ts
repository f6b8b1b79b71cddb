import type { EntityClass, Lookup, Schema } from '../schema/Schema.ts';
import { MISSING } from '../schema/missing.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { Aliases } from '../store/Aliases.ts';
import type { ChangeSet } from '../store/changes.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import { rowOf, type State, type StoredResult, type StoredRow } from '../store/State.ts';
import type { EntityNode } from './EntityNode.ts';
import { Join, type JoinedGraph } from './Join.ts';
import { hasMoved, resultsJoinAlike, rowsJoinAlike } from './joinsAlike.ts';
import type { Listener, Node } from './Node.ts';
import { Marking } from './Marking.ts';
import { Nodes } from './Nodes.ts';
import { Recent } from './Recent.ts';
import { ResultNode, ValueNode } from './RootNode.ts';
import { indexKey, type IndexNode } from './RowIndex.ts';
import type { TableNode } from './TableNode.ts';

/** How many schemas may read one key before those that nobody holds are forgotten. */
const SCHEMAS_PER_KEY = 4;

/** Told of what is read, by those who must know what they stand on. */
export interface ReadListener {
  row(table: string, pk: string): void;
  table(table: string): void;
  result(key: string): void;
}

/**
 * The joined objects of one state, as a graph: a change marks what was joined from it, and a read joins again only
 * what is marked. The same row read through the same class is the same object for every reader.
 */
export class Views implements JoinedGraph, Lookup {
  /** Rises with each change: what was read at the same version reads the same. */
  version = 0;
  readonly #state: () => State;
  readonly #registry: EntityRegistry;
  readonly #onRead: ReadListener | undefined;
  readonly #aliases: Aliases;
  readonly #nodes = new Nodes();
  readonly #recent = new Recent((nodes) => this.release(nodes));
  /** Nodes that nothing is joined from and that may stand on other rows than they were last joined from. */
  readonly #unsettled = new Set<Node>();
  /** Keys of results that nobody has read. Those that hold no entities, or are gone, are sorted out by `hasUnread`. */
  readonly #unread = new Set<string>();

  /**
   * @param state - gives the state to read, which changes only together with a call of `apply`
   * @param aliases - temporary pks that stand for others by now
   */
  constructor(
    state: () => State,
    registry: EntityRegistry,
    onRead?: ReadListener,
    aliases: Aliases = new Aliases(),
  ) {
    this.#state = state;
    this.#registry = registry;
    this.#onRead = onRead;
    this.#aliases = aliases;
  }

  /** The joined entity; `MISSING` when absent, deleted, invalid or incomplete. */
  entity(entity: EntityClass, pk: string): unknown {
    const node = this.#nodes.entities.get(entity)?.get(pk);
    // One that is joined and not missing has its row: there is nothing to join and nothing to release.
    if (node?.phase === 'clean' && node.value !== MISSING) return node.value;
    return this.#read(this.entityNode(entity, pk));
  }

  /** The joined result of an endpoint. */
  result(key: string, schema: Schema, args: readonly unknown[]): unknown {
    return this.#read(this.#resultNode(key, schema, args));
  }

  /** What args ask of the rows by a schema; `MISSING` when they do not tell, or it is not all there. */
  query(schema: Schema, args: readonly unknown[]): unknown {
    return this.#read(this.#nodes.query(schema, args));
  }

  /** Joins any normalized value, once. */
  join(schema: Schema, value: unknown, args: readonly unknown[]): unknown {
    return this.#read(new ValueNode(schema, value, args));
  }

  /** Tells `listener` when an entity may have changed; of one under a temporary pk also when it has gone over to another. */
  watchEntity(entity: EntityClass, pk: string, listener: Listener): () => void {
    const find = (): Node => this.entityNode(entity, pk);
    return this.#watch(find(), listener, find);
  }

  /** Tells `listener` when what a query gives may have changed. */
  watchQuery(schema: Schema, args: readonly unknown[], listener: Listener): () => void {
    return this.#watch(this.#nodes.query(schema, args), listener);
  }

  /**
   * Tells `listener` when a result or what it is joined from may have changed.
   *
   * @param listener - one of its own for each call
   * @returns what `unlisten` is to be given
   */
  listen(key: string, schema: Schema, args: readonly unknown[], listener: Listener): Node {
    const node = this.#resultNode(key, schema, args);
    this.#listen(node, listener);
    return node;
  }

  /** Tells a listener no more. */
  unlisten(node: Node, listener: Listener): void {
    node.unlisten(listener);
    this.release([node]);
  }

  /** The endpoint keys that have been read and are still held or backed by a result. */
  resultKeys(): Iterable<string> {
    return this.#nodes.resultKeys();
  }

  /** A schema by which the stored result of a key is read; undefined where nobody reads it, or only by other shapes. */
  schemaOf(key: string): Schema | undefined {
    const shape = this.#state().results.get(key)?.shape ?? '';
    return this.#nodes.results(key).find(({ schema }) => shapeOf(schema) === shape)?.schema;
  }

  /** What `look` sees at the node of a result, joined. */
  look<T>(key: string, schema: Schema, args: readonly unknown[], look: (root: Node, state: State) => T): T {
    const root = this.#resultNode(key, schema, args);
    if (root.phase === 'dirty') new Join(this, this.#state()).run(root);
    const seen = look(root, this.#state());
    if (!root.isHeld) this.#read(root);
    return seen;
  }

  /** Whether results are stored of which nobody knows what they reach. */
  get hasUnread(): boolean {
    const { results } = this.#state();
    for (const key of this.#unread) {
      if (results.get(key)?.shape !== undefined) return true;
      this.#unread.delete(key);
    }
    return false;
  }

  /** Joins whatever may stand on other rows by now, so that the graph tells what reaches what. */
  settle(): void {
    for (const node of this.#unsettled) {
      this.#unsettled.delete(node);
      if (node.phase === 'dirty') this.#isStillMissing(node);
    }
  }

  /** The node of a result and those of the same key by other schemas, joined. */
  resultNodes(key: string, schema: Schema, args: readonly unknown[]): readonly Node[] {
    const node = this.#resultNode(key, schema, args);
    this.#isStillMissing(node);
    return [node, ...this.#nodes.results(key)];
  }

  /** Lets go of nodes at once, however recently they were read. */
  drop(nodes: Iterable<Node>): void {
    this.#recent.drop([...nodes]);
  }

  /** The nodes of one row, by the classes that have read it. */
  rowNodes(table: string, pk: string): EntityNode[] {
    return this.#registry.of(table).flatMap((entity) => this.#nodes.entities.get(entity)?.get(pk) ?? []);
  }

  /** How many entities and results have a node. */
  get size(): number {
    return this.#nodes.size;
  }

  /** Lets go of what is kept only because it was read a moment ago. */
  releaseRecent(): void {
    this.#recent.clear();
  }

  /** Marks what has changed, and adds the listeners that are to be told of it. */
  apply(changes: ChangeSet, told: Set<Listener>): void {
    this.version += 1;
    this.#recent.changed();
    const marking = new Marking(told, this.#unsettled);
    for (const [table, rows] of changes.rows) this.#applyRows(table, rows, marking);
    for (const [key, before] of changes.resultsInTurn) this.#applyResult(key, before, marking);
    // Marking may raise further doubts, which join the list.
    for (const [missing, parent] of marking.doubts) {
      if (parent.phase === 'dirty' || this.#isStillMissing(missing)) continue;
      parent.childMarked(missing);
      marking.mark(parent);
    }
  }

  #applyRows(table: string, rows: ReadonlyMap<string, StoredRow | undefined>, marking: Marking): void {
    const state = this.#state();
    const indexes = this.#nodes.indexes.concerned(table);
    const membership = this.#nodes.tables.get(table);
    const nodesOfTable = this.#registry
      .of(table)
      .map((entity) => this.#nodes.entities.get(entity))
      .filter((nodes) => nodes !== undefined);
    // Nobody has read this table.
    if (nodesOfTable.length === 0 && indexes.length === 0 && membership === undefined) return;
    for (const [pk, before] of rows) {
      const after = rowOf(state, table, pk);
      if (rowsJoinAlike(before, after)) continue;
      for (const index of indexes)
        for (const node of index.change(pk, before?.value, after?.value)) marking.mark(node);
      if (membership !== undefined && hasMoved(before, after)) marking.mark(membership);
      for (const nodes of nodesOfTable) {
        const node = nodes.get(pk);
        if (node === undefined) continue;
        marking.mark(node);
        if (after === undefined) this.#letGo(node);
      }
    }
  }

  #applyResult(key: string, before: StoredResult | undefined, marking: Marking): void {
    const nodes = this.#nodes.results(key);
    if (nodes.length === 0) {
      // One that had a shape is noted already.
      if (before?.shape === undefined) this.#unread.add(key);
      return;
    }
    const after = this.#state().results.get(key);
    for (const node of nodes) {
      // New times alone leave the joined value as it is, but a reader may show them.
      if (resultsJoinAlike(before, after)) marking.tell(node);
      else marking.mark(node);
      if (after === undefined) this.release([node]);
    }
  }

  /** A row that is gone is joined from nothing: nodes of a cycle would hold each other otherwise. */
  #letGo(node: EntityNode): void {
    node.value = MISSING;
    this.release([...node.setDeps([]), node]);
  }

  #isStillMissing(node: Node): boolean {
    try {
      return this.#read(node) === MISSING;
    } catch {
      // Whoever reads it will be told.
      return false;
    }
  }

  entityNode(entity: EntityClass, named: string): EntityNode {
    const pk = this.#aliases.pk(named);
    this.#onRead?.row(entity.key, pk);
    if (this.#nodes.entities.get(entity) === undefined) this.#registry.add(entity);
    return this.#nodes.entity(entity, pk);
  }

  tableNode({ key }: EntityClass): TableNode {
    this.#onRead?.table(key);
    return this.#nodes.table(key);
  }

  indexNode(entity: EntityClass, field: string, value: unknown): IndexNode | undefined {
    this.#onRead?.table(entity.key);
    const key = indexKey(value);
    return key === undefined ? undefined : this.#nodes.indexes.of(this.#state(), entity.key, field).node(key);
  }

  find(entity: EntityClass, field: string, value: unknown): string | undefined {
    const key = indexKey(value);
    return key === undefined ? undefined : this.#nodes.indexes.of(this.#state(), entity.key, field).find(key);
  }

  hasTable(entity: EntityClass): boolean {
    return this.#state().tables[entity.key] !== undefined;
  }

  release(nodes: readonly Node[]): void {
    if (nodes.length === 0) return;
    const waiting = [...nodes];
    const state = this.#state();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      // A node that is being joined is about to get a parent.
      if (node.isHeld || node.phase === 'begun' || this.#recent.has(node) || node.isBacked(state)) continue;
      waiting.push(...this.#forget(node));
    }
  }

  /** @returns what it was joined from */
  #forget(node: Node): readonly Node[] {
    this.#unsettled.delete(node);
    this.#nodes.forget(node);
    return node.setDeps([]);
  }

  #read(node: Node): unknown {
    if (node.phase === 'dirty') new Join(this, this.#state()).run(node);
    if (node.isHeld || node.isBacked(this.#state())) return node.value;
    if (node.value === MISSING || node instanceof ValueNode) this.release([node]);
    else this.#recent.add(node);
    return node.value;
  }

  /** @param find - where another node may take the place of this one */
  #watch(node: Node, listener: Listener, find?: () => Node): () => void {
    // A watch of its own each time, which stays silent once it was stopped, even while listeners are being told.
    let watched: Node | undefined = node;
    const tell = (): void => {
      if (watched === undefined) return;
      const found = find?.() ?? watched;
      if (found !== watched) {
        this.unlisten(watched, tell);
        this.#listen((watched = found), tell);
      }
      listener();
    };
    this.#listen(watched, tell);
    return () => {
      if (watched !== undefined) this.unlisten(watched, tell);
      watched = undefined;
    };
  }

  #listen(node: Node, listener: Listener): void {
    // Marking stops at dirty nodes, so a node with listeners starts clean.
    if (node.phase === 'dirty') new Join(this, this.#state()).run(node);
    node.listen(listener);
  }

  #resultNode(key: string, schema: Schema, args: readonly unknown[]): ResultNode {
    this.#onRead?.result(key);
    const nodes = this.#nodes.results(key);
    for (const node of nodes) if (node.schema === schema) return node;
    // A schema written anew at each render would otherwise leave a node behind each time.
    if (nodes.length >= SCHEMAS_PER_KEY)
      for (const node of nodes) if (!node.isHeld) this.release(this.#forget(node));
    const made = new ResultNode(key, schema, args);
    this.#unread.delete(key);
    this.#nodes.addResult(made);
    return made;
  }
}
