import { HoldfastError } from '../../util/errors.ts';
import type { QueryResult } from './QueryPass.ts';
import { patchedIndexes } from '../collection/listPatches.ts';
import { Query } from './Query.ts';
import type { Denormalize, Schema } from '../Schema.ts';

/** The function for each member. */
type Each<V> = (member: unknown, ...args: readonly unknown[]) => V;

/** The type of a list's members. */
type MemberOf<List> = List extends readonly (infer Member)[] ? Member : never;

/** The parameters after the first. */
type RestOf<F> = F extends (first: never, ...rest: infer Rest) => unknown ? Rest : never;

/**
 * Maps each member of a list: to its id, its title, a row of text. The function runs again only for members that have
 * changed, however long the list is, and the result keeps its identity while its members are the same. So a long list
 * whose rows read their own data can select ids with it: it renders when rows are added, removed or moved, but not
 * when they change.
 *
 * The function gets a complete, frozen member, and the args of the read as in `Query`. It must be pure. Reading
 * throws `HF_NOT_QUERYABLE` if the schema is not that of a list.
 *
 * @example
 * const taskIds = new QueryEach(new All(Task), (task) => task.id);
 * controller.get(taskIds); // ['1', '2']
 */
export class QueryEach<
  S extends Schema,
  F extends (member: MemberOf<Denormalize<S>>, ...args: never) => unknown,
> extends Query<S, (list: Denormalize<S>, ...args: RestOf<F>) => ReturnType<F>[]> {
  readonly #each: Each<ReturnType<F>>;

  /**
   * @param schema - the schema of the list
   * @param each - computes the result for a member, with the args of the read
   */
  constructor(schema: S, each: F) {
    super(schema, (list, ...args) => this.make(list, args));
    this.#each = each as unknown as Each<ReturnType<F>>; // called with denormalized data of the schema
  }

  override make(list: unknown, args: readonly unknown[], previous?: QueryResult): ReturnType<F>[] {
    if (!Array.isArray(list))
      throw new HoldfastError('HF_NOT_QUERYABLE', 'QueryEach needs the schema of a list.');
    if (previous === undefined) return list.map((member) => this.#each(member, ...args));
    const before = previous.data as readonly unknown[]; // the previous input and result of this method
    const made = previous.value as ReturnType<F>[];
    // Most of a long list is unchanged: nothing is copied before the first difference.
    let values = list.length === made.length ? made : made.slice(0, list.length);
    const shift = before.length - list.length;
    // If the differing indexes are known, no other member is compared.
    const places = patchedIndexes(list, before);
    for (let nth = 0; nth < (places ?? list).length; nth++) {
      const at = places?.[nth] ?? nth;
      const member: unknown = list[at];
      if (at < before.length && before[at] === member) continue;
      // Members may have moved because of additions or removals before them.
      const from = at + shift;
      const hasMoved = from >= 0 && from < before.length && before[from] === member;
      const value = hasMoved ? (made[from] as ReturnType<F>) : this.#each(member, ...args); // there is one result for each member of `before`
      if (at < values.length && Object.is(values[at], value)) continue;
      if (values === made) values = made.slice();
      values[at] = value;
    }
    return values;
  }
}
