/**
 * The stored row of an entity, as a recipe of `controller.set` sees it: related entities are pks, and an entity
 * assigned to such a field is normalized. Methods are left out; fields may be missing.
 *
 * @example
 * function rename(draft: Row<Article>) {
 *   draft.title = 'Better';
 *   draft.author = '2'; // the pk of a user
 * }
 * controller.set(Article, { id: '5' }, rename);
 */
export type Row<T> = {
  -readonly [Field in keyof T as T[Field] extends (...args: never[]) => unknown ? never : Field]?: RowField<
    T[Field]
  >;
};

type RowField<F> = F extends { pk(...args: never[]): unknown }
  ? F | string
  : F extends readonly (infer Member)[]
    ? RowField<Member>[]
    : F extends Date
      ? F | string | number
      : F;
