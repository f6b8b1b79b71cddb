import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Schema } from '../../schema/Schema.ts';
import type { EntityRegistry } from '../../store/EntityRegistry.ts';
import type { Store } from '../../store/Store.ts';
import type { CachedRead } from '../reads/CachedRead.ts';
import type { ReadResult } from '../reads/readResult.ts';

/**
 * The reads that the server rendered, which the page must show while it hydrates, whatever the store holds. `current`
 * is the present value of the same read; it is returned if both show the same.
 */
export interface HydrationSource {
  result(endpoint: EndpointInterface, key: string, args: readonly unknown[], current: ReadResult): ReadResult;
  query(queryable: Schema, args: readonly unknown[], current: unknown): unknown;
  /** A read was mounted, which gives the schema of its result: the server sends none. */
  onMount(schemas: StoreSchemas, read: CachedRead, schema: Schema): void;
  /** The first part of the page has hydrated, without the boundaries that arrived later. */
  onHydrated(): void;
  /** Settles when the server has sent this key, or stopped waiting for it; undefined if it is not pending. */
  pending(key: string): Promise<void> | undefined;
  /** Discards the server's data, including what still arrives. */
  close(): void;
}

/** The parts of a controller that know schemas. */
export interface StoreSchemas {
  readonly store: Store;
  readonly registry: EntityRegistry;
}

/** The initial state of a controller; `InitialState` is this type for the Controller. Created by `deserialize`. */
export interface InitialStateOf<Controller> {
  /** Merges it into the controller's store. Undefined if no page hydrates. */
  open(controller: Controller): HydrationSource | undefined;
}
