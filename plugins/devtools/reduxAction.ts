import type { Changes, Commit, State } from 'holdfast';
import { changesOf, sizeOf, type Change } from './changesOf.ts';

/** What the Redux DevTools show of one row or result. */
type ShownChange = Pick<Change, 'kind' | 'before' | 'after'>;

/** What a commit did, as a tree that reads well: table → pk → change. */
export interface ShownChanges {
  readonly rows: Readonly<Record<string, Readonly<Record<string, ShownChange>>>>;
  readonly results: Readonly<Record<string, ShownChange>>;
  /** Rows and results that were too many to be told. */
  readonly omitted?: number;
}

/** A commit as a Redux action. */
export interface ReduxAction {
  /** Such as `fetch getArticle`. */
  readonly type: string;
  readonly name?: string;
  readonly key?: string;
  readonly args?: readonly unknown[];
  readonly origin: string;
  /** What readers see otherwise. */
  readonly changes: ShownChanges;
  /** What is confirmed otherwise, where something optimistic makes that differ from what readers see. */
  readonly confirmed?: ShownChanges;
  /** Optimistic layers taken away. */
  readonly settled?: readonly number[];
}

/** @param maxChanges - rows and results that are told one by one */
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
