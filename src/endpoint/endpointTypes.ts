import type { Delete } from '../schema/Delete.ts';
import type { Denormalize } from '../schema/Schema.ts';
import type { EntityOrUnion } from '../schema/Union.ts';

/** Any async function, whatever its parameters. */
export type AsyncFunction = (...args: never) => Promise<unknown>;

/**
 * A function whose parameters TypeScript compares in both directions, like those of methods: it is called with some
 * arguments here, and declared for others there.
 */
export type Bivariant<Args extends readonly unknown[], Result> = { call(...args: Args): Result }['call'];

/**
 * The arguments of an endpoint, as a tuple.
 *
 * @example
 * type Args = EndpointArgs<typeof ArticleResource.get>;
 * const args: Args = [{ id: 5 }];
 */
export type EndpointArgs<E> = E extends (...args: infer Args) => Promise<unknown> ? Args : never;

/**
 * The type of an endpoint's data: the denormalized value of its schema; without a schema (and for `Delete`, which has
 * no denormalized value) the resolved value of its function.
 *
 * @example
 * type Data = EndpointData<typeof ArticleResource.getList>; // Article[]
 * const titles = (data: Data) => data.map(({ title }) => title);
 */
export type EndpointData<E> = E extends (...args: never) => Promise<infer Value>
  ? DenormalizedOr<Value, E extends { readonly schema?: infer S } ? S : undefined>
  : never;

type DenormalizedOr<Value, S> = unknown extends S
  ? Value
  : [S] extends [null | undefined]
    ? Value
    : [S] extends [Delete<EntityOrUnion>]
      ? Value
      : Denormalize<S>;

/** Any endpoint that is not known to be a mutation: hooks read no others. */
export interface NoMutation {
  readonly name: string;
  readonly '~mutation'?: undefined;
}

/** Compilers print this text where an endpoint that changes data is passed as a read. */
export type CannotBeRead = 'a mutation cannot be read: pass it to controller.fetch() in a handler';

/** What the option `sideEffect` says: undefined for a read. */
export type Mutates<M> = boolean extends M ? Undecided : M extends true ? CannotBeRead : undefined;

// oxlint-disable-next-line typescript/no-explicit-any -- the options do not tell: is assignable to both
export type Undecided = any;

/**
 * Options from which `O` is inferred. If one is misspelled, the type is `Known` alone, so that the compiler suggests
 * the right name; if `O` is a type parameter, the type is `O` itself. Functions see `Self` as `this`.
 *
 * The second member of the union vanishes once `O` is known. Before TypeScript 5.3, constants (`'/articles/:id'`
 * rather than `string`) are inferred only if a member of the parameter's type consists of `O` alone.
 */
export type Inferred<O, Known, Self> =
  | ([Exclude<keyof O, keyof Known>] extends [never] ? O & ThisType<Self> : Known & ThisType<Self>)
  | O[Extract<keyof O, never>];

/** The members that a subclass of `Base` adds to its instances. */
export type Added<E, Base> = [Exclude<keyof E, keyof Base>] extends [never]
  ? unknown
  : Pick<E, Exclude<keyof E, keyof Base>>;

/** Shows an intersection as one object type; `infer` makes editors show its members rather than this name. */
export type Simplify<T> = T extends infer O ? { [K in keyof O]: O[K] } : never;

/** `Base` with the members of `Changes` in place of its own. */
export type Override<Base, Changes> = Simplify<Omit<Base, keyof Changes> & Changes>;

/**
 * The type of an example, such as `{ title: '', page: 0 }`: its empty values stand for any value of their type.
 * Declared types (`{} as Query`) stay unchanged.
 */
export type Exemplified<T> =
  T extends Readonly<Record<string, unknown>> ? { [K in keyof T]: AnyOfKind<T[K]> } : AnyOfKind<T>;

type AnyOfKind<T> = 0 extends 1 & T
  ? T // any
  : [T] extends [never]
    ? T
    : [T] extends ['']
      ? string
      : [T] extends [0]
        ? number
        : [T] extends [false]
          ? boolean
          : T;
