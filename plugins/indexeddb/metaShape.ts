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
    isTime(value.order) &&
    isTime(value.answered)
  );
}

/** A number that compares with others; `Infinity` is one. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}
