import type { EntityClass, Lookup, Schema } from '../schema/Schema.ts';
import { MISSING } from '../schema/missing.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { Aliases } from '../store/Aliases.ts';
import { ChangeSet } from '../store/changes.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import type { EntityValue } from '../schema/Meta.ts';
import { normalizeStored } from '../store/normalizeStored.ts';
import { rowOf, type State, type StoredResult, type StoredRow } from '../store/State.ts';
import type { Recipe } from '../store/transaction.ts';
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

const NONE: ReadonlySet<unknown> = new Set();

/** Told of what is read, by those who must know what they stand on. */
export interface ReadListener {
  row(table: string, pk: string): void;
  table(table: string): void;
  result(key: string): void;
}

/**
 * Changes the state that views read, and has `apply` called with what came of it.
 *
 * @param recipe - normalizes rows
 * @param rows - those rows
 */
export type Normalize = (recipe: Recipe, rows: ChangeSet) => void;

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
  readonly #normalize: Normalize | undefined;
  /** Nodes whose rows were stored before one of their relations was known. */
  #inline = new Set<EntityNode>();
  /** What was tried to be normalized, and is nothing that can be, or is so by now. */
  readonly #tried = new WeakSet<EntityValue>();
  /** How many joins, and changes, are under way. */
  #depth = 0;

  /**
   * @param state - gives the state to read, which changes only together with a call of `apply`
   * @param aliases - temporary pks that stand for others by now
   * @param normalize - called where a row is read by a class that declares a relation which was not known when it
   * was stored
   */
  constructor(
    state: () => State,
    registry: EntityRegistry,
    onRead?: ReadListener,
    aliases: Aliases = new Aliases(),
    normalize?: Normalize,
  ) {
    this.#state = state;
    this.#registry = registry;
    this.#onRead = onRead;
    this.#aliases = aliases;
    this.#normalize = normalize;
  }

  /** The joined entity; `MISSING` when absent, deleted, invalid or incomplete. */
  entity(entity: EntityClass, pk: string, args: readonly unknown[] = []): unknown {
    const node = this.#nodes.entities.get(entity)?.get(pk);
    // One that is joined and not missing has its row: there is nothing to join and nothing to release.
    if (node?.phase === 'clean' && node.value !== MISSING && this.#inline.size === 0) return node.value;
    return this.#read(this.entityNode(entity, pk, args));
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
  watchEntity(entity: EntityClass, pk: string, args: readonly unknown[], listener: Listener): () => void {
    const find = (): Node => this.entityNode(entity, pk, args);
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
    this.#join(root);
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
    const found: EntityNode[] = [];
    for (const entity of this.#registry.of(table)) {
      for (const nodes of this.#nodes.of(entity)) {
        const node = nodes.get(pk);
        if (node !== undefined) found.push(node);
      }
    }
    return found;
  }

  /** Those of some rows which nothing joined reaches, but lazy relations of stored rows do. */
  lazilyReached(rows: readonly EntityNode[]): ReadonlySet<unknown> {
    const { lazy } = this.#nodes;
    const [lazyReach] = lazy.values();
    const { tables } = this.#state();
    return (
      lazyReach?.(rows, lazy.keys(), {
        row: (table, pk) => tables[table]?.get(pk)?.value,
        *rows(table) {
          for (const [pk, row] of tables[table]?.entries() ?? []) yield [pk, row.value];
        },
      }) ?? NONE
    );
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
    this.#depth += 1;
    try {
      this.#apply(changes, told);
    } finally {
      this.#depth -= 1;
    }
    // Rows may have come to be read that nobody looks at until this is done.
    if (this.#depth === 0 && this.#inline.size > 0) queueMicrotask(() => this.#normalizeInline());
  }

  #apply(changes: ChangeSet, told: Set<Listener>): void {
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
    const nodesOfTable = this.#registry.of(table).flatMap((entity) => [...this.#nodes.of(entity)]);
    // Nobody has read this table.
    if (nodesOfTable.length === 0 && indexes.length === 0 && membership === undefined) return;
    for (const [pk, before] of rows) {
      const after = rowOf(state, table, pk);
      if (rowsJoinAlike(before, after)) continue;
      if (before?.movedTo !== undefined || after?.movedTo !== undefined)
        this.#renamed(table, pk, rows, after);
      for (const index of indexes)
        for (const node of index.change(pk, before?.value, after?.value)) marking.mark(node);
      if (membership !== undefined && hasMoved(before, after)) marking.mark(membership);
      for (const nodes of nodesOfTable) {
        const node = nodes.get(pk);
        if (node === undefined || readsAlike(node, before, after)) continue;
        marking.mark(node);
        if (after === undefined) this.#letGo(node);
      }
    }
  }

  /** What has another pk, or its former one again, keeps its key, unless what has that pk has been shown already. */
  #renamed(
    table: string,
    pk: string,
    rows: ReadonlyMap<string, StoredRow | undefined>,
    after: StoredRow | undefined,
  ): void {
    const before = rows.get(pk);
    const to = after?.movedTo;
    const from = before?.movedTo;
    if (to !== undefined) {
      const there = rows.has(to) ? rows.get(to) : rowOf(this.#state(), table, to);
      const wasShown = from !== undefined || before?.value !== undefined;
      if (wasShown && there?.value === undefined) this.#aliases.renamed(table, from ?? pk, to);
    } else if (from !== undefined && after?.value !== undefined) {
      const target = rowOf(this.#state(), table, from);
      if (target?.value === undefined && target?.movedTo === undefined)
        this.#aliases.renamed(table, from, pk);
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

  entityNode(entity: EntityClass, named: string, args: readonly unknown[]): EntityNode {
    const pk = this.#aliases.pk(named);
    this.#onRead?.row(entity.key, pk);
    if (this.#nodes.entities.get(entity) === undefined) this.#registry.add(entity);
    return this.#nodes.entity(entity, pk, args);
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
    this.#join(node);
    if (node.isHeld || node.isBacked(this.#state())) return node.value;
    if (node.value === MISSING || node instanceof ValueNode) this.release([node]);
    else this.#recent.add(node);
    return node.value;
  }

  noteInline(node: EntityNode): void {
    const { row } = node;
    if (this.#normalize !== undefined && row !== undefined && !this.#tried.has(row)) this.#inline.add(node);
  }

  /** Joins a node that is dirty, once more where that has shown that rows are to be normalized. */
  #join(node: Node): void {
    do {
      if (node.phase !== 'dirty') continue;
      this.#depth += 1;
      try {
        new Join(this, this.#state()).run(node);
      } finally {
        this.#depth -= 1;
      }
    } while (this.#normalizeInline() && node.phase === 'dirty');
  }

  /** Returns whether there was something to normalize. Does nothing in the middle of a join or a change. */
  #normalizeInline(): boolean {
    const normalize = this.#normalize;
    if (this.#depth > 0 || this.#inline.size === 0 || normalize === undefined) return false;
    const rows = new ChangeSet();
    const named: [table: string, pk: string][] = [];
    for (const { entity, pk, row } of this.#inline) {
      if (row !== undefined) this.#tried.add(row);
      rows.row(entity.key, pk, undefined);
      named.push([entity.key, pk]);
    }
    this.#inline = new Set();
    normalize((writer) => normalizeStored(writer, named, this.#registry), rows);
    return true;
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
    this.#join(node);
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

/** Whether what has changed of a row is not what a node reads of it by its lens. */
function readsAlike(
  { entity, lensArgs }: EntityNode,
  before: StoredRow | undefined,
  after: StoredRow | undefined,
): boolean {
  if (entity.readsAlike === undefined || before?.value === undefined || after?.value === undefined)
    return false;
  return entity.readsAlike(before.value, after.value, lensArgs ?? []);
}
