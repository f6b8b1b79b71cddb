import { MISSING } from '../schema/missing.ts';
import { freshUntil } from '../store/expiry.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';

/** Numbers the walks: a node bears the number of the last that met it, since each mounted read walks and makes no set. */
let walks = 0;

/**
 * When the first of the rows that something is joined from expires, in ms since the epoch; 0 when it is missing.
 *
 * @param root - its node, joined
 * @param now - in ms since the epoch
 */
export function earliestExpiry(root: Node, state: State, now: number): number {
  if (root.value === MISSING) return 0;
  walks += 1;
  let earliest = Infinity;
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.walk === walks) continue;
    node.walk = walks;
    const row = node instanceof EntityNode ? rowOf(state, node.entity.key, node.pk) : undefined;
    if (row !== undefined) earliest = Math.min(earliest, freshUntil(row.meta, now));
    for (const dep of node.deps) waiting.push(dep);
  }
  return earliest;
}
