import type { EntityClass } from '../Schema.ts';

/** A field whose value, or whose pk, is text or a number. */
type Named = string | number | { pk(...args: never): unknown };

/** Identifies an entity: its pk, or fields by which it is found, as text or number. Null identifies none. */
export type EntityQuery<T> =
  | string
  | number
  | null
  | undefined
  | {
      readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?:
        | T[K]
        | (T[K] extends Named | null | undefined ? string | number : never)
        | null
        | undefined;
    };

/** Any value. With this rather than `unknown`, TypeScript 5.0 infers the type of the listener that follows. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- everything but null and undefined
export type AnyArg = NonNullable<unknown> | null | undefined;

/** The args that a schema is queried with: those that identify an entity, and those of a query's function; else any. */
export type QueryArgs<S> = S extends {
  readonly schema: infer Of;
  readonly derive: (data: never, ...args: infer Args) => unknown;
}
  ? Of extends EntityClass
    ? Both<EntityArgs<Of>, Args>
    : readonly [...args: Args, ...rest: AnyArg[]]
  : S extends EntityClass
    ? EntityArgs<S>
    : S extends { readonly takes?: infer Args extends readonly unknown[] }
      ? ReadsList<SourceOf<S>> extends true
        ? readonly [...args: Args, ...rest: AnyArg[]]
        : Args
      : readonly AnyArg[];

/** The source of a live query. */
type SourceOf<S> = S extends { readonly schema: infer Of } ? Of : never;

/** Whether a live query reads a `Collection` in the end, which any args may identify. */
type ReadsList<S> = [S] extends [never]
  ? false
  : S extends { readonly push: unknown }
    ? true
    : S extends EntityClass
      ? false
      : ReadsList<SourceOf<S>>;

/** Fields whose values depend on args can be read with any further args. */
type EntityArgs<E> = E extends { readonly prototype: infer T; readonly schema: infer Fields }
  ? ReadsByLens<Fields> extends true
    ? readonly [named: EntityQuery<T> | Readonly<Record<string, unknown>>, ...rest: AnyArg[]]
    : readonly [named: EntityQuery<T>]
  : never;

type ReadsByLens<Fields, Depth extends readonly 0[] = []> = Depth['length'] extends 4
  ? false
  : string extends keyof Fields
    ? false
    : true extends { [K in keyof Fields]: HasLens<Fields[K], Depth> }[keyof Fields]
      ? true
      : false;

type HasLens<S, Depth extends readonly 0[]> = S extends { readonly lens: unknown }
  ? true
  : S extends readonly (infer Member)[]
    ? HasLens<Member, Depth>
    : S extends { readonly schema: infer Nested; readonly fromJS: unknown }
      ? ReadsByLens<Nested, [...Depth, 0]>
      : false;

/** The first arg of a query's function also identifies the entity. */
type Both<Named extends readonly unknown[], Args extends readonly unknown[]> = Args extends readonly []
  ? Named
  : Args extends readonly [(infer First)?, ...infer Rest]
    ? readonly [named: Named[0] & First, ...rest: Rest]
    : readonly [...args: Args, ...rest: AnyArg[]];
