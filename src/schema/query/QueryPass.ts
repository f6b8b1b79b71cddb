import { freezeDenormalized, isContainer } from '../../util/freezeDenormalized.ts';
import { getOrInsert } from '../../util/getOrInsert.ts';
import { isShallowlyEqual } from '../../util/adopt.ts';
import { MISSING } from '../missing.ts';
import type { DeferredPass, DenormalizeVisitor, GraphNode } from '../Schema.ts';

/** The input and the result of a query. */
export interface QueryResult {
  readonly data: unknown;
  readonly value: unknown;
}

/** Computes a query's result from denormalized data. */
export interface Derivation {
  /** The function that defines the result: with another one, nothing is reused. */
  readonly derive: unknown;
  /** @param previous - the previous result */
  make(data: unknown, args: readonly unknown[], previous: QueryResult | undefined): unknown;
}

// By denormalized value, which belongs to one controller; weak, so that it can be garbage-collected.
const queryResults = new WeakMap<GraphNode, (QueryResult & Pick<Derivation, 'derive'>)[]>();

/**
 * The queries within one denormalization. Their functions must get complete data, but denormalization first hands out
 * unfinished shells. So nodes with queries are filled a second time once all others are complete, innermost first.
 */
export class QueryPass implements DeferredPass {
  readonly #waiting = new Set<GraphNode>();
  /** The queries found so far in the node being filled. */
  #queries = 0;
  #isFinal = false;

  static of(visitor: DenormalizeVisitor): QueryPass {
    return visitor.deferredPass(() => new QueryPass());
  }

  startNode(): void {
    this.#queries = 0;
  }

  finish(): readonly GraphNode[] {
    this.#isFinal = true;
    return innermostFirst(this.#waiting);
  }

  /** The result of a query once its data is complete: the previous one if the data or the result is unchanged. */
  derive({ current }: DenormalizeVisitor, data: unknown, query: Derivation): unknown {
    if (data === MISSING || current === undefined) return MISSING;
    const nth = this.#queries++;
    if (!this.#isFinal) {
      this.#waiting.add(current);
      return undefined;
    }
    // A function that sorts the list in place would change it for every reader.
    if (process.env.NODE_ENV !== 'production' && isContainer(data)) freezeDenormalized(data);
    const all = getOrInsert(queryResults, current, () => []);
    const { derive } = query;
    const previous = all[nth];
    const same = previous?.derive === derive ? previous : undefined;
    if (same !== undefined && same.data === data) return same.value;
    const made = query.make(data, current.args ?? [], same);
    const value = previous !== undefined && isShallowlyEqual(previous.value, made) ? previous.value : made;
    all[nth] = { data, derive, value };
    return value;
  }
}

/** Ordered so that each node comes after the nodes below it; within a cycle, in any order. */
function innermostFirst(nodes: ReadonlySet<GraphNode>): readonly GraphNode[] {
  // A single node needs no traversal of the nodes below it.
  if (nodes.size === 1) return [...nodes];
  const ordered: GraphNode[] = [];
  const entered = new Set<GraphNode>();
  for (const start of nodes) {
    const trail: { readonly node: GraphNode; next: number }[] = [];
    const enter = (node: GraphNode): void => {
      if (node.phase !== 'computing' || entered.has(node)) return;
      entered.add(node);
      trail.push({ node, next: 0 });
    };
    enter(start);
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const dep = step.node.deps[step.next++];
      if (dep !== undefined) {
        enter(dep);
      } else {
        trail.pop();
        if (nodes.has(step.node)) ordered.push(step.node);
      }
    }
  }
  return ordered;
}
