import { freezeJoined, isContainer } from '../util/freezeJoined.ts';
import { isShallowlyEqual } from '../util/isShallowlyEqual.ts';
import { MISSING } from './missing.ts';
import type { Afterwards, DenormalizeVisitor, Joined } from './Schema.ts';

/** What a query made of what. */
export interface Derived {
  readonly data: unknown;
  readonly value: unknown;
}

/** Makes something of joined data. */
export interface Deriving {
  /** What it does is told by this function: another one begins anew. */
  readonly derive: unknown;
  /** @param former - what was made before */
  make(data: unknown, args: readonly unknown[], former: Derived | undefined): unknown;
}

// By what was joined, which belongs to one controller; weak, so that it can be let go of.
const derived = new WeakMap<Joined, (Derived & Pick<Deriving, 'derive'>)[]>();

/**
 * The queries met in one join. Their functions must see complete data, but a join hands out unfinished shells: so what
 * has queries is filled once more when all else is complete, inner ones first.
 */
export class Derivations implements Afterwards {
  readonly #waiting = new Set<Joined>();
  /** Queries met so far in what is being filled. */
  #queries = 0;
  #isSettled = false;

  static of(visitor: DenormalizeVisitor): Derivations {
    return visitor.afterwards(() => new Derivations());
  }

  filling(): void {
    this.#queries = 0;
  }

  begin(): readonly Joined[] {
    this.#isSettled = true;
    return innermostFirst(this.#waiting);
  }

  /** What a query makes of data, once that is complete: the former value where data or result are the former ones. */
  derive({ current }: DenormalizeVisitor, data: unknown, query: Deriving): unknown {
    if (data === MISSING || current === undefined) return MISSING;
    const nth = this.#queries++;
    if (!this.#isSettled) {
      this.#waiting.add(current);
      return undefined;
    }
    // A function that sorts the list in place would change it for every reader.
    if (process.env.NODE_ENV !== 'production' && isContainer(data)) freezeJoined(data);
    let all = derived.get(current);
    if (all === undefined) derived.set(current, (all = []));
    const { derive } = query;
    const former = all[nth];
    const same = former?.derive === derive ? former : undefined;
    if (same !== undefined && same.data === data) return same.value;
    const made = query.make(data, current.args, same);
    const value = former !== undefined && isShallowlyEqual(former.value, made) ? former.value : made;
    all[nth] = { data, derive, value };
    return value;
  }
}

/** In such an order that each comes after those below it; within a cycle, in any. */
function innermostFirst(those: ReadonlySet<Joined>): readonly Joined[] {
  // One alone needs no look at all that is below it.
  if (those.size === 1) return [...those];
  const ordered: Joined[] = [];
  const entered = new Set<Joined>();
  for (const start of those) {
    const trail: { readonly joined: Joined; next: number }[] = [];
    const enter = (joined: Joined): void => {
      if (joined.phase !== 'begun' || entered.has(joined)) return;
      entered.add(joined);
      trail.push({ joined, next: 0 });
    };
    enter(start);
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const dep = step.joined.deps[step.next++];
      if (dep !== undefined) {
        enter(dep);
      } else {
        trail.pop();
        if (those.has(step.joined)) ordered.push(step.joined);
      }
    }
  }
  return ordered;
}
