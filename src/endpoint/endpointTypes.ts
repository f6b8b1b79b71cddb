import type { Delete } from '../schema/Delete.ts';
import type { Denormalize, EntityClass } from '../schema/Schema.ts';

/** Any async function, whatever its parameters. */
export type AsyncFunction = (...args: never) => Promise<unknown>;

/**
 * A function whose parameters TypeScript compares in both directions, as it does those of methods: one that is called
 * with some arguments here, and written for others there.
 */
export type Bivariant<Args extends readonly unknown[], Result> = { call(...args: Args): Result }['call'];

/**
 * The arguments of an endpoint, as a tuple.
 *
 * @example
 * type Args = EndpointArgs<typeof ArticleResource.get>; // [params: { readonly id: string | number }]
 */
export type EndpointArgs<E> = E extends (...args: infer Args) => Promise<unknown> ? Args : never;

/**
 * What reading an endpoint gives: the joined value of its schema; without one (and for `Delete`, which joins to
 * nothing) what its function resolves with.
 *
 * @example
 * type Data = EndpointData<typeof ArticleResource.getList>; // Article[]
 */
export type EndpointData<E> = E extends (...args: never) => Promise<infer Value>
  ? JoinedOr<Value, E extends { readonly schema?: infer S } ? S : undefined>
  : never;

type JoinedOr<Value, S> = unknown extends S
  ? Value
  : [S] extends [null | undefined]
    ? Value
    : [S] extends [Delete<EntityClass>]
      ? Value
      : Denormalize<S>;

/** Refuses members that `Known` lacks: inferring a type parameter lets misspelled options pass. */
export type Only<T, Known> = Readonly<Record<Exclude<keyof T, keyof Known>, never>>;

/** Shows an intersection as one object type; inferring makes editors show its members rather than this name. */
export type Simplify<T> = T extends infer O ? { [K in keyof O]: O[K] } : never;

/** `Base` with the members of `Changes` in place of its own. */
export type Override<Base, Changes> = Simplify<Omit<Base, keyof Changes> & Changes>;
