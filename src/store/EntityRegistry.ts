import type { EntityClass } from '../schema/Schema.ts';
import { isCollectionRow } from '../schema/CollectionRow.ts';
import { hasOwnKey } from '../schema/Entity.ts';
import type { Normalized } from '../schema/normalize.ts';
import { HoldfastError } from '../util/errors.ts';

const NONE: readonly EntityClass[] = [];

/** The entity classes that a controller has met, by table. */
export class EntityRegistry {
  readonly #classes = new Map<string, EntityClass[]>();

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
}

function isRelated(left: EntityClass, right: EntityClass): boolean {
  if (isCollectionRow(left) && isCollectionRow(right)) return true;
  return left.prototype instanceof right || right.prototype instanceof left;
}
