import type { State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import type { Node } from './Node.ts';
import { ResultNode } from './RootNode.ts';

/** So many parents of a node are looked at before what is below it is looked at too. */
const FEW = 8;

/**
 * The rows below some roots that nothing else reaches: no other stored result, no stored row that is not below the
 * roots itself, nobody who watches. Looks at what the roots reach, as far as nothing else obviously needs it.
 *
 * @param roots - joined nodes; those of results do not count as reaching anything
 * @param state - what is stored
 * @param nodesOf - the nodes of an entity's row, of whatever class
 */
export function unreached(
  roots: Iterable<Node>,
  state: State,
  nodesOf: (node: EntityNode) => readonly EntityNode[],
): EntityNode[] {
  const below = new Set<Node>(roots);
  const tops = new Set(below);
  for (const node of below) {
    for (const dep of node.deps) if (!isShownBy(dep, tops, state)) below.add(dep);
    // A row that several classes read goes with all their nodes, or stays with them.
    if (node instanceof EntityNode)
      for (const other of nodesOf(node)) if (!isShownBy(other, tops, state)) below.add(other);
  }
  const reached = new Set<Node>();
  const reach = (node: Node): void => {
    if (below.has(node)) reached.add(node);
  };
  for (const node of below) {
    const isReached =
      node instanceof EntityNode &&
      (isNeeded(node, below, state) || nodesOf(node).some((other) => !below.has(other)));
    if (isReached) reach(node);
  }
  for (const node of reached) {
    for (const dep of node.deps) reach(dep);
    if (node instanceof EntityNode) for (const other of nodesOf(node)) reach(other);
  }
  const found: EntityNode[] = [];
  for (const node of below) if (node instanceof EntityNode && !reached.has(node)) found.push(node);
  return found;
}

/** Whether a node is watched, or part of a result that stays, as far as a short look tells. */
function isShownBy(node: Node, roots: ReadonlySet<Node>, state: State): boolean {
  if (node.isWatched) return true;
  let looked = 0;
  for (const parent of node.parents) {
    if ((looked += 1) > FEW) return false;
    if (parent instanceof ResultNode && !roots.has(parent) && parent.isBacked(state)) return true;
  }
  return false;
}

/** Whether somebody watches a node, or something stored that is not below the roots was joined from it. */
function isNeeded(start: Node, below: ReadonlySet<Node>, state: State): boolean {
  const seen = new Set<Node>([start]);
  for (const node of seen) {
    if (node.isWatched || (node !== start && node.isBacked(state))) return true;
    for (const parent of node.parents) if (!below.has(parent)) seen.add(parent);
  }
  return false;
}
