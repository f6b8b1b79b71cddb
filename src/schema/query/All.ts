import { entitiesOf } from '../entitiesOf.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from '../Schema.ts';
import type { EntityOrUnion } from '../Union.ts';
import { checkDefined } from '../checkSchema.ts';

/**
 * Every entity of a kind that is in memory, wherever it came from. Deleted and invalid entities are left out. Each
 * member of a union needs its own table (`key`); the result lists one table after the other.
 *
 * As an endpoint's schema, its response is stored like a list; reading it returns every entity in memory.
 *
 * @example
 * const tasks = controller.get(new All(Task));
 * const openTasks = new Query(new All(Task), (all) =>
 *   all.filter(({ isDone }) => !isDone),
 * );
 */
export class All<S extends EntityOrUnion> implements SchemaObject<Denormalize<S>[]> {
  declare readonly output?: Denormalize<S>[];
  /** The schema of each entity. */
  readonly schema: S;

  /** @param schema - an entity, or a union of them */
  constructor(schema: S) {
    if (process.env.NODE_ENV !== 'production') checkDefined(schema, 'The schema of new All()');
    this.schema = schema;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit([this.schema], input, parent, key);
  }

  denormalize(_input: unknown, visitor: DenormalizeVisitor): unknown {
    const [first, ...others] = this.#entities().map((entity) => visitor.list(entity, visitor.rows(entity)));
    return others.length === 0 ? (first ?? []) : first?.concat(...others);
  }

  /** A list, which is looked up in the tables if they have any rows. */
  queryKey(_args: readonly unknown[], visitor: QueryVisitor): unknown {
    return this.#entities().some((entity) => visitor.hasTable(entity)) ? [] : undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    visitor.visit([this.schema], input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe([this.schema]);
  }

  #entities(): readonly EntityClass[] {
    return [...new Set(entitiesOf(this.schema))];
  }
}
