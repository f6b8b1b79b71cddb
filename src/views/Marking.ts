import { MISSING } from '../schema/missing.ts';
import type { StoredResult, StoredRow } from '../store/State.ts';
import { hasUnreadAdditions } from '../store/lazyListRow.ts';
import type { Listener, Node } from './Node.ts';

/** A missing node and a parent that was denormalized without it. */
type Recheck = readonly [missing: Node, parent: Node];

/**
 * Marks what a change touches, with everything that depends on it. A value that was denormalized without a missing
 * node changes only if that node is no longer missing, which is checked afterwards.
 */
export class Marking {
  /** To be checked afterwards. Grows while marking. */
  readonly rechecks: Recheck[] = [];
  readonly #listeners: Set<Listener>;
  readonly #roots: Set<Node>;

  /**
   * @param listeners - receives the listeners of the marked nodes
   * @param roots - receives the marked nodes that nothing depends on
   */
  constructor(listeners: Set<Listener>, roots: Set<Node>) {
    this.#listeners = listeners;
    this.#roots = roots;
  }

  /** Iterative, so that a long chain does not overflow the stack. */
  mark(start: Node): void {
    const stack: Node[] = [start];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.phase === 'dirty') continue;
      node.phase = 'dirty';
      this.notify(node);
      if (!node.hasParents) this.#roots.add(node);
      for (const parent of node.parents) {
        if (node.value === MISSING && parent.value !== MISSING) {
          this.rechecks.push([node, parent]);
        } else {
          parent.childMarked(node);
          stack.push(parent);
        }
      }
    }
  }

  /** Adds the listeners of a node whose value stays the same. */
  notify(node: Node): void {
    for (const listener of node.listeners) this.#listeners.add(listener);
  }
}

/** Whether two rows give the same view, without computing the value of a lazy list row. */
export function rowsViewEqual(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    !hasUnreadAdditions(before) &&
    !hasUnreadAdditions(after) &&
    before.value === after.value &&
    before.movedTo === after.movedTo
  );
}

/** Whether two results give the same view. */
export function resultsViewEqual(before: StoredResult | undefined, after: StoredResult | undefined): boolean {
  return (
    before?.value === after?.value &&
    before?.invalidated === after?.invalidated &&
    before?.shape === after?.shape
  );
}

/** Whether a row was added to its table or removed from it. */
export function hasEnteredOrLeft(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  return (before?.value === undefined) !== (after?.value === undefined) || before === undefined;
}
