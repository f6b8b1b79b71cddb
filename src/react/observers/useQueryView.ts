import { useMemo, useSyncExternalStore } from 'react';
import type { QueryView } from '../../controller/reads/QueryView.ts';
import { stableJson } from '../../endpoint/stableJson.ts';
import type { Schema } from '../../schema/Schema.ts';
import { useController } from '../useController.ts';
import { useUnstableSchemaWarning } from '../useUnstableWarning.ts';

/** The common part of `useQuery` and `useSuspense` of a query: renders again when the data changes. */
export function useQueryView(
  queryable: Schema,
  args: readonly unknown[],
): { readonly view: QueryView; readonly data: unknown } {
  const controller = useController();
  const key = stableJson(args);
  if (process.env.NODE_ENV !== 'production')
    // oxlint-disable-next-line react/rules-of-hooks -- an app is of one kind from its first render to its last
    useUnstableSchemaWarning(queryable);
  const view = useMemo(
    () => {
      const created = controller.queryView(queryable, args);
      // Before the first paint, so that a list that lacks rows is never shown without a status that says so.
      created.restore();
      return created;
    },
    // oxlint-disable-next-line react/exhaustive-deps -- `key` represents args, a new array at each render
    [controller, queryable, key],
  );
  const data = useSyncExternalStore(view.subscribe, view.snapshot, view.serverSnapshot);
  return { view, data };
}
