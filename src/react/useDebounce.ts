import { useEffect, useState, useTransition } from 'react';

/**
 * A value that follows another one once that has not changed for a while, so that typing does not fetch at each key.
 * It changes in a transition: what is on screen stays while what the new value needs is loading.
 *
 * @param value - compared by `Object.is`
 * @param delay - in ms
 * @param updatable - false keeps the value as it is until it is true, and for another `delay`
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
  // In a list: a function would be taken for an update of the state.
  const [[debounced], setDebounced] = useState<readonly [T]>([value]);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (!updatable || Object.is(value, debounced)) return undefined;
    const timer = setTimeout(() => startTransition(() => setDebounced([value])), delay);
    return () => clearTimeout(timer);
  }, [value, debounced, delay, updatable]);
  return [debounced, isPending];
}
