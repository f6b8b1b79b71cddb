import type { QueryArgs } from '../schema/queryArgs.ts';
import type { Denormalize, Schema } from '../schema/Schema.ts';
import type { AsyncFunction, EndpointArgs, EndpointData } from './endpointTypes.ts';

/**
 * The state as it was at one moment, given to `getOptimisticResponse`.
 *
 * @example
 * const finish = new RestEndpoint({
 *   path: '/tasks/:id/finish',
 *   method: 'POST',
 *   body: undefined,
 *   schema: Task,
 *   getOptimisticResponse(snapshot: Snapshot, { id }: { id: string }) {
 *     const task = snapshot.get(Task, { id });
 *     if (!task) throw snapshot.abort;
 *     return { ...task, isDone: true };
 *   },
 * });
 */
export interface Snapshot {
  /** The joined value of an entity class or another schema that can be asked without a response; undefined when absent. */
  get<S extends Schema>(queryable: S, ...args: QueryArgs<S>): Denormalize<S> | undefined;
  /** What reading an endpoint gives without a request; `data` is undefined when it was never fetched or is invalid. */
  getResponse<E extends AsyncFunction>(
    endpoint: E,
    ...args: EndpointArgs<E>
  ): { readonly data: EndpointData<E> | undefined };
  /** The error of the newest request of a read, where it failed. */
  getError<E extends AsyncFunction>(endpoint: E, ...args: EndpointArgs<E>): unknown;
  /** Thrown to say that there is nothing to show optimistically. */
  readonly abort: Error;
  /** When the request began, in ms since the epoch. */
  readonly fetchedAt: number;
}
