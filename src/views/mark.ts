import { MISSING } from '../schema/missing.ts';
import type { Listener, Node } from './Node.ts';

/** A node that was missing and may be so still, and one that was joined without it. */
export type Doubt = readonly [missing: Node, parent: Node];

/**
 * Marks a node and all that was joined from it. Iterative, so that a long chain does not overflow the stack. What was
 * joined without a missing node only changes if that is no longer missing, which is left to be found out.
 *
 * @param told - gets the listeners of what is marked
 * @param doubts - gets what is left to be found out
 * @param tops - gets the marked nodes that nothing is joined from
 */
export function mark(start: Node, told: Set<Listener>, doubts: Doubt[], tops: Set<Node>): void {
  const waiting: Node[] = [start];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.phase === 'dirty') continue;
    node.phase = 'dirty';
    tell(node, told);
    if (!node.hasParents) tops.add(node);
    for (const parent of node.parents) {
      if (node.value === MISSING && parent.value !== MISSING) {
        doubts.push([node, parent]);
      } else {
        parent.childMarked(node);
        waiting.push(parent);
      }
    }
  }
}

/** Adds the listeners of a node. */
export function tell(node: Node, told: Set<Listener>): void {
  for (const listener of node.listeners) told.add(listener);
}
