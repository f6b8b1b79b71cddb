import { RENAMES, type EntityValue, type Meta, type StoredResult, type StoredRow } from 'holdfast';

/** What `persist` is called with: a result or a row. */
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
 * Which results and rows are persisted: `'all'`, or those for which the function returns true. Everything that a
 * persisted result refers to is persisted too, with all later updates.
 *
 * @example
 * const persist: Persist = (item) =>
 *   item.kind === 'result' && item.key.includes('/articles');
 */
export type Persist = 'all' | ((item: Persistable) => boolean);

/** Whether a result is persisted. Default: if it never becomes stale by itself. */
export function persistsResult(
  persist: Persist | undefined,
  key: string,
  { value, meta }: StoredResult,
): boolean {
  if (persist === undefined) return Math.abs(meta.expiresAt) === Infinity;
  return persist === 'all' || persist({ kind: 'result', key, value, meta });
}

/** Whether a row is persisted even if no persisted result refers to it. */
export function persistsRow(
  persist: Persist | undefined,
  table: string,
  pk: string,
  { value, meta }: StoredRow,
): boolean {
  if (table === RENAMES) return true;
  // By default, a row of a mutation whose endpoint never becomes stale.
  if (persist === undefined) return meta.expiresAt === Infinity && value !== undefined;
  return persist === 'all' || persist({ kind: 'row', table, pk, value, meta });
}
