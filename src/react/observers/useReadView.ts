import { useMemo, useEffect, useState } from 'react';
import { isNullRead } from '../../controller/reads/nullRead.ts';
import type { ReadView } from '../../controller/reads/ReadView.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { useController } from '../useController.ts';
import { useUnstableEndpointWarning } from '../useUnstableWarning.ts';

/**
 * The value that `make` creates for the view of a read, the same while endpoint and key are; undefined for null args.
 *
 * @param make - only that of the read's first render is called
 * @param context - passed to `make`, which then is no closure that each render allocates
 */
export function useReadObserver<T, C = undefined>(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  make: (view: ReadView, context: C) => T,
  context?: C,
): T | undefined {
  const controller = useController();
  if (process.env.NODE_ENV !== 'production') {
    /* eslint-disable react-hooks/rules-of-hooks -- an app is of one kind from its first render to its last */
    useUnstableEndpointWarning(endpoint);
    useMountedReport(endpoint, args);
    /* eslint-enable react-hooks/rules-of-hooks */
  }
  const key = isNullRead(args) ? undefined : endpoint.key(...args);
  return useMemo(
    () => (key === undefined ? undefined : make(controller.view(endpoint, args, key), context as C)), // undefined where C is
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` represents args, a new array at each render
    [controller, endpoint, key],
  );
}

/** The view of a read, the same while endpoint and key are; undefined for null args. */
export function useReadView(endpoint: EndpointInterface, args: readonly unknown[]): ReadView | undefined {
  return useReadObserver(endpoint, args, identity);
}

function identity(view: ReadView): ReadView {
  return view;
}

/** Custom hooks and React itself have frames between an observer and its component. */
const FRAMES = 40;

/** In development, tells plugins that ask for it which component shows a read. */
function useMountedReport(endpoint: EndpointInterface, args: readonly unknown[]): void {
  const { plugins } = useController();
  const [at] = useState(() =>
    plugins.some((plugin) => plugin.mounted !== undefined) ? stackHere() : undefined,
  );
  const key = isNullRead(args) ? undefined : endpoint.key(...args);
  useEffect(() => {
    if (at === undefined || key === undefined) return undefined;
    const stops = plugins.map((plugin) => plugin.mounted?.(key, at));
    return () => {
      for (const stop of stops) stop?.();
    };
  }, [plugins, key, at]);
}

/** Engines format a stack when it is read, so this alone costs little. */
function stackHere(): Error {
  const limited = Error as { stackTraceLimit?: number }; // only V8 has a limit
  const { stackTraceLimit } = limited;
  limited.stackTraceLimit = FRAMES;
  const at = new Error('A component that reads');
  if (stackTraceLimit !== undefined) limited.stackTraceLimit = stackTraceLimit;
  return at;
}
