import { MISSING } from '../../schema/missing.ts';

/**
 * Calls `listener` with the result of `read` whenever it changes; with undefined for `MISSING`.
 *
 * @returns a function that stops it
 */
export function watchValue(
  read: () => unknown,
  subscribe: (changed: () => void) => () => void,
  listener: (data: unknown) => void,
): () => void {
  let shown: unknown;
  let isSubscribed = false;
  const stop = subscribe(() => {
    const next = read();
    if (!isSubscribed || Object.is(next, shown)) return;
    shown = next;
    listener(next === MISSING ? undefined : next);
  });
  // The watch itself keeps the value; the first read must not.
  shown = read();
  isSubscribed = true;
  return () => {
    // It stays silent from now on, even while listeners are being notified.
    if (isSubscribed) stop();
    isSubscribed = false;
  };
}
