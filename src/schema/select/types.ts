import type { CollectionSchema, Collection } from '../collection/Collection.ts';
import type { Denormalize, EntityClass, SchemaObject } from '../Schema.ts';
import type { EntityOrUnion } from '../Union.ts';

/** The source of a `Select` or `Aggregate`: an entity, a `Union`, a `Collection`, or another `Select`. */
export type SelectSource = EntityOrUnion | Collection<CollectionSchema> | SelectLike;

/** Any `Select`, by its shape. */
export interface SelectLike extends SchemaObject<readonly object[]> {
  readonly schema: SelectSource;
  readonly options: object;
}

/** The member type of a source. */
export type MemberOf<S> = S extends EntityClass | { readonly members: unknown }
  ? Denormalize<S>
  : Denormalize<S> extends readonly (infer Member)[]
    ? Member
    : Denormalize<S>[keyof Denormalize<S>];

/** The names of fields; of a union, those of any member. */
export type FieldOf<T> = T extends unknown
  ? { [K in keyof T]: T[K] extends (...args: never) => unknown ? never : K }[keyof T] & string
  : never;

type ValueOf<T, K extends PropertyKey> =
  T extends Readonly<Record<K, unknown>>
    ? T[K]
    : T extends Readonly<Partial<Record<K, unknown>>>
      ? T[K]
      : never;

type Plain = string | number | bigint | boolean | Date | null | undefined;

/** The operand type for values of a field. */
type Operand<V> = V extends boolean ? boolean : V;

/** Operators for the values of a field. */
export interface Operators<V> {
  readonly eq?: Operand<V> | undefined;
  readonly ne?: Operand<V> | undefined;
  readonly in?: readonly Operand<V>[] | undefined;
  readonly notIn?: readonly Operand<V>[] | undefined;
  readonly lt?: NonNullable<V> | undefined;
  readonly lte?: NonNullable<V> | undefined;
  readonly gt?: NonNullable<V> | undefined;
  readonly gte?: NonNullable<V> | undefined;
  /** Whether there is a value: neither null nor undefined. */
  readonly exists?: boolean | undefined;
}

/** Operators for texts. */
export interface TextOperators {
  readonly startsWith?: string | undefined;
  readonly endsWith?: string | undefined;
  readonly contains?: string | undefined;
  /** Whether upper and lower case are the same to all operators beside it. */
  readonly ignoreCase?: boolean | undefined;
}

/** A condition on a field. */
export type FieldCondition<V> = [NonNullable<V>] extends [readonly (infer Member)[]]
  ? ListCondition<Member>
  : [NonNullable<V>] extends [string]
    ? Operand<V> | (Operators<V> & TextOperators)
    : [NonNullable<V>] extends [Plain]
      ? Operand<V> | Operators<V>
      : unknown extends V
        ? unknown
        : Where<NonNullable<V>> | { readonly exists: boolean } | Extract<V, null>;

type ListCondition<Member> = [Member] extends [Plain]
  ? { readonly has?: Member | undefined; readonly exists?: boolean | undefined }
  : {
      readonly some?: Where<Member> | undefined;
      readonly every?: Where<Member> | undefined;
      readonly none?: Where<Member> | undefined;
    };

/**
 * A condition: for each field, the value that it must equal, or operators. All parts must hold; undefined parts are
 * ignored. Fields of a related entity form a nested condition.
 */
export type Where<T> = {
  readonly [K in FieldOf<T>]?: FieldCondition<ValueOf<T, K>> | undefined;
} & {
  readonly AND?: Where<T> | readonly (Where<T> | undefined)[] | undefined;
  /** At least one must hold. */
  readonly OR?: readonly (Where<T> | undefined)[] | undefined;
  /** None may hold. */
  readonly NOT?: Where<T> | readonly (Where<T> | undefined)[] | undefined;
};

/**
 * A condition without unknown members. TypeScript itself does not check the result of a function for excess members.
 * `Where` is intersected only with what does not match it, for the error message: with `exactOptionalPropertyTypes`,
 * TypeScript 5.0 takes undefined from the members of such an intersection. The union gives literals their type.
 */
export type Exactly<W, T> = W &
  (W | Where<T>) &
  (W extends Where<T> ? unknown : Where<T>) &
  OnlyKnown<W, Where<T>>;

type OnlyKnown<W, Shape> = W extends Plain
  ? unknown
  : W extends readonly (infer Member)[]
    ? readonly OnlyKnown<Member, MemberOfList<Shape>>[]
    : { readonly [K in keyof W]: K extends KeyOf<Shape> ? OnlyKnown<W[K], MemberAt<Shape, K>> : never };

type MemberOfList<Shape> = Shape extends readonly (infer Member)[] ? Member : never;

type KeyOf<Shape> = Shape extends Plain | readonly unknown[] ? never : keyof Shape;

type MemberAt<Shape, K extends PropertyKey> = Shape extends readonly unknown[]
  ? never
  : Shape extends Readonly<Partial<Record<K, unknown>>>
    ? Exclude<Shape[K], Plain>
    : never;

/** How a field is sorted. Null and undefined come last, in either direction, unless `nulls` says otherwise. */
export type SortDirection =
  | 'asc'
  | 'desc'
  | {
      readonly direction?: 'asc' | 'desc' | undefined;
      readonly nulls?: 'first' | 'last' | undefined;
      /** Compares texts. Default: by their code units, so capitals come first. */
      readonly collator?: Intl.Collator | undefined;
    };

/** The fields to sort by, the first one first; a field of a related entity within that relation. */
export type OrderBy<T> = {
  readonly [K in FieldOf<T>]?:
    | ([NonNullable<ValueOf<T, K>>] extends [Plain] ? SortDirection : OrderBy<NonNullable<ValueOf<T, K>>>)
    | undefined;
};

/** The fields whose values can name a group: no relations, objects or lists. */
export type GroupFieldOf<T> = {
  [K in FieldOf<T>]: [NonNullable<ValueOf<T, K>>] extends [Plain] ? K : never;
}[FieldOf<T>];

/** The fields of numbers, of which there is a sum. */
type NumberFieldOf<T> = {
  [K in FieldOf<T>]: [NonNullable<ValueOf<T, K>>] extends [number] ? K : never;
}[FieldOf<T>];

/** The fields whose values have an order. */
type OrderedFieldOf<T> = {
  [K in FieldOf<T>]: [NonNullable<ValueOf<T, K>>] extends [string | number | bigint | Date] ? K : never;
}[FieldOf<T>];

/** The values of each group, by name. */
export type AggregateValues<T> = Readonly<
  Record<
    string,
    | 'count'
    /** How many members have a value: neither null nor undefined. */
    | { readonly count: FieldOf<T> }
    | { readonly sum: NumberFieldOf<T> }
    | { readonly avg: NumberFieldOf<T> }
    | { readonly min: OrderedFieldOf<T> }
    | { readonly max: OrderedFieldOf<T> }
  >
>;

type AggregateValue<T, How> = How extends 'count' | { readonly count: unknown } | { readonly sum: unknown }
  ? number
  : How extends { readonly avg: unknown }
    ? number | undefined
    : How extends
          | { readonly min: infer K extends PropertyKey }
          | { readonly max: infer K extends PropertyKey }
      ? NonNullable<ValueOf<T, K>> | undefined
      : never;

/** The result of an `Aggregate`: its values, or an object with the values of each group. */
export type AggregateOf<T, V, G> = [G] extends [never]
  ? { readonly [K in keyof V]: AggregateValue<T, V[K]> }
  : Readonly<Record<string, { readonly [K in keyof V]: AggregateValue<T, V[K]> }>>;
