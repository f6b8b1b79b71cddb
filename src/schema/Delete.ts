import { entitiesOf, nameOf } from './entitiesOf.ts';
import { toPk } from './entity/pk.ts';
import type { EntityClass, NormalizeVisitor, ReferenceVisitor, SchemaObject } from './Schema.ts';
import type { EntityOrUnion } from './Union.ts';
import { checkDefined } from './checkSchema.ts';

/**
 * Marks the entity in a response as deleted. Reads that require it suspend and refetch; lists leave it out. For a
 * union, a value without a type marks every entity with its pk, and one of another type marks none.
 *
 * Nothing is left to denormalize, so `fetch` resolves with the response itself. In a list or an object, such as `[new
 * Delete(Article)]`, each deleted entity is undefined at its place.
 *
 * @example
 * const deleteArticle = new RestEndpoint({
 *   path: '/articles/:id',
 *   method: 'DELETE',
 *   schema: new Delete(Article),
 * });
 */
export class Delete<E extends EntityOrUnion> implements SchemaObject<undefined> {
  readonly isSelfIdentifying = true;
  declare readonly output?: undefined;
  readonly entity: E;

  constructor(entity: E) {
    if (process.env.NODE_ENV !== 'production') checkDefined(entity, 'The entity of new Delete()');
    this.entity = entity;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    const identify = (entity: EntityClass): string => {
      let pk: string | undefined;
      if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
        pk = visitor.identify(entity, input, parent, key).pk;
      } else if (typeof input === 'string' || typeof input === 'number') {
        pk = toPk(input);
      }
      pk ??= visitor.mismatch(`an object with the primary key of a deleted ${entity.name}`, input);
      visitor.remove(entity, pk);
      return pk;
    };
    const [pk] = this.entities(input).map(identify);
    if (pk === undefined && this.entities().length === 0) visitor.mismatch('a member of a union', input);
    return pk ?? input;
  }

  denormalize(): undefined {
    return undefined;
  }

  queryKey(): undefined {
    return undefined;
  }

  shape(): unknown {
    return { delete: nameOf(this.entity) };
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (typeof input === 'string') for (const entity of this.entities(input)) visitor.found(entity, input);
  }

  /** The entities that a value may be. */
  entities(value?: unknown): readonly EntityClass[] {
    return entitiesOf(this.entity, value);
  }
}
