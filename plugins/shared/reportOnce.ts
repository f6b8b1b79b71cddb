import type { HoldfastError } from 'holdfast';

/** Passes errors to a handler of the app; each message once. Default handler: `console.error`. */
export function reportOnce(
  onError: (error: HoldfastError) => void = (error) => console.error(error),
): (error: HoldfastError) => void {
  const reported = new Set<string>();
  return (error) => {
    if (reported.has(error.message)) return;
    reported.add(error.message);
    // Not during a commit: the handler may commit too, or throw.
    queueMicrotask(() => onError(error));
  };
}
