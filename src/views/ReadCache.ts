import type { Node } from './Node.ts';

/** How many nodes are kept after a change. */
const KEPT_AFTER_CHANGE = 200;

/** How many are kept until the next change: a page usually subscribes right after it has read. */
const MAX_NODES = 20_000;

/**
 * Keeps nodes that were just read and are neither held nor stored as a result, so that reading them again soon
 * returns the same object.
 */
export class ReadCache {
  /** The most recent last. */
  readonly #nodes = new Set<Node>();
  readonly #release: (nodes: readonly Node[]) => void;

  /** @param release - releases nodes that are no longer kept, unless something else needs them */
  constructor(release: (nodes: readonly Node[]) => void) {
    this.#release = release;
  }

  has(node: Node): boolean {
    return this.#nodes.has(node);
  }

  add(node: Node): void {
    this.#nodes.delete(node);
    this.#nodes.add(node);
    this.trim(MAX_NODES);
  }

  /** Releases these nodes. */
  drop(nodes: readonly Node[]): void {
    for (const node of nodes) this.#nodes.delete(node);
    this.#release(nodes);
  }

  clear(): void {
    this.drop([...this.#nodes]);
  }

  /** Releases the oldest nodes until `most` are left. Default: what is kept after a change. */
  trim(most = KEPT_AFTER_CHANGE): void {
    // Called on every read, so it avoids creating an iterator.
    if (this.#nodes.size <= most) return;
    for (const oldest of this.#nodes) {
      if (this.#nodes.size <= most) return;
      this.#nodes.delete(oldest);
      // Most have been mounted since they were read: after a first screen, thousands.
      if (!oldest.isHeld) this.#release([oldest]);
    }
  }
}
