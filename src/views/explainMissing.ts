import { MISSING } from '../schema/missing.ts';
import { below } from './below.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';

/**
 * Why something cannot be joined: the entity at fault and what is wrong with it.
 *
 * @param root - its node
 */
export function explainMissing(root: Node): string {
  let reason = 'the stored value is not of the shape of its schema';
  for (const node of below([root])) {
    // The deepest one is the cause of those above it.
    if (node instanceof EntityNode && node.value === MISSING && node.reason !== undefined)
      reason = `${node.place}: ${node.reason}`;
  }
  return reason;
}
