import { entitiesOf, nameOf } from './entitiesOf.ts';
import { toPk } from './pk.ts';
import type { EntityClass, NormalizeVisitor, ReferenceVisitor, SchemaObject } from './Schema.ts';
import type { EntityOrUnion } from './Union.ts';

/**
 * Marks the entity that a response names as deleted. Reads that need it suspend and refetch; lists leave it out. Of a
 * union, a value that does not tell its type names whichever entity has its pk.
 *
 * There is nothing left to join, so `fetch` resolves with the answer as it came. In a list or an object, such as
 * `[new Delete(Article)]`, each deleted entity is undefined at its place.
 *
 * @example
 * const deleteArticle = new RestEndpoint({
 *   path: '/articles/:id',
 *   method: 'DELETE',
 *   schema: new Delete(Article),
 * });
 */
export class Delete<E extends EntityOrUnion> implements SchemaObject<undefined> {
  declare readonly output?: undefined;
  readonly entity: E;

  constructor(entity: E) {
    this.entity = entity;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): string {
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
    return pk ?? visitor.mismatch('a member of a union', input);
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

  /** The entities that a value may name. */
  entities(value?: unknown): readonly EntityClass[] {
    return entitiesOf(this.entity, value);
  }
}
