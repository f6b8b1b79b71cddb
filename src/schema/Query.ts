import { Derivations, type Derived } from './Derivations.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  NormalizeVisitor,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from './Schema.ts';

/**
 * What a function makes of another schema's data: sorted, filtered, counted. It runs again when that data has
 * changed; a result that equals the former one (a list or plain object with the same members) is the former one, so
 * that nobody renders again for it.
 *
 * The function gets complete, frozen data, and the args of the read where the query is what is read (in an entity's
 * field there are none, since every reader shares the entity). It must be pure.
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
  /** Where the data comes from. */
  readonly schema: S;
  /** What makes the result. */
  readonly derive: F;

  /**
   * @param schema - where the data comes from
   * @param derive - makes the result of the data and the args of the read
   */
  constructor(schema: S, derive: F) {
    this.schema = schema;
    this.derive = derive;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit(this.schema, input, parent, key);
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    const data = visitor.visit(this.schema, input);
    return Derivations.of(visitor).derive(visitor, data, this);
  }

  /** What the function makes of data and the args of the read. `_former` is what was made before, and of what. */
  make(data: unknown, args: readonly unknown[], _former?: Derived): ReturnType<F> {
    const derive = this.derive as unknown as (...all: readonly unknown[]) => ReturnType<F>; // called with what the schema joins to
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
