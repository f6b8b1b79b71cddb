import type { EntityClass, Plugin, Restored, Schema, Unsent } from 'holdfast';

/** What the plugin asks of its controller. */
export interface Core {
  /** The plugins beside this one. */
  readonly plugins: readonly Pick<Plugin, 'catchUp' | 'sideLost'>[];
  /** The time in ms since the epoch. */
  now(): number;
  /** Merges what was on disk into memory, never over something newer. */
  apply(
    restored: Restored,
    options: { readonly origin: string; readonly type: 'restore'; readonly isHandedOver?: boolean },
  ): void;
  /** The classes that read a table; none before any was met. */
  entitiesOf(table: string): readonly EntityClass[];
  /** The reads that are on screen. */
  mountedReads(): readonly { readonly key: string }[];
  /** The schema of an endpoint's result. */
  schemaOf(key: string): Schema | undefined;
  /** Forgets what is in memory, and has every plugin forget what it keeps. */
  reset(options: { readonly origin: string; readonly unsent: Unsent }): Promise<void>;
  /** Runs something later, unless what it returns is called before. */
  schedule(run: () => void, delay: number): () => void;
  /** Makes every later order greater than this one. */
  witness(order: number): void;
}
