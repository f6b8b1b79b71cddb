import { MISSING } from '../schema/missing.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';

/**
 * When the first of the rows that something is joined from expires, in ms since the epoch; 0 when it is missing.
 *
 * @param nodes - its node and those below it, in this order
 */
export function earliestExpiry(nodes: Iterable<Node>, state: State): number {
  const [root] = nodes;
  if (root?.value === MISSING) return 0;
  let earliest = Infinity;
  for (const node of nodes) {
    const row = node instanceof EntityNode ? rowOf(state, node.entity.key, node.pk) : undefined;
    if (row !== undefined) earliest = Math.min(earliest, row.meta.expiresAt);
  }
  return earliest;
}
