import { toPk } from './pk.ts';
import type { EntityClass, NormalizeVisitor, ReferenceVisitor, SchemaObject } from './Schema.ts';

/**
 * Marks the entity that a response names as deleted. Reads that need it suspend and refetch; lists leave it out.
 *
 * @example
 * const deleteArticle = new RestEndpoint({
 *   path: '/articles/:id',
 *   method: 'DELETE',
 *   schema: new Delete(Article),
 * });
 */
export class Delete<E extends EntityClass> implements SchemaObject<undefined> {
  declare readonly output?: undefined;
  readonly entity: E;

  constructor(entity: E) {
    this.entity = entity;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): string {
    const { entity } = this;
    let pk: string | undefined;
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
      pk = visitor.identify(entity, input, parent, key).pk;
    } else if (typeof input === 'string' || typeof input === 'number') {
      pk = toPk(input);
    }
    pk ??= visitor.mismatch(`an object with the primary key of a deleted ${entity.name}`, input);
    visitor.remove(entity, pk);
    return pk;
  }

  denormalize(): undefined {
    return undefined;
  }

  queryKey(): undefined {
    return undefined;
  }

  shape(): unknown {
    return { delete: this.entity.key };
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (typeof input === 'string') visitor.found(this.entity, input);
  }
}
