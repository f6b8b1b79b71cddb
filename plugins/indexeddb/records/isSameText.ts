import { encodeText } from 'holdfast';

/** Whether two values have the same text form; false if they have none. */
export function isSameText(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  try {
    return encodeText(one) === encodeText(other);
  } catch {
    return false;
  }
}
