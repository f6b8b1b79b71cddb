import { useCallback, useRef, useState, type DependencyList } from 'react';

/** The state of the latest run. */
interface Run {
  readonly loading: boolean;
  readonly error: Error | undefined;
}

const IDLE: Run = { loading: false, error: undefined };

/**
 * Runs an async function, such as a mutation in an event handler, and returns whether it is pending and its error. Of
 * several pending runs, the latest counts. A run that fails resolves with undefined: its error is the third member,
 * so that a handler need not catch it.
 *
 * @param run - the function
 * @param deps - the returned `run` stays the same while these do; default: while the function does
 * @example
 * const [save, saving, error] = useLoading((title: string) =>
 *   controller.fetch(ArticleResource.partialUpdate, { id }, { title }),
 * );
 * return (
 *   <button disabled={saving} onClick={() => save('Better')}>
 *     {error ? 'Try again' : 'Save'}
 *   </button>
 * );
 */
export function useLoading<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
  deps: DependencyList = [run],
): readonly [
  run: (...args: Args) => Promise<Result | undefined>,
  loading: boolean,
  error: Error | undefined,
] {
  const [state, setState] = useState(IDLE);
  const latest = useRef(0);
  const start = useCallback(async (...args: Args): Promise<Result | undefined> => {
    const number = (latest.current += 1);
    // React ignores state updates after unmounting.
    const settle = (next: Run): void => {
      if (number === latest.current) setState(next);
    };
    settle({ loading: true, error: undefined });
    try {
      const result = await run(...args);
      settle(IDLE);
      return result;
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
      settle({ loading: false, error });
      return undefined;
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the caller's deps, as with `useCallback`
  }, deps);
  return [start, state.loading, state.error];
}
