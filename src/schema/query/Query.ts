import { QueryPass, type QueryResult } from './QueryPass.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  NormalizeVisitor,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from '../Schema.ts';
import { checkDefined } from '../checkSchema.ts';

/**
 * The result of a function of another schema's data: sorted, filtered, counted. The function runs again only when
 * that data has changed; a result that equals the previous one (a list or plain object with the same members) keeps
 * its identity, so that no component renders again for it.
 *
 * The function gets complete, frozen data, and the args of the read if the query itself is read (as an entity's field
 * it gets none, since all readers share the entity). It must be pure.
 *
 * @example
 * const countOf = new Query(
 *   new All(Task),
 *   (tasks, { isDone }: { isDone: boolean }) =>
 *     tasks.filter((task) => task.isDone === isDone).length,
 * );
 * controller.get(countOf, { isDone: false });
 */
export class Query<
  S extends Schema,
  F extends (data: Denormalize<S>, ...args: never) => unknown,
> implements SchemaObject<ReturnType<F>> {
  declare readonly output?: ReturnType<F>;
  /** The schema of the data. */
  readonly schema: S;
  /** Computes the result. */
  readonly derive: F;

  /**
   * @param schema - the schema of the data
   * @param derive - computes the result from the data and the args of the read
   */
  constructor(schema: S, derive: F) {
    if (process.env.NODE_ENV !== 'production') checkDefined(schema, 'The schema of new Query()');
    this.schema = schema;
    this.derive = derive;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit(this.schema, input, parent, key);
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    const data = visitor.visit(this.schema, input);
    return QueryPass.of(visitor).derive(visitor, data, this);
  }

  /** Computes the result from data and the args of the read. `_previous` is the previous input and result. */
  make(data: unknown, args: readonly unknown[], _previous?: QueryResult): ReturnType<F> {
    const derive = this.derive as unknown as (...all: readonly unknown[]) => ReturnType<F>; // called with denormalized data of the schema
    return derive(data, ...args);
  }

  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown {
    return visitor.visit(this.schema, args);
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    visitor.visit(this.schema, input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe(this.schema);
  }
}
