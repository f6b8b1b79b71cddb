import type { EntityClass, Schema } from '../schema/Schema.ts';
import { isListTable } from '../schema/collection/collectionArgs.ts';
import { isCollectionRow } from '../schema/collection/CollectionRow.ts';
import { hasOwnKey } from '../schema/entity/Entity.ts';
import { isSchemaObject } from '../schema/isEntity.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { HoldfastError } from '../util/errors.ts';

const NONE: readonly EntityClass[] = [];

type Relations = ReadonlyMap<string, Schema>;

/** The relations that the classes of a table declare together. */
interface DeclaredRelations {
  /** The classes with the schemas they had: circular schemas are assigned after the classes are declared. */
  readonly classes: readonly (readonly [EntityClass, EntityClass['schema']])[];
  /** Field → its first schema that contains entities. */
  readonly relations: Relations;
}

/** The entity classes that a controller knows, by table. */
export class EntityRegistry {
  readonly #classes = new Map<string, EntityClass[]>();
  readonly #declared = new Map<string, DeclaredRelations>();

  /**
   * Registers a class.
   *
   * @throws HoldfastError `HF_KEY_COLLISION` when an unrelated class has the same key by default, or when its key is
   * that of a table of lists
   */
  add(entity: EntityClass): void {
    const { key } = entity;
    const known = this.#classes.get(key);
    if (known?.includes(entity) === true) return;
    if (isListTable(key) && !isCollectionRow(entity))
      throw new HoldfastError(
        'HF_KEY_COLLISION',
        `The key ${key} of an entity names a table of lists; give it a static key that begins with neither [ nor {, or, if it is a list, check for two copies with npm ls holdfast`,
      );
    if (known === undefined) {
      this.#classes.set(key, [entity]);
      return;
    }
    for (const other of known) {
      if (hasOwnKey(entity) || hasOwnKey(other) || isRelated(entity, other)) continue;
      throw new HoldfastError(
        'HF_KEY_COLLISION',
        `Two unrelated classes are named ${entity.name}, or its module was hot-replaced; give each a static key`,
      );
    }
    known.push(entity);
  }

  /** The classes that read a table, in the order of registration. */
  of(table: string): readonly EntityClass[] {
    return this.#classes.get(table) ?? NONE;
  }

  /** The schema of a table's rows: that of the class that was registered first. */
  schemaOf(table: string): Schema {
    return this.of(table)[0]?.schema;
  }

  /** The relations that any class of a table declares, by field. */
  relations(table: string): Relations {
    const classes = this.of(table);
    const known = this.#declared.get(table);
    const isCurrent = known?.classes.every(([entity, schema]) => entity.schema === schema) === true;
    if (isCurrent && known.classes.length === classes.length) return known.relations;
    const relations = new Map<string, Schema>();
    for (const { schema } of classes)
      for (const [field, declared] of Object.entries(schema)) {
        const relation = relationOf(declared);
        // A value without entities is stored as it arrives.
        if (!relations.has(field) && shapeOf(relation) !== '') relations.set(field, relation);
      }
    const by = classes.map((entity) => [entity, entity.schema] as const);
    this.#declared.set(table, { classes: by, relations });
    return relations;
  }
}

function isRelated(left: EntityClass, right: EntityClass): boolean {
  if (isCollectionRow(left) && isCollectionRow(right)) return true;
  return left.prototype instanceof right || right.prototype instanceof left;
}

/**
 * The schema that a field is stored by: a `Lazy` field is stored like its target, a field that depends on args has
 * none.
 */
function relationOf(schema: Schema): Schema {
  if (!isSchemaObject(schema)) return schema;
  if (schema.normalizeField !== undefined) return undefined;
  return schema.lazyReach === undefined ? schema : (schema as unknown as { readonly schema: Schema }).schema; // a Lazy
}
