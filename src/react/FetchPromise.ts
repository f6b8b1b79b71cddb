import type { ReadView } from '../controller/ReadView.ts';
import { MISSING } from '../schema/missing.ts';
import { fulfilled, rejected, tracked, type TrackedPromise } from './trackedPromise.ts';
import type { Shown } from './useShownReading.ts';

/**
 * Requests under way → the promise of what they will show. It belongs to the request and not to a component, so that
 * a first render that React discards leaves it behind for the next one.
 */
const awaited = new WeakMap<Promise<unknown>, Map<unknown, TrackedPromise<unknown>>>();

/** The promise that one component has of a read: the same until what the read gives is something else. */
export class FetchPromise {
  #last: TrackedPromise<unknown> | undefined;

  /** The promise for what is shown now. Starts the request that is waited for, once. */
  of({ view, data, error }: Shown): Promise<unknown> {
    const last = this.#last;
    const isSettling = last?.status === 'pending' && !view.isLoading;
    if (data !== MISSING) {
      const isOfIt = last?.status === 'fulfilled' && Object.is(last.value, data);
      // The answer is in the store a moment before the promise of it settles.
      if (last !== undefined && (isOfIt || isSettling)) return last;
      return (this.#last = fulfilled(data));
    }
    if (error !== undefined && !view.isLoading) {
      const isOfIt = last?.status === 'rejected' && last.reason === error;
      if (last !== undefined && (isOfIt || isSettling)) return last;
      return (this.#last = rejected(error));
    }
    return (this.#last = waitFor(view));
  }
}

function waitFor(view: ReadView): TrackedPromise<unknown> {
  const request = view.wait();
  const bySchema = awaited.get(request) ?? new Map<unknown, TrackedPromise<unknown>>();
  awaited.set(request, bySchema);
  // Endpoints of different schemas may share a request; each shows its own.
  const found = bySchema.get(view.schema);
  if (found !== undefined) return found;
  const promise = tracked(shownAfter(request, view));
  bySchema.set(view.schema, promise);
  return promise;
}

/** What the read shows when the request is over; asks again where that has been taken away meanwhile. */
async function shownAfter(request: Promise<unknown>, view: ReadView): Promise<unknown> {
  await request.catch(() => undefined);
  const { data, error } = view.snapshot();
  if (data !== MISSING) return data;
  // As it was rejected with.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (error !== undefined) throw error;
  return shownAfter(view.wait(), view);
}
