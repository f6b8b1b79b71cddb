/**
 * A promise with the status properties that React's `use()` checks: a fulfilled one returns its value without
 * suspending.
 */
export interface TrackedPromise<T> extends Promise<T> {
  status?: 'pending' | 'fulfilled' | 'rejected';
  value?: T;
  reason?: unknown;
}

/** A promise of data that is available. */
export function fulfilled(value: unknown): TrackedPromise<unknown> {
  return Object.assign(Promise.resolve(value), { status: 'fulfilled', value } as const);
}

/** A rejected promise. */
export function rejected(reason: unknown): TrackedPromise<unknown> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it came
  const promise = Promise.reject(reason);
  // Its users handle the error; without users, it is no unhandled rejection.
  promise.catch(() => undefined);
  return Object.assign(promise, { status: 'rejected', reason } as const);
}

/** The same promise, with status properties. */
export function tracked(promise: Promise<unknown>): TrackedPromise<unknown> {
  const tracking: TrackedPromise<unknown> = promise;
  tracking.status = 'pending';
  promise.then(
    (value) => {
      tracking.status = 'fulfilled';
      tracking.value = value;
    },
    (reason: unknown) => {
      tracking.status = 'rejected';
      tracking.reason = reason;
    },
  );
  return tracking;
}
