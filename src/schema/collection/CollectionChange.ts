import { entitiesOf } from '../entitiesOf.ts';
import { references } from '../references.ts';
import { isEntity, isObjectSchema } from '../isEntity.ts';
import { isPlain } from '../../util/isPlain.ts';
import type { EntityValue } from '../Meta.ts';
import type {
  MembersChange,
  CollectionUpdate,
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
  Stored,
} from '../Schema.ts';
import type { UnionMembers } from '../Union.ts';
import type { CollectionMembers } from './CollectionRow.ts';

/** The part of a collection that a change needs. */
export interface ChangedCollection {
  /** The class of its rows. */
  readonly row: EntityClass;
  /** The schema of the list or map. */
  readonly schema: CollectionMembers;
}

/** Plans how a response changes stored collections. Called with the stored state before the response is written. */
export type PlanChange<C extends ChangedCollection = ChangedCollection> = (
  collection: C,
  args: readonly unknown[],
  given: unknown,
  stored: Stored,
  former?: EntityValue,
) => MembersChange | (() => readonly MembersChange[]);

/** A single member, unless a list or map was given. */
interface Single {
  readonly member: unknown;
}

/**
 * Changes the stored collections that the response belongs to; the class of `push` and the other changes of a
 * `Collection`. It reads as the response itself.
 */
export class CollectionChange<Output> implements SchemaObject<Output> {
  readonly isSelfIdentifying = true;
  declare readonly output?: Output;
  readonly #collection: ChangedCollection;
  /** The schema of the response: a map, or one member or a list of them. */
  readonly #map: Schema | undefined;
  readonly #member: Schema;
  readonly #plan: PlanChange<never>;

  /**
   * @param takesMap - whether the response is a map rather than members
   * @param plan - called with the collection
   */
  constructor(collection: ChangedCollection, takesMap: boolean, plan: PlanChange<never>) {
    this.#collection = collection;
    this.#member = collection.schema.schema;
    this.#map = takesMap ? collection.schema : undefined;
    this.#plan = plan;
  }

  /** The class of the rows of its collection. */
  get row(): EntityClass {
    return this.#collection.row;
  }

  /** The same change for a copy of the collection. */
  of(collection: ChangedCollection): CollectionChange<Output> {
    return new CollectionChange<Output>(collection, this.#map !== undefined, this.#plan);
  }

  /**
   * The change that adds the entities created by a mutation, which an endpoint's own schema has normalized: none if its
   * response contains no member of the collection.
   *
   * @param schema - the schema of the response; an object may wrap the member: `{ article: Article }`
   * @param result - the normalized response
   */
  additions(schema: Schema, result: unknown, args: readonly unknown[]): readonly CollectionUpdate[] {
    const created = createdIn(schema, result, this.#member);
    if (created === undefined) return [];
    return [this.#update(created.members, created.fields.reduce<readonly unknown[]>(unwrapped, args))];
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    const isSingle = this.#map === undefined && !Array.isArray(input);
    const given = visitor.visit(this.#map ?? [this.#member], isSingle ? [input] : input, parent, key);
    visitor.update(this.#update(given, unwrapped(visitor.args, key)));
    return isSingle ? ({ member: (given as readonly unknown[])[0] } satisfies Single) : given; // [input] gave a list
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    return this.#visit(input, visitor);
  }

  queryKey(): undefined {
    return undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    this.#visit(input, visitor);
  }

  entities(value?: unknown): readonly EntityClass[] {
    return this.#map === undefined ? entitiesOf(this.#member, value) : [];
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return { change: describe(this.#map ?? this.#member) ?? null };
  }

  #update(given: unknown, args: readonly unknown[]): CollectionUpdate {
    const collection = this.#collection as never; // the collection of the plan, or a copy of it
    return { rows: this.#collection.row, prepare: (...rows) => this.#plan(collection, args, given, ...rows) };
  }

  /** Has a normalized response visited by its schema, for `denormalize` and `references`. */
  #visit(input: unknown, visitor: { visit(schema: Schema, input: unknown): unknown }): unknown {
    if (this.#map !== undefined) return visitor.visit(this.#map, input);
    return isSingleMember(input)
      ? visitor.visit(this.#member, input.member)
      : visitor.visit([this.#member], input);
  }
}

function isSingleMember(input: unknown): input is Single {
  return typeof input === 'object' && input !== null && !Array.isArray(input) && 'member' in input;
}

/**
 * The args of a mutation whose body is wrapped like its response: `{ article: { title } }`.
 *
 * @param field - the field of the response that holds the created entity; undefined where the response itself is the
 * entity
 */
function unwrapped(args: readonly unknown[], field: string | undefined): readonly unknown[] {
  if (field === undefined) return args;
  return args.map((arg) =>
    isPlain(arg) && Object.hasOwn(arg, field) && isPlain(arg[field]) ? arg[field] : arg,
  );
}

/** The row that a member refers to. */
export function namedRow(
  member: Schema,
  reference: unknown,
): { readonly entity: EntityClass; readonly pk: string } | undefined {
  let named: { readonly entity: EntityClass; readonly pk: string } | undefined;
  references(member, reference, (entity, pk) => (named ??= { entity, pk }));
  return named;
}

/** The members that a mutation has created. */
interface CreatedMembers {
  readonly members: readonly unknown[];
  /** The fields of the wrapping objects, from the outermost one. */
  readonly fields: readonly string[];
}

/**
 * The first members of a list found in a normalized response; undefined if it contains none. An object may contain
 * others beside them, such as related ones.
 *
 * @param schema - the schema of the response; an object may wrap the member: `{ article: Article }`
 * @param member - the schema of the list's members
 */
function createdIn(schema: Schema, value: unknown, member: Schema): CreatedMembers | undefined {
  if (isObjectSchema(schema) && typeof value === 'object' && value !== null) {
    for (const [field, nested] of Object.entries(schema)) {
      const created = createdIn(nested, (value as Readonly<Record<string, unknown>>)[field], member); // by name
      if (created !== undefined) return { ...created, fields: [field, ...created.fields] };
    }
    return undefined;
  }
  const members: unknown[] = [];
  references(schema, value, (entity, pk) => {
    const reference = referenceTo(member, entity, pk);
    if (reference !== undefined) members.push(reference);
  });
  return members.length === 0 ? undefined : { members, fields: [] };
}

/** How a list of members refers to a row; undefined if the row is not one of them. */
function referenceTo(member: Schema, { key }: EntityClass, pk: string): unknown {
  if (isEntity(member)) return member.key === key ? pk : undefined;
  if (typeof member !== 'object' || member === null || !('members' in member)) return undefined;
  const types = Object.entries(member.members as UnionMembers); // of a union
  const type = types.find(([, entity]) => entity.key === key)?.[0];
  return type === undefined ? undefined : [type, pk];
}
