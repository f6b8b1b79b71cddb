import { ArraySchema } from './ArraySchema.ts';
import { Entity } from './Entity.ts';
import { entitiesOf, nameOf } from './entitiesOf.ts';
import { isEntity } from './isEntity.ts';
import type { Meta } from './Meta.ts';
import { isOlder, isSameWrite } from './order.ts';
import type { EntityClass, Schema } from './Schema.ts';
import type { Values } from './Values.ts';

/** What a collection may be of. */
export type CollectionMembers = ArraySchema<Schema> | Values<Schema>;

/**
 * A stored collection: what it holds, as pks, in a row like any other, so that it is ordered, persisted and laid over
 * like one. Its pk is its args. Each kind of collection has a subclass; reading it gives the list or map itself.
 */
export class CollectionRow extends Entity {
  members: unknown = [];

  /** Additions of one response are made to whatever list there is: of two that have them, the one here stands. */
  static override shouldReorder(existingMeta: Meta, incomingMeta: Meta): boolean {
    return isSameWrite(existingMeta, incomingMeta) || isOlder(incomingMeta, existingMeta);
  }
}

// Derived from the members alone, so it is the same for every controller; weak, so that it can be collected.
const classes = new WeakMap<object, { list?: EntityClass; map?: EntityClass }>();

/** The class of the rows of collections of these members: one for all of them, so that they share their rows. */
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

/** Whether it is a collection of a map. Asks for the other kind, so that an app without maps need not load `Values`. */
export function isMap(members: CollectionMembers): members is Values<Schema> {
  return !(members instanceof ArraySchema);
}

/** Whether an entity class is that of collections. */
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
