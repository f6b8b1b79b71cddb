import type { Meta } from 'holdfast';

/** Whether a decoded value is a plain record. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a decoded value is a valid meta. */
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

/** No clock reaches a greater order before the year 2112; such an order is damage, and would stop the clock. */
const LAST_ORDER = 2 ** 52;

/** A valid order. */
export function isOrder(value: unknown): value is number {
  return isTime(value) && value >= 0 && value <= LAST_ORDER;
}

/** A whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0; // a safe integer is a number
}

/** A comparable number, `Infinity` included. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}
