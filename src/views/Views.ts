import type { EntityClass, Lookup, RowObserver, RowSource, Schema } from '../schema/Schema.ts';
import { stableJson } from '../endpoint/stableJson.ts';
import { MISSING } from '../schema/missing.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { Aliases } from '../store/Aliases.ts';
import type { ChangeSet } from '../store/changes.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import { rowOf, type State } from '../store/State.ts';
import { type EntityNode } from './EntityNode.ts';
import { Denormalizer, type ViewGraph } from './Denormalizer.ts';
import { InlineRows, type NormalizeRows } from './InlineRows.ts';
import { LiveQueries } from './LiveQueries.ts';
import type { Listener, Node } from './Node.ts';
import { Marking } from './Marking.ts';
import { NodeRegistry } from './NodeRegistry.ts';
import { ReadCache } from './ReadCache.ts';
import { ResultNode, ValueNode } from './RootNode.ts';
import { indexKey, matchOf, type RowIndex } from './RowIndex.ts';

/** Above this many schemas for one key, unused nodes are released. */
const SCHEMAS_PER_KEY = 4;

const NO_NODES: ReadonlySet<unknown> = new Set();

/** Called for everything that is read, to track dependencies. */
export interface ReadListener {
  row(table: string, pk: string): void;
  table(table: string): void;
  result(key: string): void;
}

interface ViewsOptions {
  readonly onRead?: ReadListener | undefined;
  /** Called when a row that is denormalized is not stored. */
  readonly onAbsent?: (table: string, pk: string) => void;
  /** Called when a row is read by a class with a relation that was unknown when the row was stored. */
  readonly normalize?: NormalizeRows;
  /** Maps temporary pks to current ones. */
  readonly aliases?: Aliases;
  /** By which indexes that nothing reads are dropped. Default: they never are. */
  readonly clock?: Pick<RowSource, 'now' | 'gcTime'>;
}

/**
 * The denormalized objects of one state, as a graph: a change marks what depends on it, and a read recomputes only
 * what is marked. All readers of a row through the same class get the same object.
 */
export class Views implements ViewGraph, Lookup {
  /** Increases with each change: two reads at the same version give the same value. */
  version = 0;
  readonly liveQueries: LiveQueries;
  readonly inlineRows: InlineRows;
  readonly #store: { readonly head: State };
  readonly #registry: EntityRegistry;
  readonly #onRead: ReadListener | undefined;
  readonly aliases: Aliases;
  /** That of the aliases at the last change. */
  #aliasVersion = 0;
  /** The graph. */
  readonly nodes = new NodeRegistry();
  readonly #readCache = new ReadCache((nodes) => this.release(nodes));
  /** Roots whose dependencies may have changed since they were last computed. */
  readonly #unsettledRoots = new Set<Node>();
  /** Keys of results that have not been read. `hasUnread` removes those that contain no entities or are gone. */
  readonly #unread = new Set<string>();
  readonly #onAbsent: ((table: string, pk: string) => void) | undefined;
  /** How many times the graph was inspected. */
  #walks = 0;
  /** How many denormalizations and changes are in progress. */
  #depth = 0;

  /** @param store - has the state to read as its `head`, which changes only together with a call of `apply` */
  constructor(
    store: { readonly head: State },
    registry: EntityRegistry,
    {
      onRead,
      onAbsent,
      normalize,
      aliases = new Aliases(),
      clock = { now: Date.now, gcTime: Infinity },
    }: ViewsOptions = {},
  ) {
    this.#onAbsent = onAbsent;
    this.#store = store;
    this.#registry = registry;
    this.#onRead = onRead;
    this.aliases = aliases;
    this.inlineRows = new InlineRows(registry, normalize);
    this.liveQueries = new LiveQueries(store, aliases, this.nodes, {
      ...clock,
      reportInline: (found) => {
        this.inlineRows.record(found);
      },
    });
  }

  /** The denormalized entity; `MISSING` if absent, deleted, invalid or incomplete. */
  entity(entity: EntityClass, pk: string, args: readonly unknown[] = []): unknown {
    const node = this.nodes.classes.get(entity)?.shared?.get(pk);
    // A clean node that is not missing has its row: nothing to compute and nothing to release.
    if (node?.phase === 'clean' && node.value !== MISSING && this.inlineRows.found.size === 0)
      return node.value;
    return this.read(this.entityNode(entity, pk, args));
  }

  /** The denormalized result of an endpoint. */
  result(key: string, schema: Schema, args: readonly unknown[]): unknown {
    return this.read(this.resultNode(key, schema, args));
  }

  /**
   * The result of a query; `MISSING` if the args do not determine one, or it is incomplete.
   *
   * @param key - the args as text
   */
  query(schema: Schema, args: readonly unknown[], key = stableJson(args)): unknown {
    return this.read(this.nodes.query(schema, args, key));
  }

  /** Denormalizes a value once, without keeping it. */
  denormalize(schema: Schema, value: unknown, args: readonly unknown[]): unknown {
    return this.read(new ValueNode(schema, value, args));
  }

  /** Notifies `listener` when an entity may have changed, and when a temporary pk is replaced by the server's. */
  watchEntity(entity: EntityClass, pk: string, args: readonly unknown[], listener: Listener): () => void {
    const find = (): Node => this.entityNode(entity, pk, args);
    return this.watch(find(), listener, find);
  }

  /** Notifies `listener` when the result of a query may have changed. */
  watchQuery(
    schema: Schema,
    args: readonly unknown[],
    listener: Listener,
    key = stableJson(args),
  ): () => void {
    return this.watch(this.nodes.query(schema, args, key), listener);
  }

  /**
   * Notifies `listener` when a node or anything it depends on may have changed.
   *
   * @param listener - a new function for each call
   */
  listen(node: Node, listener: Listener): void {
    // Marking stops at dirty nodes, so a node with listeners must start clean.
    this.#compute(node);
    node.listen(listener);
  }

  /** Removes a listener. */
  unlisten(node: Node, listener: Listener): void {
    node.unlisten(listener);
    this.release([node]);
  }

  /**
   * `listen` with a function that stops it.
   *
   * @param find - looks up the node again, if another one may replace it
   */
  watch(node: Node, listener: Listener, find?: () => Node): () => void {
    // A separate subscription for each call; once stopped, it stays silent even during a notification.
    let watched: Node | undefined = node;
    const notify = (): void => {
      if (watched === undefined) return;
      const found = find?.() ?? watched;
      if (found !== watched) {
        this.unlisten(watched, notify);
        this.listen((watched = found), notify);
      }
      listener();
    };
    this.listen(watched, notify);
    return () => {
      if (watched !== undefined) this.unlisten(watched, notify);
      watched = undefined;
    };
  }

  /** The endpoint keys that have been read and are still held or stored. */
  resultKeys(): Iterable<string> {
    return this.nodes.resultKeys();
  }

  /** A schema by which a stored result is read; undefined if there is none of its shape. */
  schemaOf(key: string): Schema | undefined {
    const shape = this.#store.head.results.get(key)?.shape ?? '';
    return this.nodes.results(key).find(({ schema }) => shapeOf(schema) === shape)?.schema;
  }

  /** Runs `run` on a result's node once it is denormalized, with a number for a walk. */
  inspect<T>(root: Node, run: (root: Node, state: State, walk: number) => T): T {
    this.#compute(root);
    const seen = run(root, this.#store.head, (this.#walks += 1));
    if (!root.isHeld) this.read(root);
    return seen;
  }

  /** Whether results are stored whose dependencies are unknown. */
  get hasUnread(): boolean {
    const { results } = this.#store.head;
    for (const key of this.#unread) {
      if (results.get(key)?.shape !== undefined) return true;
      this.#unread.delete(key);
    }
    return false;
  }

  /** Recomputes outdated roots, so that the graph shows current dependencies. */
  settleRoots(): void {
    for (const node of this.#unsettledRoots) {
      this.#unsettledRoots.delete(node);
      if (node.phase === 'dirty') this.#isStillMissing(node);
    }
  }

  /** The denormalized node of a result, and the nodes of the same key by other schemas. */
  resultNodes(key: string, schema: Schema, args: readonly unknown[]): readonly Node[] {
    const node = this.resultNode(key, schema, args);
    this.#isStillMissing(node);
    return [node, ...this.nodes.results(key)];
  }

  /** Releases nodes at once, even if they were just read. */
  drop(nodes: Iterable<Node>): void {
    this.#readCache.drop([...nodes]);
  }

  /** The nodes of one row, one for each class that has read it. */
  rowNodes(table: string, pk: string): EntityNode[] {
    return this.nodes.ofRow(this.#registry.of(table), pk);
  }

  /** The rows among these that only lazy relations of stored rows refer to. */
  lazilyReached(rows: readonly EntityNode[]): ReadonlySet<unknown> {
    const { lazy } = this.nodes;
    const [lazyReach] = lazy.values();
    const { tables } = this.#store.head;
    return (
      lazyReach?.(rows, lazy.keys(), {
        row: (table, pk) => tables[table]?.get(pk)?.value,
        *rows(table) {
          for (const [pk, row] of tables[table]?.entries() ?? []) yield [pk, row.value];
        },
      }) ?? NO_NODES
    );
  }

  /** Releases the nodes that are kept only because they were just read. */
  clearReadCache(): void {
    this.#readCache.clear();
  }

  /** Marks what has changed, and collects the listeners to notify. */
  apply(changes: ChangeSet, listeners: Set<Listener>): void {
    this.#depth += 1;
    try {
      this.version += 1;
      this.#readCache.trim();
      const marking = new Marking(
        {
          state: this.#store.head,
          nodes: this.nodes,
          registry: this.#registry,
          aliases: this.aliases,
          observer: this.liveQueries.current,
        },
        listeners,
        this.#unsettledRoots,
      );
      for (const [table, rows] of changes.rows) marking.rowsChanged(table, rows);
      for (const [key, before] of changes.resultEntries) {
        marking.resultChanged(key, before);
        // A result that had a shape is recorded already.
        if (before?.shape === undefined && this.nodes.results(key).length === 0) this.#unread.add(key);
      }
      if (this.#aliasVersion !== this.aliases.version) {
        this.#aliasVersion = this.aliases.version;
        for (const node of this.nodes.temporaryQueries) marking.mark(node);
      }
      this.release(marking.gone);
      // Marking may add further rechecks to the list.
      for (const [missing, parent] of marking.rechecks) {
        // A dirty list would otherwise take the member for unchanged.
        if (parent.phase === 'dirty') parent.childMarked(missing);
        else if (!this.#isStillMissing(missing)) marking.markParent(parent, missing);
      }
    } finally {
      this.#depth -= 1;
    }
    // Inline rows may have been found that no reader asks for until this is done.
    if (this.#depth === 0 && this.inlineRows.found.size > 0) queueMicrotask(() => this.#normalizeInline());
  }

  #isStillMissing(node: Node): boolean {
    try {
      return this.read(node) === MISSING;
    } catch {
      // The next reader gets the error.
      return false;
    }
  }

  entityNode(entity: EntityClass, named: string, args: readonly unknown[]): EntityNode {
    const pk = this.aliases.pk(named);
    this.#onRead?.row(entity.key, pk);
    const known = this.nodes.classes.get(entity);
    if (known === undefined) this.#registry.add(entity);
    return known?.shared?.get(pk) ?? this.nodes.entity(entity, pk, args);
  }

  tableNode({ key }: EntityClass): Node {
    this.#onRead?.table(key);
    return this.nodes.table(key);
  }

  indexNode(entity: EntityClass, field: string, value: unknown): Node | undefined {
    this.#onRead?.table(entity.key);
    const key = indexKey(value);
    return key === undefined ? undefined : this.#index(entity, field).node(key);
  }

  partNode(part: object, tables: Iterable<string>): Node {
    for (const table of tables) this.#onRead?.table(table);
    return this.nodes.part(part, this.liveQueries.current as RowObserver); // it made the part
  }

  find(entity: EntityClass, field: string, value: unknown, args: object = {}): string | undefined {
    const key = indexKey(value);
    if (key === undefined) return undefined;
    const rowOfPk = (pk: string): EntityValue | undefined => rowOf(this.#store.head, entity.key, pk)?.value;
    return matchOf(this.#index(entity, field).find(key), entity, field, args, rowOfPk);
  }

  #index({ key }: EntityClass, field: string): RowIndex {
    return this.nodes.indexes.of(this.#store.head, key, field);
  }

  hasTable(entity: EntityClass): boolean {
    return this.#store.head.tables[entity.key] !== undefined;
  }

  release(nodes: readonly Node[]): void {
    if (nodes.length === 0) return;
    const stack = [...nodes];
    const state = this.#store.head;
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      // A node being computed is about to get a parent.
      if (node.isHeld || node.phase === 'computing' || this.#readCache.has(node) || node.isStored(state))
        continue;
      for (const dep of this.#forget(node)) stack.push(dep);
    }
  }

  /** @returns its former dependencies */
  #forget(node: Node): readonly Node[] {
    this.#unsettledRoots.delete(node);
    this.nodes.forget(node);
    return node.setDeps([]);
  }

  /** The current value of a node. */
  read(node: Node): unknown {
    this.#compute(node);
    if (node.isHeld || node.isStored(this.#store.head)) return node.value;
    if (node.value === MISSING || node instanceof ValueNode) this.release([node]);
    else this.#readCache.add(node);
    return node.value;
  }

  recordAbsent({ entity, pk }: EntityNode): void {
    this.#onAbsent?.(entity.key, pk);
  }

  /** Computes a dirty node, and once more if rows had to be normalized first. */
  #compute(node: Node): void {
    do {
      if (node.phase !== 'dirty' && node.phase !== 'failed') continue;
      this.#depth += 1;
      try {
        new Denormalizer(this, this.#store.head).run(node);
      } catch (error) {
        this.release([node]);
        throw error;
      } finally {
        this.#depth -= 1;
      }
    } while (this.#normalizeInline() && node.phase === 'dirty');
  }

  /** Returns whether rows were normalized. Does nothing during a denormalization or a change. */
  #normalizeInline(): boolean {
    if (this.#depth > 0 || this.inlineRows.found.size === 0) return false;
    this.inlineRows.normalize();
    return true;
  }

  /** The node of a result; the next caller may get another one once this one `isForgotten`. */
  resultNode(key: string, schema: Schema, args: readonly unknown[]): ResultNode {
    this.#onRead?.result(key);
    const nodes = this.nodes.results(key);
    for (const node of nodes) if (node.schema === schema) return node;
    // A schema created at each render would otherwise leave a node behind each time.
    if (nodes.length >= SCHEMAS_PER_KEY)
      for (const node of nodes) if (!node.isHeld) this.release(this.#forget(node));
    const made = new ResultNode(key, schema, args);
    this.#unread.delete(key);
    this.nodes.addResult(made);
    return made;
  }
}
