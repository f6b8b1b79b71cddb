import type { Changes, State, StoredResult, StoredRow } from 'holdfast';

/** How a commit changed one row or one result. */
export interface Change {
  /** `refreshed`: the value is the same, but newer. */
  readonly kind: 'added' | 'changed' | 'refreshed' | 'removed';
  /** The row's table; undefined for a result. */
  readonly table: string | undefined;
  /** The row's pk, or the result's endpoint key. */
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** How many rows and results a commit changed. Does not read them. */
export function sizeOf({ rows, results }: Changes): { readonly rows: number; readonly results: number } {
  let count = 0;
  for (const touched of rows.values()) count += touched.size;
  return { rows: count, results: results.size };
}

/** The individual changes of a commit, results first. */
export function* changesOf({ rows, results }: Changes, state: State): Iterable<Change> {
  for (const [key, before] of results) {
    const after = state.results.get(key);
    const isSame =
      before?.value === after?.value &&
      before?.error === after?.error &&
      before?.invalidated === after?.invalidated;
    yield {
      kind: kindOf(before !== undefined, after !== undefined, isSame),
      table: undefined,
      key,
      before: before && shownResult(before),
      after: after && shownResult(after),
    };
  }
  for (const [table, touched] of rows) {
    for (const [pk, row] of touched) {
      const [before, after] = [valueOf(row), valueOf(state.tables[table]?.get(pk))];
      yield {
        kind: kindOf(before !== undefined, after !== undefined, before === after),
        table,
        key: pk,
        before,
        after,
      };
    }
  }
}

function kindOf(isBefore: boolean, isAfter: boolean, isSame: boolean): Change['kind'] {
  if (!isAfter) return 'removed';
  if (!isBefore) return 'added';
  return isSame ? 'refreshed' : 'changed';
}

/** A tombstone is a removed row. */
function valueOf(row: StoredRow | undefined): unknown {
  return row?.value;
}

function shownResult({ value, meta, error, invalidated }: StoredResult): object {
  return {
    value,
    expiresAt: meta.expiresAt,
    ...(error === undefined ? {} : { error }),
    ...(invalidated === true ? { invalidated } : {}),
  };
}
