import type { EntityValue, Meta, StoredResult, StoredRow } from 'holdfast';

/** What `persist` is asked of: a result, or a row. */
export type Persistable =
  | {
      readonly kind: 'result';
      /** The endpoint's key. */
      readonly key: string;
      /** The response with pks in place of entities. */
      readonly value: unknown;
      readonly meta: Meta;
    }
  | {
      readonly kind: 'row';
      /** The entity's key. */
      readonly table: string;
      readonly pk: string;
      /** The stored fields; undefined for a deleted entity. */
      readonly value: EntityValue | undefined;
      readonly meta: Meta;
    };

/**
 * Which results and rows are persisted: `'all'`, or whatever the function says. What a persisted result reaches,
 * transitively, is persisted too, and so is every later change to what once was.
 *
 * @example
 * const persist: Persist = (item) =>
 *   item.kind === 'result' && item.key.includes('/articles');
 */
export type Persist = 'all' | ((item: Persistable) => boolean);

/** Whether a result is persisted for itself. Without a policy: what never goes stale is. */
export function persistsResult(
  persist: Persist | undefined,
  key: string,
  { value, meta }: StoredResult,
): boolean {
  if (persist === undefined) return meta.expiresAt === Infinity;
  return persist === 'all' || persist({ kind: 'result', key, value, meta });
}

/** Whether a row is persisted for itself, whether or not a persisted result reaches it. */
export function persistsRow(
  persist: Persist | undefined,
  table: string,
  pk: string,
  { value, meta }: StoredRow,
): boolean {
  // Without a policy, such a row came of a mutation whose endpoint never goes stale.
  if (persist === undefined) return meta.expiresAt === Infinity && value !== undefined;
  return persist === 'all' || persist({ kind: 'row', table, pk, value, meta });
}
