import type { ArraySchema } from './ArraySchema.ts';
import { Entity } from './Entity.ts';
import { isEntity } from './isEntity.ts';
import type { EntityClass, Schema } from './Schema.ts';
import { Union } from './Union.ts';
import { Values } from './Values.ts';

/** What a collection may be of. */
export type CollectionMembers = ArraySchema<Schema> | Values<Schema>;

/**
 * A stored collection: what it holds, as pks, in a row like any other, so that it is ordered, persisted and laid over
 * like one. Its pk is its args. Each kind of collection has a subclass; reading it gives the list or map itself.
 */
export class CollectionRow extends Entity {
  members: unknown = [];
}

// Derived from the members alone, so it is the same for every controller; weak, so that it can be collected.
const classes = new WeakMap<object, { readonly lists: EntityClass; readonly maps: EntityClass }>();

/** The class of the rows of collections of these members: one for all of them, so that they share their rows. */
export function collectionRow(members: CollectionMembers): EntityClass {
  const { schema } = members;
  const owner = (typeof schema === 'object' && schema !== null) || isEntity(schema) ? schema : members;
  let rows = classes.get(owner);
  if (rows === undefined) {
    const name = nameOf(schema);
    const isMap = members instanceof Values;
    rows = {
      lists: rowClass(`[${name}]`, isMap ? [schema] : members, schema),
      maps: rowClass(`{${name}}`, isMap ? members : new Values(schema), schema),
    };
    classes.set(owner, rows);
  }
  return members instanceof Values ? rows.maps : rows.lists;
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

function nameOf(member: Schema): string {
  const names = entitiesOf(member).map(({ key }) => key);
  return [...new Set(names)].sort().join('|');
}

function entitiesOf(member: Schema): readonly EntityClass[] {
  if (isEntity(member)) return [member];
  return member instanceof Union
    ? Object.values(member.members as Readonly<Record<string, EntityClass>>)
    : []; // every Union's
}
