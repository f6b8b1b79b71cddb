import { ArraySchema } from '../ArraySchema.ts';
import { Entity } from '../entity/Entity.ts';
import { entitiesOf, nameOf } from '../entitiesOf.ts';
import { isEntity } from '../isEntity.ts';
import type { EntityValue, Invalidity, Meta } from '../Meta.ts';
import { isOlder, isSameWrite } from '../order.ts';
import type { EntityClass, Schema } from '../Schema.ts';
import type { Values } from '../Values.ts';

/** The schemas that a collection may have. */
export type CollectionMembers = ArraySchema<Schema> | Values<Schema>;

/**
 * A stored collection: its references, in a row like any other, so that it is ordered, persisted and shown with
 * optimistic layers like one. Its pk is made of its args. Each kind of collection has a subclass; reading it returns
 * the list or map itself.
 */
export class CollectionRow extends Entity {
  members: unknown = [];

  /** Additions of a response are applied to whatever list is stored. If both versions have additions, these win. */
  static override shouldReorder(existingMeta: Meta, incomingMeta: Meta): boolean {
    return isSameWrite(existingMeta, incomingMeta) || isOlder(incomingMeta, existingMeta);
  }

  /** The server, or an earlier version of the app, may have given a list where the schema is a map. */
  static override validate({ members }: EntityValue): Invalidity {
    const isOfMap = isMap(this.schema['members'] as CollectionMembers); // as rowClass() makes it
    return typeof members === 'object' && members !== null && Array.isArray(members) !== isOfMap
      ? undefined
      : 'the stored value is not such a collection';
  }
}

// Derived from the members alone, so it is the same for every controller; weak, so that it can be garbage-collected.
const classes = new WeakMap<object, { list?: EntityClass; map?: EntityClass }>();

/** The class for the rows of collections with these members: one for all of them, so that they share their rows. */
export function collectionRow(members: CollectionMembers): EntityClass {
  const { schema } = members;
  const owner = (typeof schema === 'object' && schema !== null) || isEntity(schema) ? schema : members;
  let rows = classes.get(owner);
  if (rows === undefined) classes.set(owner, (rows = {}));
  const name = nameOf(schema);
  return isMap(members)
    ? (rows.map ??= rowClass(`{${name}}`, members, schema))
    : (rows.list ??= rowClass(`[${name}]`, members, schema));
}

/**
 * Whether it is a collection of a map. It tests for the other kind, so that an app without maps does not load
 * `Values`.
 */
export function isMap(members: CollectionMembers): members is Values<Schema> {
  return !(members instanceof ArraySchema);
}

/** Whether an entity class is a collection class. */
export function isCollectionRow(entity: EntityClass): boolean {
  return entity.prototype instanceof CollectionRow;
}

function rowClass(key: string, members: Schema, member: Schema): EntityClass {
  const Row = class extends CollectionRow {
    static override key = key;
    static override schema = { members };
    static readonly namedAfter = entitiesOf(member);
  };
  return Object.defineProperty(Row, 'name', { value: key });
}
