import type { Collection } from '../../schema/collection/Collection.ts';
import type { Delete } from '../../schema/Delete.ts';
import type { EntityBody, HasMethods } from '../../schema/entity/EntityBody.ts';
import type { AnyQuery } from '../../schema/query/AnyQuery.ts';
import type { Denormalize, Schema } from '../../schema/Schema.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';
import type { EndpointOptions } from '../EndpointOptions.ts';
import type {
  Bivariant,
  Exemplified,
  CannotBeRead,
  Mutates,
  Override,
  Simplify,
  Undecided,
} from '../endpointTypes.ts';
import type { PathParams } from '../url/pathTypes.ts';
import type { RestEndpointOptions } from './RestEndpointOptions.ts';
import type { StandardSchema } from '../../util/standardSchema.ts';

/** The method that results from options. */
export type MethodOf<O> = O extends { readonly method: infer M extends string }
  ? Uppercase<M>
  : O extends { readonly sideEffect: true }
    ? 'POST'
    : O extends { readonly body: infer B }
      ? IsAbsent<B> extends true
        ? 'GET'
        : 'POST'
      : 'GET';

/** Whether the options say that an endpoint with them changes data: undefined if they say that it reads. */
export type IsMutation<O> = O extends { readonly sideEffect: infer S }
  ? Mutates<S>
  : RestEndpointOptions extends O
    ? Undecided
    : O extends { readonly method: infer M }
      ? string extends M
        ? Undecided
        : MutationBy<MethodOf<O>>
      : MutationBy<MethodOf<O>>;

type MutationBy<M> = M extends 'GET' | 'HEAD' ? undefined : CannotBeRead;

/** Whether the type of a body or of query parameters says that there are none. `any` is assignable to undefined, too. */
export type IsAbsent<T> = unknown extends T ? false : [T] extends [undefined] ? true : false;

/** Whether a request has a body: determined by `body` if it is given, or else by the method. */
export type TakesBody<O> = O extends { readonly body: infer B }
  ? IsAbsent<B> extends true
    ? false
    : true
  : MethodOf<O> extends 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS'
    ? false
    : true;

type BodyOf<O> = O extends { readonly body: infer B } ? Exemplified<B> : unknown;

/** The declared query parameters; `unknown`, which vanishes in an intersection, if there are none. */
type SearchOf<O> = O extends { readonly searchParams: infer Q }
  ? IsAbsent<Q> extends true
    ? unknown
    : Exemplified<Exclude<Q, undefined>>
  : unknown;

/** The first argument of an endpoint with these options: the parameters of its path and of its query. */
export type RestParams<O extends RestEndpointOptions> = Simplify<PathParams<O['path']> & SearchOf<O>>;

/** Whether a single argument is the body: if the path has no parameters or, with `body`, requires none. */
type IsBodyAlone<O extends RestEndpointOptions> = O extends { readonly body: unknown }
  ? Partial<PathParams<O['path']>> extends PathParams<O['path']>
    ? true
    : false
  : [keyof PathParams<O['path']>] extends [never]
    ? true
    : false;

/** No parameters: passing any does not compile. */
type NoParams = Readonly<Record<string, never>>;

type ParamsArgument<Params> = [keyof Params] extends [never]
  ? [params?: NoParams]
  : Partial<Params> extends Params
    ? [params?: Params]
    : [params: Params];

type BodyArgument<Body> = undefined extends Body ? [body?: Body] : [body: Body];

/**
 * The arguments of an endpoint with these options: parameters, then the body if the method has one. If the path has
 * no parameters or, with `body`, requires none, a single argument is the body. Any, for a `RestEndpoint` without a type
 * argument.
 */
export type RestArgs<O extends RestEndpointOptions> = RestEndpointOptions extends O
  ? // oxlint-disable-next-line typescript/no-explicit-any -- so that it accepts the endpoints with any arguments
    any[]
  : TakesBody<O> extends true
    ? IsBodyAlone<O> extends true
      ? | BodyArgument<BodyOf<O>>
        | [params: [keyof RestParams<O>] extends [never] ? NoParams : RestParams<O>, body: BodyOf<O>]
      : [params: RestParams<O>, ...body: BodyArgument<BodyOf<O>>]
    : ParamsArgument<RestParams<O>>;

/**
 * The same for the functions among the options, as one tuple: TypeScript does not accept a function with fewer
 * parameters if the arguments are one of two tuples.
 */
export type RestOptionArgs<O extends RestEndpointOptions> =
  TakesBody<O> extends true
    ? IsBodyAlone<O> extends true
      ? [paramsOrBody: RestArgs<O>[0], body?: BodyOf<O>]
      : RestArgs<O>
    : RestArgs<O>;

/** The schema in options; any schema, for a `RestEndpoint` without a type argument. */
export type SchemaOf<O> = RestEndpointOptions extends O
  ? Schema
  : O extends { readonly schema: infer S extends Schema }
    ? S
    : undefined;

/**
 * A value as it arrives over the network, before denormalization: data without methods, and dates as strings. Of a field
 * that is converted to an instance of another class, nothing is known.
 */
export type Raw<T> = T extends Date
  ? string
  : T extends readonly (infer Member)[]
    ? Raw<Member>[]
    : T extends object
      ? T extends { pk(...args: never): unknown }
        ? RawFields<T>
        : HasMethods<T> extends true
          ? unknown
          : RawFields<T>
      : T;

type RawFields<T> = { [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]: Raw<T[K]> };

/**
 * The body of a change of the list in a schema: one member or several, as declared for the resource or by the entity's
 * fields, with the parameters that select lists. Of a map: its members by key. If the response wraps the list, the body
 * may be wrapped, too.
 */
export type ChangeBody<O extends RestEndpointOptions, Name> =
  Members<SchemaOf<O>> extends readonly (infer M)[]
    ? OneOrSeveral<MemberBody<O, M>> | FormData
    : Members<SchemaOf<O>> extends Readonly<Record<string, infer M>>
      ? (Name extends 'assign' ? Readonly<Record<string, MemberBody<O, M>>> : MemberBody<O, M>) | FormData
      : unknown;

/** The members of a schema that is a collection, or a query of one. */
type Members<S> =
  S extends Collection<infer C> ? Denormalize<C> : S extends AnyQuery ? Members<S['schema']> : unknown;

type OneOrSeveral<T> = T | readonly T[];

type MemberBody<O extends RestEndpointOptions, M> = (O extends { readonly memberBody: infer B }
  ? IsAbsent<B> extends true
    ? EntityBody<M>
    : Exemplified<B>
  : EntityBody<M>) & {
  readonly [K in keyof RestParams<O> as string extends K ? never : Exclude<K, keyof M>]?: RestParams<O>[K];
};

/**
 * The resolved value of the endpoint itself: the result of `process`, or else the output of `response`, or else the raw
 * data of the schema.
 */
export type RestValue<O extends RestEndpointOptions> = O extends { process(...args: never): infer Value }
  ? Awaited<Value>
  : O extends { readonly response: StandardSchema<infer Output> }
    ? Output
    : SchemaOf<O> extends undefined
      ? ContentValue<O>
      : SchemaOf<O> extends Delete<EntityOrUnion>
        ? unknown
        : Raw<Denormalize<SchemaOf<O>>>;

type ContentValue<O> = O extends { readonly content: infer C }
  ? C extends 'text'
    ? string
    : C extends 'blob'
      ? Blob
      : C extends 'arrayBuffer'
        ? ArrayBuffer
        : C extends 'stream'
          ? ReadableStream<Uint8Array> | null
          : unknown
  : unknown;

/** Stands for an option that is not given; no value has this type. */
export interface Kept {
  readonly '~kept': never;
}

/** The options that decide the arguments: inferred on their own, so that functions beside them see the new ones. */
export interface ArgsOptions<Path, Method, Search, Body> {
  readonly path?: Path;
  readonly method?: Method;
  readonly searchParams?: Search;
  readonly body?: Body;
}

/** The options of an extended endpoint that decide its arguments. */
export type WithArgs<O extends RestEndpointOptions, Path, Method, Search, Body> =
  Override<O, Given<{ path: Path; method: Method; searchParams: Search; body: Body }>> extends infer Extended
    ? Extended extends RestEndpointOptions
      ? Extended
      : O
    : O;

type Given<T> = { readonly [K in keyof T as [T[K]] extends [Kept] ? never : K]: T[K] };

/** The options of a RestEndpoint's `extend`: any option. */
export interface RestExtension<O extends RestEndpointOptions>
  extends
    Partial<Omit<RestEndpointOptions, keyof EndpointOptions | 'fetch' | 'process'>>,
    EndpointOptions<RestOptionArgs<O>> {
  /** Runs a whole request. */
  readonly fetch?: Bivariant<RestOptionArgs<O>, Promise<unknown>> | undefined;
  /** Transforms the parsed response before it is stored. */
  process?(value: unknown, ...args: RestOptionArgs<O>): unknown;
}
