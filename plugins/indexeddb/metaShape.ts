import type { Meta } from 'holdfast';

/** Whether something read from disk is a plain record of fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether something read from disk has the times and orders of a row or result. */
export function isMeta(value: unknown): value is Meta {
  return (
    isRecord(value) &&
    isTime(value.requestedAt) &&
    isTime(value.receivedAt) &&
    isTime(value.expiresAt) &&
    isOrder(value.order) &&
    isOrder(value.answered)
  );
}

/** No order that a clock gives out before the year 2112 is greater: a greater one is damage, and would stop the clock. */
const LAST_ORDER = 2 ** 52;

/** An order that a clock can have given out. */
export function isOrder(value: unknown): value is number {
  return isTime(value) && value >= 0 && value <= LAST_ORDER;
}

/** A number that compares with others; `Infinity` is one. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}
