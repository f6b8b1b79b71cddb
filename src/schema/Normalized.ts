import type { EntityValue } from './Meta.ts';
import type { CollectionUpdate, EntityClass, Schema } from './Schema.ts';

/** An entity found in a response; `value` is undefined if it was deleted. */
export interface NormalizedEntity {
  readonly entity: EntityClass;
  readonly pk: string;
  readonly value: EntityValue | undefined;
  /** Fields that another class of the table declares as relations, but whose value here contains no entity. */
  readonly unrelated?: ReadonlyMap<string, Unrelated>;
}

/** The value of a field that does not match its schema, and that schema. */
export interface Unrelated {
  readonly schema: Schema;
  readonly value: unknown;
}

/** The classes that read each table, as far as they are known. */
export interface RelatedClasses {
  /** The relations that other classes of an entity's table declare and it does not; also registers its class. */
  undeclared(entity: EntityClass): ReadonlyMap<string, Schema> | undefined;
}

/** A normalized response: its shape with pks in place of entities, and the entities by table and pk. */
export interface Normalized {
  readonly result: unknown;
  readonly entities: ReadonlyMap<string, ReadonlyMap<string, NormalizedEntity>>;
  /** Changes of stored collections, in order. */
  readonly updates: readonly CollectionUpdate[];
}
