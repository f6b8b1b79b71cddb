/**
 * Settles with a promise, or rejects after a timeout.
 *
 * @param ms - the timeout
 * @param message - of the `TimeoutError`
 */
export function withTimeout<T>(ms: number, promise: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException(message, 'TimeoutError')), ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
