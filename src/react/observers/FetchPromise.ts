import type { ReadView } from '../../controller/reads/ReadView.ts';
import { MISSING } from '../../schema/missing.ts';
import type { SuspenseSnapshot } from './SuspenseObserver.ts';

/**
 * Pending request → the promise of the data that it will show. It belongs to the request rather than to a component,
 * so that a first render that React discards leaves it for the next one.
 */
const promisesByRequest = new WeakMap<Promise<unknown>, Map<unknown, TrackedPromise<unknown>>>();

/** The promise that a component has for a read: the same one until the read's data changes. */
export class FetchPromise {
  #settled: TrackedPromise<unknown> | undefined;
  /** Kept separately: a transition may wait for it while the old screen renders again with the settled one. */
  #pending: TrackedPromise<unknown> | undefined;

  /** The promise for the current data. Starts the request that it waits for, once. */
  of({ view, data, error }: SuspenseSnapshot): Promise<unknown> {
    if (data === MISSING && (error === undefined || view.isLoading)) return (this.#pending = promiseOf(view));
    const isCurrent = (promise: TrackedPromise<unknown> | undefined): boolean =>
      data === MISSING
        ? promise?.status === 'rejected' && promise.reason === error
        : promise?.status === 'fulfilled' && Object.is(promise.value, data);
    if (this.#settled !== undefined && isCurrent(this.#settled)) return this.#settled;
    const pending = this.#pending;
    // The response is in the store slightly before its promise settles.
    if (pending !== undefined && (isCurrent(pending) || (pending.status === 'pending' && !view.isLoading)))
      return pending;
    return (this.#settled = data === MISSING ? rejected(error) : fulfilled(data));
  }
}

function promiseOf(view: ReadView): TrackedPromise<unknown> {
  const request = view.loadForSuspense();
  const bySchema = promisesByRequest.get(request) ?? new Map<unknown, TrackedPromise<unknown>>();
  promisesByRequest.set(request, bySchema);
  // Endpoints with different schemas may share a request; each shows its own data.
  const found = bySchema.get(view.endpoint.schema);
  if (found !== undefined) return found;
  const promise = tracked(dataAfter(request, view));
  bySchema.set(view.endpoint.schema, promise);
  return promise;
}

/** The data of the read after the request; fetches again if it was removed in between. */
async function dataAfter(request: Promise<unknown>, view: ReadView): Promise<unknown> {
  await request.catch(() => undefined);
  const { data, error } = view.snapshot();
  if (data !== MISSING) return data;
  // oxlint-disable-next-line typescript/only-throw-error -- the original rejection
  if (error !== undefined) throw error;
  return dataAfter(view.loadForSuspense(), view);
}

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
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as it came
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
