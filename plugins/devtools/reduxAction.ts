import type { Changes, Commit, State } from 'holdfast';
import { changesOf, sizeOf, type Change } from './changesOf.ts';

/** One row or result in the Redux DevTools. */
type ShownChange = Pick<Change, 'kind' | 'before' | 'after'>;

/** The changes of a commit as a tree: table → pk → change. */
export interface ShownChanges {
  readonly rows: Readonly<Record<string, Readonly<Record<string, ShownChange>>>>;
  readonly results: Readonly<Record<string, ShownChange>>;
  /** The number of rows and results beyond the maximum. */
  readonly omitted?: number;
}

/** A commit as a Redux action. */
export interface ReduxAction {
  /** For example `fetch getArticle`. */
  readonly type: string;
  readonly name?: string;
  readonly key?: string;
  readonly args?: readonly unknown[];
  readonly origin: string;
  /** Changes of the visible data. */
  readonly changes: ShownChanges;
  /** Changes of the confirmed data, if optimistic layers make it differ from the visible data. */
  readonly confirmed?: ShownChanges;
  /** Optimistic layers that were removed. */
  readonly settled?: readonly number[];
}

/** @param maxChanges - the maximum number of rows and results listed individually */
export function reduxAction(commit: Commit, maxChanges: number): ReduxAction {
  const { action, origin, base, head, baseChanges, headChanges, settled } = commit;
  return {
    ...action,
    type: action.name === undefined ? action.type : `${action.type} ${action.name}`,
    origin,
    changes: shown(headChanges, head, maxChanges),
    ...(base === head ? {} : { confirmed: shown(baseChanges, base, maxChanges) }),
    ...(settled.length === 0 ? {} : { settled }),
  };
}

function shown(changes: Changes, state: State, maxChanges: number): ShownChanges {
  // Tables and keys may have any name.
  const rows = record<Record<string, ShownChange>>();
  const results = record<ShownChange>();
  let told = 0;
  for (const { kind, table, key, before, after } of changesOf(changes, state)) {
    if (told >= maxChanges) break;
    told += 1;
    const target = table === undefined ? results : (rows[table] ??= record<ShownChange>());
    target[key] = { kind, before, after };
  }
  const size = sizeOf(changes);
  const omitted = size.rows + size.results - told;
  return { rows, results, ...(omitted > 0 ? { omitted } : {}) };
}

function record<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>; // empty, so of any type of value
}
