import type { Derivation } from '../query/QueryPass.ts';
import type { RowSource } from '../Schema.ts';
import type { Plan } from './LiveIndexes.ts';
import type { Entry } from './ordering.ts';
import type { RowReader } from './relations.ts';

/** Which members of a list are selected, and their order. */
export interface Picking {
  /**
   * The plan for the members of each class; others are left out. Empty if the list is already filtered and sorted.
   */
  readonly members: readonly Plan[];
  readonly isSorted: boolean;
  readonly filter: (member: unknown) => boolean;
  readonly offset: number;
  readonly limit: number;
}

/** An evaluated member: whether it is selected, and its sort keys. */
interface Evaluated extends Entry {
  readonly member: unknown;
  readonly isPicked: boolean;
}

/** Selects members of a denormalized list: instances, each of which is evaluated once, or values of any other type. */
export class Picked {
  readonly #picking: Picking;
  // By instance, which belongs to one controller; weak, so that it can be collected.
  readonly #evaluated = new WeakMap<object, Evaluated>();

  constructor(picking: Picking) {
    this.#picking = picking;
  }

  /** Picks by the rows of a source. */
  of(source: RowSource): Derivation {
    const reader: RowReader = { source, depend: () => undefined };
    return { derive: this, make: (list) => this.#pick(list, reader) };
  }

  #pick(list: unknown, reader: RowReader): unknown {
    const { members: plans, isSorted, offset, limit } = this.#picking;
    const members = Object.values(list as object); // of a list or map
    const picked = members.map((member) => this.#evaluate(member, reader)).filter(({ isPicked }) => isPicked);
    const [first] = plans;
    if (isSorted && first !== undefined) picked.sort(first.ordering.compare);
    return picked.slice(offset, offset + limit).map(({ member }) => member);
  }

  #evaluate(member: unknown, reader: RowReader): Evaluated {
    const instance = Object(member) as object;
    const known = this.#evaluated.get(instance);
    if (known !== undefined) return known;
    const { members: plans, filter } = this.#picking;
    const plan = plans.find(({ entity }) => instance.constructor === entity);
    const { isPicked, ...entry } =
      plan === undefined
        ? { pk: '', keys: [], isPicked: plans.length === 0 }
        : evaluate(plan, instance, reader);
    const result = { member, ...entry, isPicked: isPicked && filter(member) };
    this.#evaluated.set(instance, result);
    return result;
  }
}

/** Tests and sorts a member by its stored row. */
function evaluate(
  { entity, conditions, ordering }: Plan,
  member: object,
  reader: RowReader,
): Entry & { readonly isPicked: boolean } {
  const pk = entity.pk(member) ?? '';
  const fields = reader.source.row(entity, pk);
  if (fields === undefined) return { pk, keys: [], isPicked: false };
  const subject = { schema: entity, fields };
  return { pk, keys: ordering.keys(subject, reader), isPicked: conditions.meets(subject, reader) };
}
