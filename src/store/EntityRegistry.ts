import type { EntityClass, Schema } from '../schema/Schema.ts';
import { isCollectionRow } from '../schema/CollectionRow.ts';
import { hasOwnKey } from '../schema/Entity.ts';
import { isSchemaObject } from '../schema/isEntity.ts';
import type { Normalized, Siblings } from '../schema/normalize.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { HoldfastError } from '../util/errors.ts';

const NONE: readonly EntityClass[] = [];

type Relations = ReadonlyMap<string, Schema>;

/** What the classes of a table declare between them. */
interface Declared {
  /** The classes with the schemas that they had: those that refer to each other get theirs after they are made. */
  readonly by: readonly (readonly [EntityClass, EntityClass['schema']])[];
  /** Field → the first schema of it that has entities in it. */
  readonly relations: Relations;
  readonly undeclared: Map<EntityClass, Relations | undefined>;
}

const NO_RELATIONS: Relations = new Map();

/** The entity classes that a controller has met, by table. */
export class EntityRegistry implements Siblings {
  readonly #classes = new Map<string, EntityClass[]>();
  readonly #declared = new Map<string, Declared>();

  /**
   * Notes a class.
   *
   * @throws HoldfastError `HF_KEY_COLLISION` when an unrelated class has the same key by default
   */
  add(entity: EntityClass): void {
    const known = this.#classes.get(entity.key);
    if (known === undefined) {
      this.#classes.set(entity.key, [entity]);
      return;
    }
    if (known.includes(entity)) return;
    for (const other of known) {
      if (hasOwnKey(entity) || hasOwnKey(other) || isRelated(entity, other)) continue;
      throw new HoldfastError(
        'HF_KEY_COLLISION',
        `Two unrelated classes are named ${entity.name}; give each a static key`,
      );
    }
    known.push(entity);
  }

  /** Notes the classes of every entity found in a response. */
  addAll(entities: Normalized['entities']): void {
    for (const rows of entities.values()) {
      let last: EntityClass | undefined;
      for (const { entity } of rows.values()) {
        if (entity !== last) this.add(entity);
        last = entity;
      }
    }
  }

  /** The classes that read a table, in the order in which they were met. */
  of(table: string): readonly EntityClass[] {
    return this.#classes.get(table) ?? NONE;
  }

  /** The relations that any class of a table declares, by field. */
  relations(table: string): Relations {
    return this.of(table).length === 0 ? NO_RELATIONS : this.#declaredOf(table).relations;
  }

  undeclared(entity: EntityClass): Relations | undefined {
    const { key } = entity;
    const classes = this.of(key);
    if (!classes.includes(entity)) this.add(entity);
    else if (classes.length === 1) return undefined;
    const { relations, undeclared } = this.#declaredOf(key);
    if (!undeclared.has(entity)) {
      const others = [...relations].filter(([field]) => !Object.hasOwn(entity.schema, field));
      undeclared.set(entity, others.length === 0 ? undefined : new Map(others));
    }
    return undeclared.get(entity);
  }

  #declaredOf(table: string): Declared {
    const classes = this.of(table);
    const known = this.#declared.get(table);
    const isCurrent = known?.by.every(([entity, schema]) => entity.schema === schema) === true;
    if (isCurrent && known.by.length === classes.length) return known;
    const relations = new Map<string, Schema>();
    for (const { schema } of classes)
      for (const [field, declared] of Object.entries(schema)) {
        const relation = relationOf(declared);
        // What has no entities in it is stored as it arrives.
        if (!relations.has(field) && shapeOf(relation) !== '') relations.set(field, relation);
      }
    const by = classes.map((entity) => [entity, entity.schema] as const);
    const declared: Declared = { by, relations, undeclared: new Map() };
    this.#declared.set(table, declared);
    return declared;
  }
}

function isRelated(left: EntityClass, right: EntityClass): boolean {
  if (isCollectionRow(left) && isCollectionRow(right)) return true;
  return left.prototype instanceof right || right.prototype instanceof left;
}

/** What is stored for a field: a `Lazy` one is stored like what it resolves, and values that depend on args as none. */
function relationOf(schema: Schema): Schema {
  if (!isSchemaObject(schema)) return schema;
  if (schema.normalizeField !== undefined) return undefined;
  return schema.lazyReach === undefined ? schema : (schema as unknown as { readonly schema: Schema }).schema; // a Lazy
}
