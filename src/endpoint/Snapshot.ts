import type { QueryArgs } from '../schema/query/queryArgs.ts';
import type { Denormalize, Schema } from '../schema/Schema.ts';
import type { AsyncFunction, EndpointArgs, EndpointData, NoMutation } from './endpointTypes.ts';

/**
 * The state at one moment, passed to `getOptimisticResponse`.
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
  /**
   * The denormalized value of an entity class or another schema that can be queried without a response; undefined if
   * absent.
   */
  get<S extends Schema>(queryable: S, ...args: QueryArgs<S>): Denormalize<S> | undefined;
  /** The result of an endpoint without a request; `data` is undefined if it was never fetched or is invalid. */
  getResponse<E extends AsyncFunction>(
    endpoint: E & NoMutation,
    ...args: EndpointArgs<E>
  ): { readonly data: EndpointData<E> | undefined };
  /** The error of a read's newest request, if it failed. */
  getError<E extends AsyncFunction>(endpoint: E & NoMutation, ...args: EndpointArgs<E>): unknown;
  /** Thrown to show no optimistic response. */
  readonly abort: Error;
  /** When the request started, in ms since the epoch. */
  readonly fetchedAt: number;
}
