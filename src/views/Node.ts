import { MISSING } from '../schema/missing.ts';
import type { DenormalizeVisitor, EntityClass, Lookup } from '../schema/Schema.ts';
import type { State } from '../store/State.ts';

/** Called when what a node shows may have changed. */
export type Listener = () => void;

/**
 * `dirty`: must be denormalized before it is read. `failed`: the same, but its readers wait for the next change.
 * `computing`: in progress. `clean`: `value` is current.
 */
export type Phase = 'dirty' | 'failed' | 'computing' | 'clean';

/** What a node uses to fill its value. */
export interface DenormalizeContext extends DenormalizeVisitor, Lookup {
  /** The value of a dirty node, which is filled before the run ends. */
  resolve(node: Node): unknown;
  /** The node of an entity, for the args of the read. */
  node(entity: EntityClass, pk: string): Node;
  /** Args with the server's ids in place of temporary pks. */
  currentArgs(args: readonly unknown[]): readonly unknown[];
  /** Releases nodes that may no longer be needed. */
  release(nodes: readonly Node[]): void;
}

const NO_NODES: readonly Node[] = [];

/** Up to this many lookups in a list are cheaper than building a set. */
const FEW = 8;

/** Up to this many parents are kept in an array, which is smaller than a set and faster to add to. */
const MANY = 64;

/**
 * A denormalized value in the graph of views. A node knows the nodes it depends on (`deps`) and those that depend on
 * it (parents). The parents of a dirty node are dirty too, so marking may stop there.
 */
export abstract class Node {
  /** The denormalized value; while the phase is `computing`, the unfinished instance or list. */
  value: unknown = MISSING;
  phase: Phase = 'dirty';
  deps: readonly Node[] = NO_NODES;
  /** The args that select lens values, if the node is not shared by all readers. */
  declare lensArgs?: readonly unknown[];
  /** The args of the read, if readers with other args have another node. */
  declare readonly args?: readonly unknown[];
  /** Identifies the last walk of `earliestExpiry` that visited it. */
  lastWalk = 0;
  /** One parent (most nodes), an array of a few, or a set of many. */
  #parents: Node | Node[] | Set<Node> | undefined;
  /** One listener (most nodes on screen) or a set of several. */
  #listeners: Listener | Set<Listener> | undefined;

  /** Describes the node in error messages. */
  get label(): string | undefined {
    return undefined;
  }

  /** The current pk of a renamed entity, whose node shows the same value. */
  get movedTo(): string | undefined {
    return undefined;
  }

  /** Sets `value` to an empty shell or `MISSING`. Returns whether there is something to fill. */
  abstract prepare(state: State, context: DenormalizeContext): boolean;

  /** Fills the shell; sets `value` to `MISSING` if a required child is missing. */
  fill(_context: DenormalizeContext): void {
    // A node without children is complete after prepare().
  }

  /** Called on the root of a run once everything it depends on is complete. */
  completed(): void {
    // Most nodes have nothing left to do.
  }

  /** Called when a dependency has become dirty. */
  childMarked(_child: Node): void {
    // Most nodes are recomputed as a whole.
  }

  /** Discards an unfinished value after a failed run. */
  abandon(): void {
    this.phase = 'failed';
    this.value = MISSING;
  }

  /** Whether the store holds the data of this node, so that it is worth keeping while unused. */
  isStored(_state: State): boolean {
    return false;
  }

  /** Freezes a finished value. Called in development only. */
  freeze(): void {
    if (process.env.NODE_ENV !== 'production') Object.freeze(this.value);
  }

  /** Whether `fill` sets the dependencies itself, so that they need not all be compared. */
  managesDeps(): boolean {
    return false;
  }

  /** Whether a parent or a listener needs this node. */
  get isHeld(): boolean {
    return this.#parents !== undefined || this.#listeners !== undefined;
  }

  /** Whether it has listeners. */
  get isWatched(): boolean {
    return this.#listeners !== undefined;
  }

  /** Adds its listeners to others. */
  collectListeners(into: Set<Listener>): void {
    const listeners = this.#listeners;
    if (typeof listeners === 'function') into.add(listeners);
    else if (listeners !== undefined) for (const listener of listeners) into.add(listener);
  }

  get parents(): Iterable<Node> {
    const parents = this.#parents;
    return parents === undefined ? NO_NODES : parents instanceof Node ? [parents] : parents;
  }

  listen(listener: Listener): void {
    const listeners = this.#listeners;
    if (listeners === undefined) this.#listeners = listener;
    else if (typeof listeners === 'function') this.#listeners = new Set([listeners, listener]);
    else listeners.add(listener);
  }

  unlisten(listener: Listener): void {
    const listeners = this.#listeners;
    if (listeners === listener) this.#listeners = undefined;
    else if (listeners instanceof Set && listeners.delete(listener) && listeners.size === 0)
      this.#listeners = undefined;
  }

  /** Replaces the dependencies. Returns those it no longer needs. */
  setDeps(deps: readonly Node[]): readonly Node[] {
    const previous = this.deps;
    if (sameNodes(previous, deps)) return NO_NODES;
    // A copy of exact size: an array that was pushed to has spare capacity.
    this.deps = deps.length > 2 ? deps.slice() : deps;
    // oxlint-disable-next-line typescript/prefer-for-of -- runs for each row and mounted read: creates no iterator
    for (let nth = 0; nth < deps.length; nth++) (deps[nth] as Node).#addParent(this); // within the list
    if (previous.length === 0) return NO_NODES;
    const kept = new Set(deps);
    const dropped = previous.filter((dep) => !kept.has(dep));
    for (const dep of dropped) dep.removeParent(this);
    return dropped;
  }

  /** `setDeps` for a node that knows which dependencies are new and which may be gone. */
  changeDeps(deps: readonly Node[], added: readonly Node[], removed: readonly Node[]): readonly Node[] {
    this.deps = deps;
    for (const dep of added) dep.#addParent(this);
    if (removed.length === 0) return NO_NODES;
    // A node that only moved, or that the list holds twice, is still needed.
    const kept = removed.length > FEW ? new Set(deps) : undefined;
    const dropped = removed.filter((dep) => !(kept === undefined ? deps.includes(dep) : kept.has(dep)));
    for (const dep of dropped) dep.removeParent(this);
    return dropped;
  }

  #addParent(parent: Node): void {
    const parents = this.#parents;
    if (parents === undefined || parents === parent) this.#parents = parent;
    else if (parents instanceof Node) this.#parents = [parents, parent];
    else if (parents instanceof Set) parents.add(parent);
    else if (!parents.includes(parent)) {
      if (parents.length < MANY) parents.push(parent);
      else this.#parents = new Set(parents).add(parent);
    }
  }

  removeParent(parent: Node): void {
    const parents = this.#parents;
    if (parents === parent) {
      this.#parents = undefined;
    } else if (Array.isArray(parents)) {
      const at = parents.indexOf(parent);
      if (at !== -1) parents.splice(at, 1);
      if (parents.length === 0) this.#parents = undefined;
    } else if (parents instanceof Set) {
      parents.delete(parent);
      if (parents.size === 0) this.#parents = undefined;
    }
  }
}

function sameNodes(left: readonly Node[], right: readonly Node[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
