import { MISSING } from '../schema/missing.ts';
import { descendants } from './descendants.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';

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
