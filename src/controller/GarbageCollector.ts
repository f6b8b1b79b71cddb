import { references } from '../schema/references.ts';
import { freshUntil, isStale } from '../store/expiry.ts';
import { rowOf } from '../store/State.ts';
import type { Store } from '../store/Store.ts';
import { descendants } from '../views/descendants.ts';
import type { EntityNode } from '../views/EntityNode.ts';
import type { Node } from '../views/Node.ts';
import { unreachableRows } from '../views/unreachableRows.ts';
import type { Views } from '../views/Views.ts';
import type { CachedRead } from './reads/CachedRead.ts';
import type { AbsentRows } from './plugins/AbsentRows.ts';
import type { PluginHost } from './plugins/PluginHost.ts';
import { expiryOf, type ExpirySource } from './reads/readResult.ts';
import type { Schedule } from './schedule.ts';

/** How long a read that is no longer mounted is kept by default, in ms. */
const GC_TIME = 300_000;

/** The minimum time until a retry for what could not be collected, in ms. */
const RETRY_TIME = 1_000;

/** How long tombstones are kept, in ms, so that a late response does not bring a deleted row back. */
const TOMBSTONE_TIME = 24 * 3_600_000;

/** What the garbage collector needs of its controller. */
interface CollectorDeps extends ExpirySource {
  readonly schedule: Schedule;
  readonly plugins: PluginHost;
  readonly store: Store;
  readonly views: Views;
  readonly wholeTables: Map<string, unknown>;
  readonly absentRows: AbsentRows | undefined;
}

/**
 * Collects results that have been unmounted for `gcTime`, and the rows that only they refer to. Fresh data stays
 * until it is stale, unless a plugin can restore it at any time. Uses a single timer.
 */
export class GarbageCollector {
  readonly #internals: CollectorDeps;
  /** How long what is read no more is kept, in ms. */
  readonly time: number;
  /** Reads without observers and when each may be collected, in ms since the epoch, in that order. */
  readonly waiting = new Map<CachedRead, number>();
  /** Rows of collected results that cannot be deleted yet. */
  #retained = new Set<EntityNode>();
  #cancel: (() => void) | undefined;

  constructor(internals: CollectorDeps, time: number = GC_TIME) {
    this.#internals = internals;
    this.time = time;
  }

  /** A read is observed again. */
  remove(read: CachedRead): void {
    if (this.waiting.delete(read)) this.#scheduleNext();
  }

  /** A read has lost its last observer. */
  add(read: CachedRead): void {
    if (this.time === Infinity || this.#internals.plugins.isStopped) return;
    this.#wait(read, this.time);
    this.#scheduleNext();
  }

  #wait(read: CachedRead, after: number): void {
    this.waiting.set(read, this.#internals.now() + after);
  }

  /** Clears the queue. */
  clear(): void {
    this.waiting.clear();
    this.#retained.clear();
    this.#scheduleNext();
  }

  /** How long to wait before a retry, in ms. */
  get #retryDelay(): number {
    return Math.max(this.time, RETRY_TIME);
  }

  #scheduleNext(): void {
    const [first] = this.waiting.values();
    if (first === undefined && this.#retained.size === 0) {
      this.#cancel?.();
      this.#cancel = undefined;
      return;
    }
    const { schedule } = this.#internals;
    const wait = first === undefined ? this.#retryDelay : this.#remainingDelay(first);
    this.#cancel ??= schedule(() => {
      this.#cancel = undefined;
      this.#collect();
      this.#scheduleNext();
    }, wait);
  }

  /** In ms. 0 if the clock was set back, which would prolong it. */
  #remainingDelay(collectAt: number): number {
    const left = collectAt - this.#internals.now();
    return left > this.#retryDelay ? 0 : Math.max(left, 0);
  }

  #collect(): void {
    const { store, views, wholeTables, absentRows } = this.#internals;
    const { stale, held } = this.#takeDue();
    const due = [...stale, ...held];
    const gone = due.filter((read) => this.#canDeleteResult(read));
    const roots = new Set<Node>(this.#retained);
    for (const read of stale) this.#addRoots(read, roots);
    // A plugin holds a result with everything it refers to, so those rows may be deleted while they are fresh.
    const heldRoots = new Set<Node>();
    for (const read of held) this.#addRoots(read, heldRoots);
    for (const node of heldRoots) roots.add(node);
    views.settleRoots();
    const unreachable = unreachableRows(roots, store.head, (node) =>
      views.rowNodes(node.entity.key, node.pk),
    );
    const heldNodes = descendants(heldRoots);
    this.#retained = new Set();
    // A row keeps what it refers to: a list that a pending mutation changes would be shown without its members.
    const kept = descendants(unreachable.filter((node) => !this.#canDeleteRow(node, heldNodes.has(node))));
    const deletable = unreachable.filter((node) => !kept.has(node));
    const reachedLazily = views.lazilyReached(deletable);
    const rows = deletable.filter((node) => !reachedLazily.has(node));
    for (const node of deletable) if (reachedLazily.has(node)) this.#retained.add(node);
    if (gone.length + rows.length > 0)
      store.commit(
        (writer) => {
          for (const read of gone) {
            writer.deleteResult(read.key);
            read.schema = undefined;
          }
          for (const { entity, pk } of rows) {
            writer.deleteRow(entity.key, pk);
            wholeTables.delete(entity.key);
          }
        },
        { action: { type: 'collect' }, origin: 'app' },
      );
    absentRows?.forget();
    views.drop(roots);
    for (const read of due) read.dropIfIdle();
  }

  /** Takes the due reads from the queue: those that a plugin can restore, and other stale ones. */
  #takeDue(): { readonly stale: readonly CachedRead[]; readonly held: readonly CachedRead[] } {
    const { now, plugins } = this.#internals;
    const stale: CachedRead[] = [];
    const held: CachedRead[] = [];
    const later: CachedRead[] = [];
    for (const [read, collectAt] of this.waiting) {
      if (this.#remainingDelay(collectAt) > 0) break;
      this.waiting.delete(read);
      const expiresAt = expiryOf(this.#internals, read.endpoint, read.key, read.args);
      if (read.isLoading) later.push(read);
      else if (plugins.holds(read.key)) held.push(read);
      else if (isStale(expiresAt, now())) stale.push(read);
      else if (expiresAt < Infinity) later.push(read);
      else read.dropIfIdle();
    }
    for (const read of later) this.#wait(read, this.#retryDelay);
    return { stale, held };
  }

  /** Whether the result may be deleted. An invalidation must stay, since the rows would be served otherwise. */
  #canDeleteResult({ key }: CachedRead): boolean {
    const { base, footprints } = this.#internals.store;
    const result = base.results.get(key);
    if (result === undefined || footprints.hasResult(key) || result.invalidated === true) return false;
    return result.value !== undefined || result.error !== undefined;
  }

  #addRoots({ endpoint, args, key }: CachedRead, roots: Set<Node>): void {
    const { store, views } = this.#internals;
    for (const node of views.resultNodes(key, endpoint.schema, args)) roots.add(node);
    const result = store.head.results.get(key);
    // An invalidated result has no dependencies in the graph, but its rows are stored.
    if (result?.invalidated === true)
      references(endpoint.schema, result.value, ({ key: table }, pk) => {
        for (const node of views.rowNodes(table, pk)) roots.add(node);
      });
  }

  /** Whether an unreachable row may be deleted now. Rows that may be deleted later are retained. */
  #canDeleteRow(node: EntityNode, isHeld: boolean): boolean {
    const { now, store, views } = this.#internals;
    const { entity, pk } = node;
    const row = rowOf(store.base, entity.key, pk);
    // A query of the device finds what is in memory.
    if (store.footprints.hasRow(entity.key, pk) || views.liveQueries.holds(entity.key)) {
      this.#retained.add(node);
      return false;
    }
    if (row === undefined) return false;
    const { meta } = row;
    const until =
      row.value === undefined ? meta.receivedAt + TOMBSTONE_TIME : isHeld ? 0 : freshUntil(meta, now());
    if (isStale(until, now()) && !views.hasUnread) return true;
    if (until < Infinity) this.#retained.add(node);
    return false;
  }
}
