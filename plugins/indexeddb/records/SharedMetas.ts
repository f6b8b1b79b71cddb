import type { Meta } from 'holdfast';
import { isOrder, isTime } from '../../shared/guards.ts';

/** The maximum size: records stored together are usually read together. */
const MAX_METAS = 4_096;

/** The number of values of an encoded meta. */
export const META_WIDTH = 5;

/** Appends a meta to a list of numbers. */
export function writeMeta(numbers: number[], meta: Meta): void {
  numbers.push(meta.requestedAt, meta.receivedAt, meta.expiresAt, meta.order, meta.answered);
}

/**
 * Decodes metas. The rows of one response are in different records, each with its own meta; in memory they share one
 * object again, since five numbers take as much space as a small row.
 */
export class SharedMetas {
  readonly #byOrder = new Map<number, Meta>();

  /** The meta at an offset in a list of numbers; undefined if there is none. */
  at(numbers: readonly unknown[], offset: number): Meta | undefined {
    const requestedAt = numbers[offset];
    const receivedAt = numbers[offset + 1];
    const expiresAt = numbers[offset + 2];
    const order = numbers[offset + 3];
    const answered = numbers[offset + 4];
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
    if (this.#byOrder.size >= MAX_METAS) this.#byOrder.clear();
    this.#byOrder.set(order, meta);
    return meta;
  }
}
