import type { State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';
import { ResultNode } from './RootNode.ts';

/** Up to this many parents are checked before the descendants. */
const FEW = 8;

/**
 * The rows below some roots that nothing else refers to: no other stored result, no stored row outside of the roots,
 * no listener. Visits what the roots reach, except what is obviously needed elsewhere.
 *
 * @param roots - clean nodes; results among them do not keep their rows
 * @param state - what is stored
 * @param nodesOf - the nodes of an entity's row, for all classes
 */
export function unreachableRows(
  roots: Iterable<Node>,
  state: State,
  nodesOf: (node: EntityNode) => readonly EntityNode[],
): EntityNode[] {
  const candidates = new Set<Node>(roots);
  const rootSet = new Set(candidates);
  for (const node of candidates) {
    for (const dep of node.deps) if (!isObviouslyKept(dep, rootSet, state)) candidates.add(dep);
    // A row read by several classes is removed with all its nodes, or kept with them.
    if (node instanceof EntityNode)
      for (const other of nodesOf(node)) if (!isObviouslyKept(other, rootSet, state)) candidates.add(other);
  }
  const reached = new Set<Node>();
  const reach = (node: Node): void => {
    if (candidates.has(node)) reached.add(node);
  };
  for (const node of candidates) {
    const isReached =
      node instanceof EntityNode &&
      (isReachable(node, candidates, state) || nodesOf(node).some((other) => !candidates.has(other)));
    if (isReached) reach(node);
  }
  for (const node of reached) {
    for (const dep of node.deps) reach(dep);
    if (node instanceof EntityNode) for (const other of nodesOf(node)) reach(other);
  }
  const found: EntityNode[] = [];
  for (const node of candidates) if (node instanceof EntityNode && !reached.has(node)) found.push(node);
  return found;
}

/** Whether a node has listeners, or a few of its parents show that a kept result contains it. */
function isObviouslyKept(node: Node, roots: ReadonlySet<Node>, state: State): boolean {
  if (node.isWatched) return true;
  let looked = 0;
  for (const parent of node.parents) {
    if ((looked += 1) > FEW) return false;
    if (parent instanceof ResultNode && !roots.has(parent) && parent.isStored(state)) return true;
  }
  return false;
}

/** Whether a node has listeners, or a stored record outside of the candidates depends on it. */
function isReachable(start: Node, candidates: ReadonlySet<Node>, state: State): boolean {
  const seen = new Set<Node>([start]);
  for (const node of seen) {
    if (node.isWatched || (node !== start && node.isStored(state))) return true;
    for (const parent of node.parents) if (!candidates.has(parent)) seen.add(parent);
  }
  return false;
}
