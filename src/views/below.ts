import type { Node } from './Node.ts';

/** Some nodes, and after them everything that they were joined from, once each. */
export function below(roots: Iterable<Node>): Set<Node> {
  const found = new Set<Node>(roots);
  // What is added to a set while it is gone through is gone through too.
  for (const node of found) for (const dep of node.deps) found.add(dep);
  return found;
}
