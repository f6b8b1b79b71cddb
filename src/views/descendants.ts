import { MISSING } from '../schema/missing.ts';
import { rowOf, type State } from '../store/State.ts';
import { freshUntil } from '../store/expiry.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';

/** These nodes and everything they depend on, each once. */
export function descendants(roots: Iterable<Node>): Set<Node> {
  const found = new Set<Node>(roots);
  // Iterating a set also visits members added during the iteration.
  for (const node of found) for (const dep of node.deps) found.add(dep);
  return found;
}

/**
 * When the first of the rows below a node expires, in ms since the epoch; 0 if the node is missing, or a row has expired.
 *
 * @param root - a clean node
 * @param walk - a number of its own: each node stores the last walk that visited it. Every mounted read walks, so this
 *   avoids a set each time
 * @param now - in ms since the epoch
 * @param expiredThrough - rows up to this order have expired
 */
export function earliestExpiry(
  root: Node,
  state: State,
  walk: number,
  now: number,
  expiredThrough: number,
): number {
  if (root.value === MISSING) return 0;
  let earliest = Infinity;
  let later: Node[] | undefined;
  for (let next: Node | undefined = root; next !== undefined;) {
    const node: Node = next;
    node.lastWalk = walk;
    next = undefined;
    const row = node instanceof EntityNode ? rowOf(state, node.entity.key, node.pk) : undefined;
    if (row !== undefined && row.meta.order <= expiredThrough) return 0;
    if (row !== undefined) earliest = Math.min(earliest, freshUntil(row.meta, now));
    for (const dep of node.deps) {
      if (dep.lastWalk === walk) continue;
      dep.lastWalk = walk;
      if (next === undefined) next = dep;
      else (later ??= []).push(dep);
    }
    next ??= later?.pop();
  }
  return earliest;
}

/**
 * Explains why a value is missing: which entity, and what is wrong with it.
 *
 * @param root - its node
 */
export function explainMissing(root: Node): string {
  let reason = 'the stored value does not have the shape of its schema';
  for (const node of descendants([root])) {
    // The deepest missing entity is the cause.
    if (node instanceof EntityNode && node.value === MISSING && node.reason !== undefined)
      reason = `${node.label}: ${node.reason}`;
  }
  return reason;
}
