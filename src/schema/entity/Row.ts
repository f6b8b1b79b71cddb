import type { AnyQuery } from '../query/AnyQuery.ts';
import type { UnionMembers } from '../Union.ts';
import type { HasMethods, SchemaOfField } from './EntityBody.ts';

/**
 * The stored row of an entity, as a recipe of `controller.set` sees it: related entities are pks, and an entity
 * assigned to such a field is normalized. Methods are left out; fields may be missing.
 *
 * @typeParam Fields - the class's `schema`, for fields that are stored in another form than their types tell
 * @example
 * function rename(draft: Row<Article>) {
 *   draft.title = 'Better';
 *   draft.author = '2'; // the pk of a user
 * }
 * controller.set(Article, { id: '5' }, rename);
 */
export type Row<T, Fields = unknown> = {
  -readonly [Field in keyof T as T[Field] extends (...args: never[]) => unknown ? never : Field]?:
    | RowField<T[Field]>
    | StoredForm<SchemaOfField<Fields, Field>>;
};

type RowField<F> = 0 extends 1 & F
  ? F // any
  : F extends { pk(...args: never[]): unknown }
    ? F | string
    : F extends readonly (infer Member)[]
      ? RowField<Member>[]
      : F extends Date
        ? F | string | number
        : F extends object
          ? HasMethods<F> extends true
            ? F | string | number
            : { -readonly [K in keyof F]: RowField<F[K]> }
          : F;

/** What a field with this schema contains, if its type does not tell. */
type StoredForm<S> = S extends DateConstructor
  ? never
  : S extends (value: infer Stored) => unknown
    ? Stored
    : S extends { readonly lens: unknown } | AnyQuery
      ? unknown
      : S extends { readonly push: unknown }
        ? string
        : S extends { readonly members: UnionMembers }
          ? readonly [type: string, pk: string]
          : S extends readonly (infer Member)[]
            ? StoredForm<Member> extends never
              ? never
              : StoredForm<Member>[]
            : never;
