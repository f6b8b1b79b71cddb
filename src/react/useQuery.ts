import { useMemo, useSyncExternalStore } from 'react';
import { stableJson } from '../endpoint/stableJson.ts';
import type { QueryArgs } from '../schema/query/queryArgs.ts';
import type { Denormalize, Schema } from '../schema/Schema.ts';
import { useController } from './useController.ts';
import { useUnstableSchemaWarning } from './useUnstableWarning.ts';

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
  const controller = useController();
  const key = stableJson(args);
  if (process.env.NODE_ENV !== 'production')
    // eslint-disable-next-line react-hooks/rules-of-hooks -- an app is of one kind from its first render to its last
    useUnstableSchemaWarning(queryable);
  const view = useMemo(
    () => controller.queryView(queryable, args),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` represents args, a new array at each render
    [controller, queryable, key],
  );
  const data = useSyncExternalStore(view.subscribe, view.snapshot, view.serverSnapshot);
  return data as Denormalize<S> | undefined; // denormalized by S
}
