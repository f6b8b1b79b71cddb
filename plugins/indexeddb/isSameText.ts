import { toText } from './typedText.ts';

/** Whether two values have the same text form; false if they have none. */
export function isSameText(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  try {
    return toText(one) === toText(other);
  } catch {
    return false;
  }
}
