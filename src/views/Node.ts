import { MISSING } from '../schema/missing.ts';
import type { DenormalizeVisitor, EntityClass, Lookup } from '../schema/Schema.ts';
import type { State } from '../store/State.ts';

/** Called when what a node shows may have changed. */
export type Listener = () => void;

/** `dirty`: must be joined before it is read. `begun`: a join is under way. `clean`: `value` is current. */
export type Phase = 'dirty' | 'begun' | 'clean';

/** What a node is filled by. */
export interface Filling extends DenormalizeVisitor, Lookup {
  /** The value of a dirty node, to be filled before the join is over. */
  begin(node: Node): unknown;
  /** The node of an entity, for the args of the read. */
  node(entity: EntityClass, pk: string): Node;
  /** Lets go of nodes that may not be needed any more. */
  release(nodes: readonly Node[]): void;
}

const NO_NODES: readonly Node[] = [];

const NO_ARGS: readonly unknown[] = [];

/** Up to so many look-ups in a list are cheaper than making a set of it. */
const FEW = 8;

/** Up to so many parents are kept in a list, which is smaller than a set and faster to add to. */
const MANY = 64;

/**
 * One joined thing in the graph of views. A node knows the nodes it was joined from (`deps`) and those joined from
 * it (parents). A dirty node's parents are dirty too: that is where marking may stop.
 */
export abstract class Node {
  /** What was joined; while the phase is `begun`, the unfinished instance or list. */
  value: unknown = MISSING;
  phase: Phase = 'dirty';
  deps: readonly Node[] = NO_NODES;
  /** The args by which lenses select, where the node is not for all readers. */
  declare lensArgs?: readonly unknown[];
  /** Of `earliestExpiry`. */
  walk = 0;
  /** One parent, as most nodes have, a list of some, or a set of many. */
  #parents: Node | Node[] | Set<Node> | undefined;
  /** One, as most nodes on screen have, or a set of more. */
  #listeners: Listener | Set<Listener> | undefined;

  /** What it shows, for errors. */
  get place(): string | undefined {
    return undefined;
  }

  /** The pk that the entity has now: the node of that shows what this one does. */
  get movedTo(): string | undefined {
    return undefined;
  }

  /** Makes `value` the shell to be filled, or `MISSING`. Returns whether there is something to fill. */
  abstract open(state: State, join: Filling): boolean;

  /** Fills the shell from children; sets `value` to `MISSING` where a required one is missing. */
  fill(_join: Filling): void {
    // What has nothing below it is complete when it is opened.
  }

  /** Called when all that it was joined from is complete, where the join began with it. */
  completed(): void {
    // Most nodes have nothing left to do.
  }

  /** Tells a node that one it was joined from has become dirty. */
  childMarked(_child: Node): void {
    // Most nodes are joined again as a whole.
  }

  /** Forgets an unfinished value, when a join has failed. */
  abandon(): void {
    this.phase = 'dirty';
    this.value = MISSING;
  }

  /** Whether the store has what this node shows, so that it is worth keeping without anybody holding it. */
  isBacked(_state: State): boolean {
    return false;
  }

  /** Freezes a finished value. Called in development only. */
  freeze(): void {
    if (process.env.NODE_ENV !== 'production') Object.freeze(this.value);
  }

  /** The args of the read; none where readers with different ones share the node. */
  get args(): readonly unknown[] {
    return NO_ARGS;
  }

  /** Whether `fill` itself sets what this node depends on, so that a change of one costs no comparison of all. */
  keepsDeps(): boolean {
    return false;
  }

  /** Whether a parent or a listener needs this node. */
  get isHeld(): boolean {
    return this.#parents !== undefined || this.#listeners !== undefined;
  }

  /** Whether anything is joined from this node. */
  get hasParents(): boolean {
    return this.#parents !== undefined;
  }

  /** Whether somebody is told when this node changes. */
  get isWatched(): boolean {
    return this.#listeners !== undefined;
  }

  get listeners(): Iterable<Listener> {
    const listeners = this.#listeners;
    return typeof listeners === 'function' ? [listeners] : (listeners ?? []);
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

  /** Replaces the nodes this one was joined from. Returns those it no longer needs. */
  setDeps(deps: readonly Node[]): readonly Node[] {
    const former = this.deps;
    if (sameNodes(former, deps)) return NO_NODES;
    // A list that was pushed to has room for many more: this one stays for as long as the node does.
    this.deps = deps.slice();
    for (const dep of deps) dep.#addParent(this);
    if (former.length === 0) return NO_NODES;
    const kept = new Set(deps);
    const dropped = former.filter((dep) => !kept.has(dep));
    for (const dep of dropped) dep.removeParent(this);
    return dropped;
  }

  /** `setDeps` for a node that knows which of its deps are new and which may be gone. */
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
