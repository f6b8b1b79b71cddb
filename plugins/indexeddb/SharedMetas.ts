import type { Meta } from 'holdfast';

/** How many are remembered at a time: what was stored together is read together, about. */
const REMEMBERED = 4_096;

/** Numbers that a meta takes in a list of them. */
export const META_WIDTH = 5;

/** The metas of one record, five numbers each. */
export interface MetaColumn {
  readonly metas: readonly (number | null)[];
  /**
   * What is to be added to each five, of which null is none. Times and orders lie close together: what they differ by takes
   * a third of the bytes and, being small, needs no object of its own when it is read. Absent where nothing is to be added.
   */
  readonly since?: readonly number[];
}

/** Metas as a record holds them. */
export function encodeMetas(metas: Iterable<Meta>): MetaColumn {
  const numbers: number[] = [];
  for (const { requestedAt, receivedAt, expiresAt, order, answered } of metas)
    numbers.push(requestedAt, receivedAt, expiresAt, order, answered);
  const since = numbers.slice(0, META_WIDTH);
  const start = (index: number): number => since[index % META_WIDTH] ?? 0;
  const apart = numbers.map((number, index) => distance(start(index), number));
  // Fractions and infinite numbers may not come back as they were.
  const isExact = apart.every((number, index) => number === null || start(index) + number === numbers[index]);
  return isExact && numbers.length > META_WIDTH ? { metas: apart, since } : { metas: numbers };
}

/** Null, unlike 0, keeps V8 from making a list of floats of it, which are all written in full. */
function distance(from: number, to: number): number | null {
  const apart = to - from;
  const small = apart | 0;
  // The same number, but for V8 no float.
  return from === to ? null : small === apart ? small : apart;
}

/**
 * Reads metas. The rows of one response lie in as many records, each of which has its meta: in memory they share one
 * again, since five numbers take as much as a small row.
 */
export class SharedMetas {
  readonly #byOrder = new Map<number, Meta>();

  /** The meta at a place of a column that was read; undefined where there is none. */
  at(metas: readonly unknown[], since: readonly unknown[] | undefined, place: number): Meta | undefined {
    const at = (index: number): number => {
      const number = metas[place + index];
      if (since === undefined) return sum(number, 0);
      return sum(number === null ? 0 : number, since[index]);
    };
    const requestedAt = at(0);
    const receivedAt = at(1);
    const expiresAt = at(2);
    const order = at(3);
    const answered = at(4);
    // One that is no number makes the sum none.
    if (Number.isNaN(requestedAt + receivedAt + expiresAt + order + answered)) return undefined;
    const known = this.#byOrder.get(order);
    if (
      known?.requestedAt === requestedAt &&
      known.receivedAt === receivedAt &&
      known.expiresAt === expiresAt &&
      known.answered === answered
    )
      return known;
    const meta: Meta = { requestedAt, receivedAt, expiresAt, order, answered };
    if (this.#byOrder.size >= REMEMBERED) this.#byOrder.clear();
    this.#byOrder.set(order, meta);
    return meta;
  }
}

function sum(one: unknown, other: unknown): number {
  return typeof one === 'number' && typeof other === 'number' ? one + other : NaN;
}
