import { MISSING } from './missing.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from './Schema.ts';
import { checkDefined } from './checkSchema.ts';

/**
 * A list, like `[schema]`, for APIs that need the list as an object. Missing members are left out.
 *
 * @example
 * const feed = new ArraySchema(
 *   new Union({ article: Article, video: Video }, 'type'),
 * );
 */
export class ArraySchema<S extends Schema> implements SchemaObject<Denormalize<S>[]> {
  readonly isSelfIdentifying = true;
  declare readonly output?: Denormalize<S>[];
  /** The schema of each member. */
  readonly schema: S;

  /** @param schema - the schema of each member: an entity, a union, or any other */
  constructor(schema: S) {
    if (process.env.NODE_ENV !== 'production') checkDefined(schema, 'The schema of new ArraySchema()');
    this.schema = schema;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit([this.schema], input, parent, key);
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    return Array.isArray(input) ? visitor.list(this.schema, input) : MISSING;
  }

  queryKey(): undefined {
    return undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    visitor.visit([this.schema], input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe([this.schema]);
  }
}
