/**
 * A promise that settles in time, whatever becomes of the one that is waited for.
 *
 * @param ms - how long to wait
 * @param message - of the `TimeoutError` that it rejects with then
 */
export function within<T>(ms: number, promise: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException(message, 'TimeoutError')), ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
