import type { EntityClass, Plugin, Restored, Schema, Unsent } from 'holdfast';

/** What the plugin uses of its controller. */
export interface ControllerApi {
  /** The controller's plugins, this one included. */
  readonly plugins: readonly Pick<Plugin, 'catchUp' | 'sideLost'>[];
  /** The current time in ms since the epoch. */
  now(): number;
  /** Merges restored data into memory, never over newer data. */
  apply(
    restored: Restored,
    options: { readonly origin: string; readonly type: 'restore'; readonly isHandedOver?: boolean },
  ): void;
  /** The classes that read a table; empty if none is known yet. */
  entitiesOf(table: string): readonly EntityClass[];
  /** The mounted reads. */
  mountedReads(): readonly { readonly key: string }[];
  /** The schema of a result. */
  schemaOf(key: string): Schema | undefined;
  /** Clears memory and the storage of every plugin. */
  reset(options: { readonly origin: string; readonly unsent: Unsent }): Promise<void>;
  /** Runs a function later; returns a function that cancels it. */
  schedule(run: () => void, delay: number): () => void;
  /** Advances the clock past this order. */
  witness(order: number): void;
}
