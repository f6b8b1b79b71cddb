import type { QueryArgs } from '../schema/query/queryArgs.ts';
import type { Denormalize, Schema } from '../schema/Schema.ts';
import { useQueryView } from './observers/useQueryView.ts';

/**
 * Reads data in memory: an entity by its args, or the result of `All`, `Query` and other schemas. Never fetches or
 * suspends; undefined while there is no data.
 *
 * @example
 * const user = useQuery(User, { id });
 *
 * // Outside of components, so that it is one query:
 * const openTasks = new Query(new All(Task), (tasks) =>
 *   tasks.filter(({ isDone }) => !isDone),
 * );
 * const tasks = useQuery(openTasks);
 */
export function useQuery<S extends Schema>(queryable: S, ...args: QueryArgs<S>): Denormalize<S> | undefined {
  return useQueryView(queryable, args).data as Denormalize<S> | undefined; // denormalized by S
}
