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

/** The entities that a union may be, by type. */
export type UnionMembers = Readonly<Record<string, EntityClass>>;

/** A union of any entities. Told by its members: older versions of TypeScript take no union for one of others. */
interface AnyUnion extends SchemaObject {
  readonly members: UnionMembers;
  entities(value?: unknown): readonly EntityClass[];
}

/** An entity, or one of several. */
export type EntityOrUnion = EntityClass | AnyUnion;

/** Tells the type of a value as it arrived: the field that names it, or a function that does. */
export type Discriminator<M extends UnionMembers = UnionMembers> =
  FieldOf<Denormalize<M[keyof M]>> | Tell<Denormalize<M[keyof M]> & Readonly<Record<string, unknown>>>;

/** A field of any of the members. */
type FieldOf<T> = T extends unknown
  ? object extends T
    ? string
    : { [K in keyof T]: T[K] extends (...args: never) => unknown ? never : K }[keyof T] & string
  : never;

/** As a method, so that it may be written for the members alone. */
type Tell<T> = { tell(value: T): unknown }['tell'];

/** Stored in place of a member. A list, since no entity arrives as one: whatever fields it has, nothing is confused. */
type Reference = readonly [type: string, pk: string];

/**
 * One of several entities; which one, the value itself tells. A value of a type that is not listed stays as it
 * arrived, with a warning in development.
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
  declare readonly output?: Denormalize<M[keyof M]>;
  /** The entities by type. */
  readonly members: M;
  readonly #discriminator: Discriminator | string;

  /**
   * @param members - the entities by type
   * @param discriminator - the field that holds the type, or a function that tells it
   */
  constructor(members: M, discriminator: Discriminator<M>) {
    this.members = members;
    this.#discriminator = discriminator; // asked with what should be a member
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    if (this.#isReference(input)) return input;
    const type = this.#typeOf(input);
    const entity = this.#entity(type);
    if (entity !== undefined && type !== undefined) return [type, visitor.visit(entity, input, parent, key)];
    if (process.env.NODE_ENV !== 'production') {
      warnOnce(
        this,
        'HF_UNION_TYPE',
        `${describeValue(input)} is none of the types ${Object.keys(this.members).join(', ')} of a Union and was kept as it arrived; add its type, or check the discriminator`,
        String(type),
      );
    }
    return input;
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    if (this.#isReference(input)) return visitor.visit(this.#entity(input[0]), input[1]);
    if (this.#entity(this.#typeOf(input)) !== undefined) visitor.foundInline?.();
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
    const members = Object.entries(this.members).map(([type, entity]) => [type, describe(entity)] as const);
    return { union: Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1))) };
  }

  entities(value?: unknown): readonly EntityClass[] {
    const entity = this.#entity(this.#typeOf(value));
    return entity === undefined ? Object.values(this.members) : [entity];
  }

  #typeOf(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const fields = value as Readonly<Record<string, unknown>>; // an object, checked above
    const type =
      typeof this.#discriminator === 'string' ? fields[this.#discriminator] : this.#discriminator(fields);
    return typeof type === 'string' || typeof type === 'number' ? String(type) : undefined;
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
