import { references } from '../schema/references.ts';
import { freshUntil, isStale } from '../store/expiry.ts';
import { rowOf } from '../store/State.ts';
import type { Store } from '../store/Store.ts';
import { below } from '../views/below.ts';
import type { EntityNode } from '../views/EntityNode.ts';
import type { Node } from '../views/Node.ts';
import { unreached } from '../views/unreached.ts';
import type { Views } from '../views/Views.ts';
import type { InFlight } from './InFlight.ts';
import type { MountListener } from './Mounts.ts';
import type { Read } from './Plugin.ts';
import type { PluginHost } from './PluginHost.ts';
import { expiryOf } from './reading.ts';
import type { Schedule } from './schedule.ts';

/** How long a read that is no longer mounted is kept by default, in ms. */
const GC_TIME = 300_000;

/** What could not go is tried again after this at the earliest, in ms. */
const RETRY_TIME = 1_000;

/** Deletions are remembered for so long, in ms, lest an answer that is under way bring the row back. */
const TOMBSTONE_TIME = 24 * 3_600_000;

/** What a collector needs of its controller. */
export interface Collected {
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly plugins: PluginHost;
  readonly inFlight: InFlight;
  readonly store: Store;
  readonly views: Views;
  /** Of the results that are stored, by key. */
  readonly schemas: Map<string, unknown>;
}

/** A read that left the screen. */
interface Left extends Read {
  /** When it may go, in ms since the epoch. */
  readonly at: number;
}

/**
 * Forgets results that were mounted once and have been unmounted for `gcTime`, and the rows that only they reach. What
 * is fresh stays until it is stale, unless a plugin can bring it back at any time. One timer for all.
 */
export class Collector implements MountListener {
  readonly #core: Collected;
  readonly #time: number;
  /** By key, the one that may go first first. */
  readonly #left = new Map<string, Left>();
  /** Rows of collected results that had to stay for a while. */
  #kept = new Set<EntityNode>();
  #cancel: (() => void) | undefined;

  constructor(core: Collected, time: number = GC_TIME) {
    this.#core = core;
    this.#time = time;
  }

  mounted(key: string): void {
    if (this.#left.delete(key)) this.#arrange();
  }

  unmounted(read: Read): void {
    if (this.#time === Infinity || this.#core.plugins.isStopped) return;
    this.#add(read, this.#time);
    this.#arrange();
  }

  #add({ endpoint, args, key }: Read, after: number): void {
    this.#left.set(key, { endpoint, args, key, at: this.#core.now() + after });
  }

  /** Forgets what was to go. */
  clear(): void {
    this.#left.clear();
    this.#kept.clear();
    this.#arrange();
  }

  /** After what time one tries again what could not go, in ms. */
  get #retry(): number {
    return Math.max(this.#time, RETRY_TIME);
  }

  #arrange(): void {
    const [first] = this.#left.values();
    if (first === undefined && this.#kept.size === 0) {
      this.#cancel?.();
      this.#cancel = undefined;
      return;
    }
    const { now, schedule } = this.#core;
    const wait = first === undefined ? this.#retry : Math.max(first.at - now(), 0);
    this.#cancel ??= schedule(() => {
      this.#cancel = undefined;
      this.#collect();
      this.#arrange();
    }, wait);
  }

  #collect(): void {
    const { store, views, schemas } = this.#core;
    const { stale, held } = this.#due();
    const keys = [...stale, ...held].filter((read) => this.#mayGo(read)).map(({ key }) => key);
    const roots = new Set<Node>(this.#kept);
    for (const read of stale) this.#addRoots(read, roots);
    // What a plugin has is had with all that it reaches, so that its rows may go while they are fresh.
    const heldRoots = new Set<Node>();
    for (const read of held) this.#addRoots(read, heldRoots);
    for (const node of heldRoots) roots.add(node);
    views.settle();
    const found = unreached(roots, store.head, (node) => views.rowNodes(node.entity.key, node.pk));
    const heldNodes = below(heldRoots);
    this.#kept = new Set();
    const free = found.filter((node) => this.#isFree(node, heldNodes.has(node)));
    const needed = views.lazilyReached(free);
    const rows = free.filter((node) => !needed.has(node));
    for (const node of free) if (needed.has(node)) this.#kept.add(node);
    if (keys.length + rows.length > 0)
      store.commit(
        (writer) => {
          for (const key of keys) {
            writer.deleteResult(key);
            schemas.delete(key);
          }
          for (const { entity, pk } of rows) writer.deleteRow(entity.key, pk);
        },
        { action: { type: 'collect' }, origin: 'app' },
      );
    views.drop(roots);
  }

  /** Takes what may go from the queue: what is stale, and what is fresh but can be brought back. */
  #due(): { readonly stale: readonly Read[]; readonly held: readonly Read[] } {
    const { now, plugins, inFlight } = this.#core;
    const stale: Read[] = [];
    const held: Read[] = [];
    const later: Read[] = [];
    for (const read of this.#left.values()) {
      if (read.at > now()) break;
      const { endpoint, args, key } = read;
      this.#left.delete(key);
      const expiresAt = expiryOf(this.#core, endpoint, key, args);
      if (inFlight.has(key)) later.push(read);
      else if (isStale(expiresAt, now())) stale.push(read);
      else if (plugins.holds(key)) held.push(read);
      else if (expiresAt < Infinity) later.push(read);
    }
    for (const read of later) this.#add(read, this.#retry);
    return { stale, held };
  }

  /** Whether the result itself may be forgotten: not what says that the rows it reads must not be trusted. */
  #mayGo({ key }: Read): boolean {
    const { base, footprints } = this.#core.store;
    const result = base.results.get(key);
    if (result === undefined || footprints.hasResult(key) || result.invalidated === true) return false;
    return result.value !== undefined || result.error !== undefined;
  }

  #addRoots({ endpoint, args, key }: Read, roots: Set<Node>): void {
    const { store, views } = this.#core;
    for (const node of views.resultNodes(key, endpoint.schema, args)) roots.add(node);
    const result = store.head.results.get(key);
    // What is invalid is joined from nothing, yet its rows are there.
    if (result?.invalidated === true)
      references(endpoint.schema, result.value, ({ key: table }, pk) => {
        for (const node of views.rowNodes(table, pk)) roots.add(node);
      });
  }

  /** Whether a row that nothing reaches may go now. One that may go later is noted. */
  #isFree(node: EntityNode, isHeld: boolean): boolean {
    const { now, store, views } = this.#core;
    const { entity, pk } = node;
    const row = rowOf(store.base, entity.key, pk);
    if (store.footprints.hasRow(entity.key, pk)) {
      this.#kept.add(node);
      return false;
    }
    if (row === undefined) return false;
    const { meta } = row;
    const until =
      row.value === undefined ? meta.receivedAt + TOMBSTONE_TIME : isHeld ? 0 : freshUntil(meta, now());
    if (isStale(until, now()) && !views.hasUnread) return true;
    if (until < Infinity) this.#kept.add(node);
    return false;
  }
}
