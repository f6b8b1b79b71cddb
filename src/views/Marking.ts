import { MISSING } from '../schema/missing.ts';
import type { Listener, Node } from './Node.ts';

/** A node that was missing and may be so still, and one that was joined without it. */
type Doubt = readonly [missing: Node, parent: Node];

/**
 * Marks what a change has touched, with all that was joined from it. What was joined without a missing node only changes
 * if that is no longer missing, which is left to be found out.
 */
export class Marking {
  /** What is left to be found out. Grows by further marking. */
  readonly doubts: Doubt[] = [];
  readonly #told: Set<Listener>;
  readonly #tops: Set<Node>;

  /**
   * @param told - gets the listeners of what is marked
   * @param tops - gets the marked nodes that nothing is joined from
   */
  constructor(told: Set<Listener>, tops: Set<Node>) {
    this.#told = told;
    this.#tops = tops;
  }

  /** Iterative, so that a long chain does not overflow the stack. */
  mark(start: Node): void {
    const waiting: Node[] = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.phase === 'dirty') continue;
      node.phase = 'dirty';
      this.tell(node);
      if (!node.hasParents) this.#tops.add(node);
      for (const parent of node.parents) {
        if (node.value === MISSING && parent.value !== MISSING) {
          this.doubts.push([node, parent]);
        } else {
          parent.childMarked(node);
          waiting.push(parent);
        }
      }
    }
  }

  /** Adds the listeners of a node that stays as it is. */
  tell(node: Node): void {
    for (const listener of node.listeners) this.#told.add(listener);
  }
}
