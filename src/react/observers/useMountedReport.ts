import { useEffect, useState } from 'react';
import { isNullRead } from '../../controller/reads/nullRead.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { useController } from '../useController.ts';

/** Custom hooks and React itself have frames between an observer and its component. */
const FRAMES = 40;

/** In development, tells plugins that ask for it which component shows a read. */
export function useMountedReport(endpoint: EndpointInterface, args: readonly unknown[]): void {
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
