import type { Changes } from './changes.ts';
import type { State } from './State.ts';
import type { ListAddition } from './grownRow.ts';

/** What was done, for plugins and tools to tell. */
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

/** Names a pending optimistic layer. */
export type LayerId = number;

/**
 * What a plugin puts under its name in `side`: its records by key, of which an undefined one is deleted. They are
 * written in the transaction that writes what the commit changed.
 *
 * @example
 * // In a plugin named 'outbox': the answer is stored and the entry removed
 * // together or not at all.
 * const side = { outbox: [['entry-7', undefined]] satisfies SideRecords };
 */
export type SideRecords = readonly (readonly [key: string, record: unknown])[];

/** One transaction, as views (`head`), storage and other tabs (`base`) and tools see it. */
export interface Commit {
  readonly action: Action;
  /** Who made it: `'app'`, `'network'`, or the name of the plugin, which must not answer its own commits. */
  readonly origin: string;
  /** The confirmed state: what is persisted. */
  readonly base: State;
  /** What readers see: `base` with every pending optimistic layer replayed on it. */
  readonly head: State;
  readonly baseChanges: Changes;
  readonly headChanges: Changes;
  /** What it added to confirmed lists, for those who hold lists that are not here. */
  readonly additions: readonly ListAddition[];
  /** The layers that this commit removed. */
  readonly settled: readonly LayerId[];
  /** Records of other plugins, by plugin name, that the storage plugin writes in the same batch. */
  readonly side: Readonly<Record<string, SideRecords>>;
}
