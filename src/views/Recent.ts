import type { Node } from './Node.ts';

/** How many nodes are kept for long. */
const LONG = 200;

/** How many are kept until the next change: what a page reads while it is rendered, it watches right after. */
const MOST = 20_000;

/**
 * The nodes of what was read a moment ago and is neither held nor stored as a result: kept, so that it is the same
 * object when it is read again soon.
 */
export class Recent {
  /** The latest last. */
  readonly #nodes = new Set<Node>();
  readonly #release: (nodes: readonly Node[]) => void;

  /** @param release - lets go of nodes that are kept no longer, where nothing else needs them */
  constructor(release: (nodes: readonly Node[]) => void) {
    this.#release = release;
  }

  has(node: Node): boolean {
    return this.#nodes.has(node);
  }

  add(node: Node): void {
    this.#nodes.delete(node);
    this.#nodes.add(node);
    this.#trim(MOST);
  }

  /** Lets go of these, if they are kept. */
  drop(nodes: readonly Node[]): void {
    for (const node of nodes) this.#nodes.delete(node);
    this.#release(nodes);
  }

  /** Something has changed: only the latest are kept. */
  changed(): void {
    this.#trim(LONG);
  }

  clear(): void {
    this.drop([...this.#nodes]);
  }

  /** Lets go of the oldest until so many are left. */
  #trim(most: number): void {
    // Every read comes here, so this makes no iterator for nothing.
    if (this.#nodes.size <= most) return;
    for (const oldest of this.#nodes) {
      if (this.#nodes.size <= most) return;
      this.drop([oldest]);
    }
  }
}
