import { MISSING } from '../schema/missing.ts';

/**
 * Calls `listener` with what `read` gives whenever that is another value than before; with undefined where it gives
 * `MISSING`.
 *
 * @returns stops that
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
  // What is watched is joined once, and not kept for having been read.
  shown = read();
  isSubscribed = true;
  return stop;
}
