import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import type { EntityRegistry } from '../store/EntityRegistry.ts';
import type { Store } from '../store/Store.ts';
import type { Reading } from './reading.ts';

/**
 * What reads gave when the server rendered: what a page must show while it hydrates, however far the store has moved
 * on meanwhile. `now` is what the same read gives at present; it is given back itself where both show the same.
 */
export interface ServerReads {
  result(endpoint: EndpointInterface, key: string, args: readonly unknown[], now: Reading): Reading;
  query(queryable: Schema, args: readonly unknown[], now: unknown): unknown;
  /** Tells that a read is on screen, and so by which schema its result is read: the server has sent none. */
  mounted(known: Known, key: string, schema: Schema): void;
  /** Tells that what the page had when it came, outside of boundaries that came later, has hydrated. */
  hydrated(): void;
  /** Settles when the server has sent what it was waiting for under this key, or no longer waits; undefined where it does not. */
  awaited(key: string): Promise<void> | undefined;
  /** Forgets all of it; nothing that still arrives is taken. */
  close(): void;
}

/** What a controller knows of its data. */
export interface Known {
  readonly store: Store;
  readonly schemas: Map<string, Schema>;
  readonly registry: EntityRegistry;
}

/** What a controller may begin with; `InitialState` is this for the Controller. Made by `deserialize`. */
export interface InitialStateOf<Controller> {
  /** For the controller: puts it into its store. Undefined where there is no page to hydrate. */
  open(controller: Controller): ServerReads | undefined;
}
