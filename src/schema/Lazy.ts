import { isPlain } from '../util/isPlain.ts';
import { isEntity, isObjectSchema } from './isEntity.ts';
import type { AnyArg } from './query/queryArgs.ts';
import { references } from './references.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  LazyReach,
  NormalizeVisitor,
  QueryVisitor,
  Reachable,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from './Schema.ts';
import { checkDefined } from './checkSchema.ts';

/** The type of a field with a `Lazy` schema: the pk of an entity, or a list of pks. */
export type LazyValue<S> = S extends EntityClass
  ? string
  : S extends readonly (infer Member)[]
    ? LazyValue<Member>[]
    : unknown;

/**
 * A relation that is not denormalized: the field reads as the stored pks, and `query` resolves them where they are
 * shown. The related entities are normalized, persisted and restored like any others, but a change of them does not
 * change the entity that has the field. So a schema that points both ways does not connect all its members with each
 * other.
 *
 * @example
 * class Author extends Entity {
 *   id = '';
 *   articles: string[] = [];
 *   static override schema = { articles: new Lazy([Article]) };
 * }
 * const pks = controller.get(Author, { id: '1' })?.articles; // ['5', '7']
 * const articles = controller.get(Author.schema.articles.query, pks);
 */
export class Lazy<S extends Schema> implements SchemaObject<LazyValue<S>> {
  declare readonly output?: LazyValue<S>;
  readonly lazyReach: LazyReach = lazyReach;
  /** The schema of the relation: an entity, a list, or any other. */
  readonly schema: S;
  /** Resolves the field's value with `useQuery` or `controller.get`. The same object each time. */
  readonly query: LazyQuery<S>;

  /** @param schema - the schema of the relation */
  constructor(schema: S) {
    if (process.env.NODE_ENV !== 'production') checkDefined(schema, 'The schema of new Lazy()');
    this.schema = schema;
    this.query = new LazyQuery(schema);
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit(this.schema, input, parent, key);
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    // A plain object is data of another class's response, unless it is a map, whose members are then checked.
    if (isPlain(Array.isArray(input) ? input[0] : input)) visitor.reportInline?.();
    return input;
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

/** Resolves the value of a `Lazy` field. See `Lazy.query`. */
export class LazyQuery<S extends Schema> implements SchemaObject<Denormalize<S>> {
  declare readonly output?: Denormalize<S>;
  /** Never set: its args, for inference. */
  declare readonly takes?: readonly [stored: AnyArg, ...rest: AnyArg[]];
  readonly schema: S;

  constructor(schema: S) {
    this.schema = schema;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit(this.schema, input, parent, key);
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    return visitor.visit(this.schema, input);
  }

  /** Takes the field's value, or the args that the schema itself takes, such as `{ id }` for an entity. */
  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown {
    const [first] = args;
    if (first === null || (first === undefined && args.length > 0)) return undefined;
    // A list of pks, the pk of a collection, or an object of pks is the stored value already.
    const isStored =
      Array.isArray(first) ||
      isObjectSchema(this.schema) ||
      (typeof first === 'string' && !isEntity(this.schema));
    return isStored ? first : (visitor.visit(this.schema, args) ?? first);
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    visitor.visit(this.schema, input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe(this.schema);
  }
}

const lazyReach: LazyReach = (unreachable, owners, stored) => {
  const owning = new Set(owners);
  const byName = new Map<string, Reachable[]>();
  const nameOf = (table: string, pk: string): string => JSON.stringify([table, pk]);
  for (const node of unreachable) {
    const name = nameOf(node.entity?.key ?? '', node.pk ?? '');
    byName.set(name, [...(byName.get(name) ?? []), node]);
  }
  const reached = new Set<Reachable>();
  const reach = ({ key }: EntityClass, pk: string): void => {
    for (const node of byName.get(nameOf(key, pk)) ?? []) reached.add(node);
  };
  for (const { key, schema } of owning)
    for (const [pk, value] of stored.rows(key))
      if (!byName.has(nameOf(key, pk))) references(schema, value, reach);
  // Members added to a set during its iteration are visited too.
  for (const { entity, pk, deps } of reached) {
    if (entity !== undefined && pk !== undefined) {
      reach(entity, pk);
      if (owning.has(entity)) references(entity.schema, stored.row(entity.key, pk), reach);
    }
    for (const dep of deps) reached.add(dep);
  }
  return reached;
};
