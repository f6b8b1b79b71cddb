import type { EntityValue } from './Meta.ts';
import type { CollectionUpdate, EntityClass } from './Schema.ts';

/** An entity found in a response; `value` is undefined if it was deleted. */
export interface NormalizedEntity {
  readonly entity: EntityClass;
  readonly pk: string;
  readonly value: EntityValue | undefined;
}

/** A normalized response: its shape with pks in place of entities, and the entities by table and pk. */
export interface Normalized {
  readonly result: unknown;
  readonly entities: ReadonlyMap<string, ReadonlyMap<string, NormalizedEntity>>;
  /** Changes of stored collections, in order. */
  readonly updates: readonly CollectionUpdate[];
}
