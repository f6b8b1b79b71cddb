import { MISSING } from '../schema/missing.ts';
import { freshUntil } from '../store/expiry.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';

/**
 * Numbers the walks: a node stores the last walk that visited it. Every mounted read walks, so this avoids a set each
 * time.
 */
let walks = 0;

/**
 * When the first of the rows below a node expires, in ms since the epoch; 0 if the node is missing.
 *
 * @param root - a clean node
 * @param now - in ms since the epoch
 */
export function earliestExpiry(root: Node, state: State, now: number): number {
  if (root.value === MISSING) return 0;
  walks += 1;
  let earliest = Infinity;
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.lastWalk === walks) continue;
    node.lastWalk = walks;
    const row = node instanceof EntityNode ? rowOf(state, node.entity.key, node.pk) : undefined;
    if (row !== undefined) earliest = Math.min(earliest, freshUntil(row.meta, now));
    for (const dep of node.deps) stack.push(dep);
  }
  return earliest;
}
