import { describe as describeValue } from '../util/errors.ts';
import { warnOnce } from '../util/warnOnce.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from './Schema.ts';
import { checkDefined } from './checkSchema.ts';
import { MISSING } from './missing.ts';

/** The entities that a union may be, by type. */
export type UnionMembers = Readonly<Record<string, EntityClass>>;

/**
 * A union of any entities. Defined by its members: older versions of TypeScript do not recognize one union type as
 * another.
 */
interface AnyUnion extends SchemaObject {
  readonly members: UnionMembers;
  entities(value?: unknown): readonly EntityClass[];
}

/** One entity or a union. */
export type EntityOrUnion = EntityClass | AnyUnion;

/** Determines the type of a response's value: the field that contains the type, or a function that returns it. */
export type Discriminator<M extends UnionMembers = UnionMembers> =
  | FieldOf<Denormalize<M[keyof M]>>
  | DiscriminatorFunction<Denormalize<M[keyof M]> & Readonly<Record<string, unknown>>>;

/** A field of any of the members. */
type FieldOf<T> = T extends unknown
  ? object extends T
    ? string
    : { [K in keyof T]: T[K] extends (...args: never) => unknown ? never : K }[keyof T] & string
  : never;

/** Declared as a method, so that it may be typed for the members alone. */
type DiscriminatorFunction<T> = { tell(value: T): unknown }['tell'];

/**
 * The stored form of a member. It is a list, since entities never arrive as lists: whatever fields an entity has, the
 * two cannot be confused.
 */
type Reference = readonly [type: string, pk: string];

/**
 * One of several entities, determined by the value itself. A value whose type is not listed is stored as is, with a
 * warning in development.
 *
 * @example
 * class Post extends Entity {
 *   id = '';
 *   subject: Article | Video = Article.fromJS();
 *   static override schema = {
 *     subject: new Union({ article: Article, video: Video }, 'type'),
 *   };
 * }
 */
export class Union<M extends UnionMembers> implements SchemaObject<Denormalize<M[keyof M]>> {
  readonly isSelfIdentifying = true;
  declare readonly output?: Denormalize<M[keyof M]>;
  /** The entities by type. */
  readonly members: M;
  readonly #discriminator: Discriminator | string;

  /**
   * @param members - the entities by type
   * @param discriminator - the field that contains the type, or a function that returns it
   */
  constructor(members: M, discriminator: Discriminator<M>) {
    if (process.env.NODE_ENV !== 'production')
      for (const [type, member] of Object.entries(members))
        checkDefined(member, `The type ${type} of a Union`);
    this.members = members;
    this.#discriminator = discriminator; // called with what should be a member
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    if (this.#isReference(input)) return input;
    const type = this.#typeOf(input, true);
    const entity = this.#entity(type);
    if (entity !== undefined && type !== undefined) return [type, visitor.visit(entity, input, parent, key)];
    if (process.env.NODE_ENV !== 'production') {
      warnOnce(
        this,
        'HF_UNION_TYPE',
        `${describeValue(input)} is none of the types ${Object.keys(this.members).join(', ')} of a Union and was stored as is; add its type, or check the discriminator`,
        String(type),
      );
    }
    return input;
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    if (this.#isReference(input)) return visitor.visit(this.#entity(input[0]), input[1]);
    if (Array.isArray(input)) return MISSING; // another version of the app knows its type
    if (this.#entity(this.#typeOf(input)) !== undefined) visitor.reportInline?.();
    return input;
  }

  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown {
    const type = this.#typeOf(args[0]);
    const entity = this.#entity(type);
    const pk = entity === undefined ? undefined : visitor.visit(entity, args);
    return pk === undefined ? undefined : [type, pk];
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (this.#isReference(input)) visitor.visit(this.#entity(input[0]), input[1]);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    // `eachSchema` visits them by this.
    Object.values(this.members).forEach(describe);
    // Without the types: a later version of the app may have more.
    return { union: 0 };
  }

  entities(value?: unknown): readonly EntityClass[] {
    const type = this.#typeOf(value);
    if (type === undefined) return Object.values(this.members);
    const entity = this.#entity(type);
    return entity === undefined ? [] : [entity];
  }

  /** @param isResponse - other values, such as the args of a read, may lack what a function reads */
  #typeOf(value: unknown, isResponse = false): string | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const fields = value as Readonly<Record<string, unknown>>; // an object, checked above
    try {
      const type =
        typeof this.#discriminator === 'string' ? fields[this.#discriminator] : this.#discriminator(fields);
      return typeof type === 'string' || typeof type === 'number' ? String(type) : undefined;
    } catch (error) {
      if (isResponse) throw error;
      return undefined;
    }
  }

  #entity(type: string | undefined): EntityClass | undefined {
    return type !== undefined && Object.hasOwn(this.members, type) ? this.members[type] : undefined;
  }

  #isReference(value: unknown): value is Reference {
    return (
      Array.isArray(value) &&
      value.length === 2 &&
      typeof value[1] === 'string' &&
      typeof value[0] === 'string' &&
      Object.hasOwn(this.members, value[0])
    );
  }
}
