import type { AnyQuery } from '../query/AnyQuery.ts';
import type { ArraySchema } from '../ArraySchema.ts';
import type { Delete } from '../Delete.ts';
import type { Denormalize, EntityClass, Schema } from '../Schema.ts';
import type { UnionMembers } from '../Union.ts';
import type { Values } from '../Values.ts';

/**
 * The entity's fields as they are sent or stored: any part, dates as such or as text, related entities whole or by pk,
 * and other converted values before or after their conversion.
 *
 * @typeParam Fields - the class's `schema`
 */
export type EntityBody<T, Fields = unknown> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?:
    | BodyField<T[K]>
    | (string extends keyof Fields ? MaybeRelation<T[K]> : BodyOfField<SchemaOfField<Fields, K>>)
    | undefined;
};

/** A field may be a relation by a schema that is assigned after the class. */
type MaybeRelation<V> = V extends readonly (infer Member)[]
  ? readonly (Member | MaybeRelation<Member>)[]
  : V extends object
    ? string | number
    : never;

/** The schema of a field; never if the class declares none. */
export type SchemaOfField<Fields, K> = string extends keyof Fields
  ? never
  : K extends keyof Fields
    ? Fields[K]
    : never;

/** A value of any schema as it is sent or stored. */
export type BodyOf<S> = Schema extends S
  ? unknown
  : S extends EntityClass
    ? PkOrBody<Denormalize<S>, S['schema']>
    : S extends readonly (infer Member)[] | ArraySchema<infer Member>
      ? readonly BodyOf<Member>[]
      : S extends { readonly members: infer Members extends UnionMembers }
        ? BodyOf<Members[keyof Members]>
        : S extends Values<infer Member>
          ? Readonly<Record<string, BodyOf<Member>>>
          : S extends Delete<infer Member>
            ? BodyOf<Member>
            : unknown;

/** A related entity: its pk, or its fields. */
type PkOrBody<T, Fields> = string | number | EntityBody<T, Fields>;

type BodyField<V> =
  | V
  | (0 extends 1 & V
      ? V // any
      : V extends Date
        ? string | number
        : V extends { pk(...args: never): unknown }
          ? PkOrBody<V, unknown>
          : V extends readonly (infer Member)[]
            ? readonly BodyField<Member>[]
            : V extends object
              ? HasMethods<V> extends true
                ? string | number
                : { readonly [K in keyof V]: BodyField<V[K]> }
              : never);

/** What the schema of a field accepts beyond the field's type. */
type BodyOfField<S> = S extends EntityClass
  ? PkOrBody<Denormalize<S>, S['schema']>
  : S extends DateConstructor
    ? never
    : S extends (value: infer Stored) => unknown
      ? 0 extends 1 & Stored
        ? string | number
        : Stored
      : S extends { readonly lens: unknown } | { readonly lazyReach: unknown } | AnyQuery
        ? unknown
        : never;

/** Whether it is an instance of a class, such as that of a converted value: its fields are not what arrives. */
export type HasMethods<T> = Extract<T[keyof T], (...args: never) => unknown> extends never ? false : true;
