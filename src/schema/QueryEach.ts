import { HoldfastError } from '../util/errors.ts';
import type { Derived } from './Derivations.ts';
import { patchedPlaces } from './patches.ts';
import { Query } from './Query.ts';
import type { Denormalize, Schema } from './Schema.ts';

/** Called with a member and args. */
type Each<V> = (member: unknown, ...args: readonly unknown[]) => V;

/** What a list has in it. */
type MemberOf<List> = List extends readonly (infer Member)[] ? Member : never;

/** The parameters after the first. */
type RestOf<F> = F extends (first: never, ...rest: infer Rest) => unknown ? Rest : never;

/**
 * What a function makes of each member of a list: its id, its title, a line of it. It runs again only for members that
 * have changed, however long the list is, and the result is the former one while it has the same members. So a long
 * list whose rows read themselves takes their ids by it: it renders when rows come, go or move, and not when they
 * change.
 *
 * The function gets a complete, frozen member, and the args of the read as in `Query`. It must be pure. Reading throws
 * `HF_NOT_QUERYABLE` where the schema reads no list.
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
   * @param schema - where the list comes from
   * @param each - makes something of a member and the args of the read
   */
  constructor(schema: S, each: F) {
    super(schema, (list, ...args) => this.make(list, args));
    this.#each = each as unknown as Each<ReturnType<F>>; // called with what the schema joins to
  }

  override make(list: unknown, args: readonly unknown[], former?: Derived): ReturnType<F>[] {
    if (!Array.isArray(list))
      throw new HoldfastError('HF_NOT_QUERYABLE', 'QueryEach needs a schema that reads a list.');
    if (former === undefined) return list.map((member) => this.#each(member, ...args));
    const before = former.data as readonly unknown[]; // as this method was given and gave it
    const made = former.value as ReturnType<F>[];
    // Most of a long list is as it was: nothing is copied before something differs.
    let values = list.length === made.length ? made : made.slice(0, list.length);
    const shift = before.length - list.length;
    // Where it is known what differs, the rest is not looked at.
    const places = patchedPlaces(list, before);
    for (let nth = 0; nth < (places ?? list).length; nth++) {
      const at = places?.[nth] ?? nth;
      const member: unknown = list[at];
      if (at < before.length && before[at] === member) continue;
      // What was there before may have moved by what has come or gone in front of it.
      const from = at + shift;
      const hasMoved = from >= 0 && from < before.length && before[from] === member;
      const value = hasMoved ? (made[from] as ReturnType<F>) : this.#each(member, ...args); // there is one for each of `before`
      if (at < values.length && Object.is(values[at], value)) continue;
      if (values === made) values = made.slice();
      values[at] = value;
    }
    return values;
  }
}
