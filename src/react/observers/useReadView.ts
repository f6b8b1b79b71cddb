import { useMemo, useEffect, useState } from 'react';
import { assertEndpoint, isNullRead } from '../../controller/reads/readResult.ts';
import type { ReadView } from '../../controller/reads/ReadView.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { useController } from '../useController.ts';
import { useUnstableEndpointWarning } from '../useUnstableWarning.ts';

/** The key of a read; undefined for null args. In development, reports endpoints that are created at each render. */
export function useReadKey(endpoint: EndpointInterface, args: readonly unknown[]): string | undefined {
  const isRead = !isNullRead(args);
  if (process.env.NODE_ENV !== 'production' && isRead) assertEndpoint(endpoint);
  const key = isRead ? endpoint.key(...args) : undefined;
  if (process.env.NODE_ENV !== 'production') {
    /* oxlint-disable react/rules-of-hooks -- an app is of one kind from its first render to its last */
    useUnstableEndpointWarning(endpoint);
    useMountedReport(key);
    /* oxlint-enable react/rules-of-hooks */
  }
  return key;
}

/** The view of a read, the same while endpoint and key are; undefined for null args. */
export function useReadView(endpoint: EndpointInterface, args: readonly unknown[]): ReadView | undefined {
  const controller = useController();
  const key = useReadKey(endpoint, args);
  return useMemo(
    () => (key === undefined ? undefined : controller.view(endpoint, args, key)),
    // oxlint-disable-next-line react/exhaustive-deps -- `key` represents args, a new array at each render
    [controller, endpoint, key],
  );
}

/** Custom hooks and React itself have frames between an observer and its component. */
const FRAMES = 40;

/** In development, tells plugins that ask for it which component shows a read. */
function useMountedReport(key: string | undefined): void {
  const { plugins } = useController();
  const [at] = useState(() =>
    plugins.some((plugin) => plugin.mounted !== undefined) ? stackHere() : undefined,
  );
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
