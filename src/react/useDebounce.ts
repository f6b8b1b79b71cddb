import { useEffect, useState, useTransition } from 'react';

/**
 * Returns a value after it has not changed for a while, so that typing does not fetch at each key. The change is a
 * transition: the current screen stays while data for the new value loads.
 *
 * @param value - compared by `Object.is`
 * @param delay - in ms
 * @param updatable - false keeps the present value until it is true, and for another `delay`
 * @returns the value, and whether a change of it is being rendered or loaded
 * @example
 * const [debounced, isPending] = useDebounce(title, 200);
 * const found = useSuspense(ArticleResource.getList, { title: debounced });
 */
export function useDebounce<T>(
  value: T,
  delay: number,
  updatable = true,
): readonly [debounced: T, isPending: boolean] {
  // In an array: React would call a function as a state updater.
  const [[debounced], setDebounced] = useState<readonly [T]>([value]);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    // While another value is loading, `debounced` is still the one before it.
    if (!updatable || (Object.is(value, debounced) && !isPending)) return undefined;
    const timer = setTimeout(
      () => startTransition(() => setDebounced((last) => (Object.is(value, last[0]) ? last : [value]))),
      delay,
    );
    return () => clearTimeout(timer);
  }, [value, debounced, isPending, delay, updatable]);
  return [debounced, isPending];
}
