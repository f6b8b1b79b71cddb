import { toText } from './typedText.ts';

/** Whether two values are written alike; false where that cannot be told. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  try {
    return toText(one) === toText(other);
  } catch {
    return false;
  }
}
