import type { Meta } from 'holdfast';
import { isOrder, isTime } from './metaShape.ts';

/** How many are remembered at a time: what was stored together is read together, about. */
const REMEMBERED = 4_096;

/** Numbers that a meta takes in a list of them. */
export const META_WIDTH = 5;

/** Appends a meta to a list of numbers. */
export function writeMeta(numbers: number[], meta: Meta): void {
  numbers.push(meta.requestedAt, meta.receivedAt, meta.expiresAt, meta.order, meta.answered);
}

/**
 * Reads metas. The rows of one response lie in as many records, each of which has its meta: in memory they share one
 * again, since five numbers take as much as a small row.
 */
export class SharedMetas {
  readonly #byOrder = new Map<number, Meta>();

  /** The meta at a place of a list of numbers; undefined where there is none. */
  at(numbers: readonly unknown[], place: number): Meta | undefined {
    const requestedAt = numbers[place];
    const receivedAt = numbers[place + 1];
    const expiresAt = numbers[place + 2];
    const order = numbers[place + 3];
    const answered = numbers[place + 4];
    if (!isTime(requestedAt) || !isTime(receivedAt) || !isTime(expiresAt)) return undefined;
    if (!isOrder(order) || !isOrder(answered)) return undefined;
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
