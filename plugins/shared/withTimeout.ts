import type { Schedule } from 'holdfast';

/**
 * Settles with a promise, or rejects after a timeout.
 *
 * @param ms - the timeout
 * @param message - of the `TimeoutError`
 * @param schedule - the timers to use. Default: the real ones
 */
export function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  message: string,
  schedule: Schedule = realTime,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(Object.assign(new Error(message), { name: 'TimeoutError' }));
    const cancel = schedule(end, ms);
    promise.then(resolve, reject).finally(cancel);
  });
}

function realTime(run: () => void, delay: number): () => void {
  const timer = setTimeout(run, delay);
  return () => clearTimeout(timer);
}
