import type { Node } from './Node.ts';

/** These nodes and everything they depend on, each once. */
export function descendants(roots: Iterable<Node>): Set<Node> {
  const found = new Set<Node>(roots);
  // Iterating a set also visits members added during the iteration.
  for (const node of found) for (const dep of node.deps) found.add(dep);
  return found;
}
