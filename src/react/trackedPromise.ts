/**
 * A promise that tells how it has settled, in the members that React's `use()` looks for: one that is fulfilled gives
 * its value without suspending.
 */
export interface TrackedPromise<T> extends Promise<T> {
  status?: 'pending' | 'fulfilled' | 'rejected';
  value?: T;
  reason?: unknown;
}

/** A promise of what is there already. */
export function fulfilled(value: unknown): TrackedPromise<unknown> {
  return Object.assign(Promise.resolve(value), { status: 'fulfilled', value } as const);
}

/** A promise that has failed already. */
export function rejected(reason: unknown): TrackedPromise<unknown> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it came
  const promise = Promise.reject(reason);
  // Whoever uses it handles it; that nobody does is no fault.
  promise.catch(() => undefined);
  return Object.assign(promise, { status: 'rejected', reason } as const);
}

/** The same promise, telling how it settles. */
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
