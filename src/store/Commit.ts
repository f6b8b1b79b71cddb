import type { Changes } from './changes.ts';
import type { State } from './State.ts';
import type { ListChange } from './lazyListRow.ts';

/** What caused a commit, for plugins and devtools. */
export interface Action {
  readonly type:
    | 'fetch'
    | 'fetchError'
    | 'optimistic'
    | 'set'
    | 'setResponse'
    | 'setError'
    | 'invalidate'
    | 'invalidateAll'
    | 'expireAll'
    | 'restore'
    | 'hydrate'
    | 'apply'
    | 'collect'
    | 'batch'
    | 'reset';
  /** Name of the endpoint, where there is one. */
  readonly name?: string;
  /** Key of the result, where there is one. */
  readonly key?: string;
  readonly args?: readonly unknown[];
}

/** Id of a pending optimistic layer. */
export type LayerId = number;

/**
 * The records that a commit carries for a plugin, by the plugin's name in `side`; an undefined record is deleted.
 * They are written in the same transaction as the commit's changes.
 *
 * @example
 * // In a plugin named 'outbox': the answer is stored and the entry removed
 * // together or not at all.
 * const side = { outbox: [['entry-7', undefined]] satisfies SideRecords };
 */
export type SideRecords = readonly (readonly [key: string, record: unknown])[];

/** One transaction as views (`head`), storage and other tabs (`base`) and devtools receive it. */
export interface Commit {
  readonly action: Action;
  /** Who made it: `'app'`, `'network'`, or a plugin's name. A plugin must not react to its own commits. */
  readonly origin: string;
  /** The confirmed state: what is persisted. */
  readonly base: State;
  /** What readers see: `base` with every pending optimistic layer replayed on it. */
  readonly head: State;
  readonly baseChanges: Changes;
  readonly headChanges: Changes;
  /** What it added to confirmed lists, for tabs and disks that hold lists which this tab does not. */
  readonly listChanges: readonly ListChange[];
  /** The layers that this commit removed. */
  readonly settled: readonly LayerId[];
  /** Records of other plugins, by plugin name, that the storage plugin writes in the same batch. */
  readonly side: Readonly<Record<string, SideRecords>>;
}
