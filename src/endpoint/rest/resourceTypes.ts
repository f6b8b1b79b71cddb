import type { Collection, CollectionOptions } from '../../schema/collection/Collection.ts';
import type { Delete } from '../../schema/Delete.ts';
import type { EntityBody } from '../../schema/entity/EntityBody.ts';
import type { Denormalize, EntityClass } from '../../schema/Schema.ts';
import type { EntityOrUnion, UnionMembers } from '../../schema/Union.ts';
import type { Added, AsyncFunction, Exemplified, Inferred } from '../endpointTypes.ts';
import type { PathParams, ShortenPath } from '../url/pathTypes.ts';
import type { ExtendedRestEndpoint, RestEndpoint } from './RestEndpoint.ts';
import type { AnyText, RestEndpointOptions } from './RestEndpointOptions.ts';
import type { ArgsOptions, IsAbsent, Kept, Raw, RestExtension, WithArgs } from './restTypes.ts';
import type { SearchValue } from '../url/searchParams.ts';

/** The options of `createResource`: those of the resource, and any option that all its endpoints share. */
export interface ResourceOptions extends Omit<
  RestEndpointOptions,
  | 'schema'
  | 'method'
  | 'name'
  | 'key'
  | 'testKey'
  | 'sideEffect'
  | 'url'
  | 'fetch'
  | 'getOptimisticResponse'
  | 'update'
  | 'ownList'
  | 'movePath'
  | 'appendTo'
  | 'response'
> {
  /** The path of one item, as a pattern: `/articles/:id`. Lists and creations use it without its last parameter. */
  readonly path: AnyText;
  /** The entity of one item, or a union of several. */
  readonly schema: EntityOrUnion;
  /**
   * The prefix of its endpoints' names, as in `Article.create`. Two resources of one entity need different ones to be
   * registered in one outbox. Default: the entity's key.
   */
  readonly name?: string | undefined;
  /** The type of the query parameters of `getList`, and of those that `create` accepts. Default: any. */
  readonly searchParams?: unknown;
  /**
   * The type of the body of `create` and `update`; `partialUpdate` takes any part of it. Default: the entity's
   * fields.
   */
  readonly body?: unknown;
  /**
   * Whether mutations are optimistic: shown at once, with the data that was sent, until the server has answered. Not
   * for a union, whose type that data may not determine. Default: false.
   */
  readonly optimistic?: boolean | undefined;
  /** The class of the endpoints. Default: `RestEndpoint`. */
  readonly Endpoint?: (new (options: RestEndpointOptions) => RestEndpoint) | undefined;
  /** The class of the collection that `getList` reads. Default: `Collection`. */
  readonly Collection?:
    | (new (
        schema: readonly [EntityOrUnion],
        options: CollectionOptions,
      ) => Collection<readonly [EntityOrUnion]>)
    | undefined;
  /** Args of `getList` that do not decide membership, in addition to those that sort, limit or paginate. */
  readonly nonFilterArgumentKeys?: CollectionOptions['nonFilterArgumentKeys'];
  /** Further lists that `create` appends created entities to. */
  readonly appendTo?: RestEndpointOptions['appendTo'];
}

type BodyOf<O extends ResourceOptions> = O extends { readonly body: infer B } ? B : FieldsOf<O['schema']>;

/** The body of an entity, or of any of a union. */
type FieldsOf<S> = S extends EntityClass
  ? EntityBody<Denormalize<S>, S['schema']>
  : S extends { readonly members: infer M extends UnionMembers }
    ? FieldsOf<M[keyof M]>
    : EntityBody<Denormalize<S>>;

type PartialBodyOf<O extends ResourceOptions> = O extends { readonly body: infer B }
  ? IsAbsent<B> extends true
    ? undefined
    : Partial<Exemplified<B>>
  : FieldsOf<O['schema']>;

type ListSearchOf<O extends ResourceOptions> = O extends { readonly searchParams: infer Q }
  ? Q
  : Readonly<Record<string, SearchValue>>;

type CreateSearchOf<O extends ResourceOptions> = O extends { readonly searchParams: infer Q }
  ? Partial<Exemplified<Q>>
  : undefined;

/** The endpoints of a resource, with the options that each was created from. */
export interface ResourceEndpoints<O extends ResourceOptions> {
  /** Reads one item: `GET path`. */
  readonly get: RestEndpoint<{ readonly path: O['path']; readonly schema: O['schema'] }>;
  /** Reads a list: `GET` of the shortened path. Parameters that are not in the path go into the query string. */
  readonly getList: RestEndpoint<{
    readonly path: ShortenPath<O['path']>;
    readonly schema: Collection<readonly [O['schema']]>;
    readonly searchParams: ListSearchOf<O>;
    readonly movePath: O['path'];
    readonly memberBody: O extends { readonly body: infer B } ? B : undefined;
    readonly paginationField: O extends { readonly paginationField: infer F extends string } ? F : undefined;
  }>;
  /** Creates an item: `POST` to the shortened path. */
  readonly create: RestEndpoint<{
    readonly path: ShortenPath<O['path']>;
    readonly schema: O['schema'];
    readonly method: 'POST';
    readonly searchParams: CreateSearchOf<O>;
    readonly body: BodyOf<O>;
  }>;
  /** Replaces an item: `PUT path`. */
  readonly update: RestEndpoint<{
    readonly path: O['path'];
    readonly schema: O['schema'];
    readonly method: 'PUT';
    readonly body: BodyOf<O>;
  }>;
  /** Changes some fields of an item: `PATCH path`. */
  readonly partialUpdate: RestEndpoint<{
    readonly path: O['path'];
    readonly schema: O['schema'];
    readonly method: 'PATCH';
    readonly body: PartialBodyOf<O>;
  }>;
  /**
   * Deletes an item: `DELETE path`. Resolves with the server's object if it identifies the item, else the parameters.
   */
  readonly delete: RestEndpoint<{
    readonly path: O['path'];
    readonly schema: Delete<O['schema']>;
    readonly method: 'DELETE';
    process(value: unknown): Raw<Denormalize<O['schema']>> | PathParams<O['path']>;
  }>;
}

/** The endpoints of one path and entity, created by `createResource`. Without a type argument, of any. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type of options to which any resource is assignable
export interface Resource<O extends ResourceOptions = any> extends ResourceEndpoints<O>, ResourceExtend {}

/** A resource whose endpoints are of the class in the options, with the members that it adds. */
export type ResourceOf<O extends ResourceOptions> = Resource<O> &
  (O extends { readonly Endpoint: new (options: never) => infer E }
    ? [Exclude<keyof E, keyof RestEndpoint>] extends [never]
      ? unknown
      : { readonly [K in keyof ResourceEndpoints<O>]: Added<E, RestEndpoint> }
    : unknown);

/** `extend` of a resource, in its three forms. Each returns a new resource; the original stays unchanged. */
export interface ResourceExtend {
  /**
   * Overrides some options of one endpoint, or adds one derived from `get`.
   *
   * @example
   * ArticleResource.extend('publish', {
   *   path: '/articles/:id/publish',
   *   method: 'POST',
   *   body: undefined,
   * });
   */
  extend<
    R,
    const K extends string,
    const X extends RestExtension<WithArgs<ShapeOf<Member<R, K>>, Path, Method, Search, Body>>,
    const Path extends AnyText | Kept = Kept,
    const Method extends string | Kept | undefined = Kept,
    Search = Kept,
    Body = Kept,
  >(
    this: R,
    name: K,
    options: ArgsOptions<Path, Method, Search, Body> &
      Inferred<X, RestExtension<RestEndpointOptions>, Member<R, K>>,
  ): ExtendedResource<R, Readonly<Record<K, ExtendedMember<Member<R, K>, X>>>>;
  /**
   * Adds or replaces endpoints with those that a function of the resource returns.
   *
   * @example
   * ArticleResource.extend((base) => ({
   *   search: base.getList.extend({ path: '/search/articles' }),
   * }));
   */
  extend<R, const M extends Readonly<Record<string, AsyncFunction>>>(
    this: R,
    make: (base: R) => M,
  ): ExtendedResource<R, M>;
  /**
   * Overrides some options of several endpoints.
   *
   * @example
   * ArticleResource.extend({
   *   getList: { dataExpiryLength: 5_000 },
   *   get: { dataExpiryLength: Infinity },
   * });
   */
  extend<R, const X extends MemberOptions<R>>(
    this: R,
    options: Inferred<X, R, RestEndpoint> & { readonly call?: never },
  ): ExtendedResource<R, { readonly [K in keyof X & keyof R]: ExtendedMember<R[K], X[K]> }>;
}

/** An endpoint of a resource with other options, of the same class. */
type ExtendedMember<E, X> = ExtendedRestEndpoint<ShapeOf<E>, X> & Added<E, RestEndpoint>;

/** Options for several endpoints of a resource. */
type MemberOptions<R> = { readonly [K in EndpointNames<R>]?: RestExtension<ShapeOf<R[K]>> };

/** A resource with members added or replaced. */
export type ExtendedResource<R, M> = [keyof R & keyof M] extends [never] ? R & M : Omit<R, keyof M> & M;

type EndpointNames<R> = { [K in keyof R]: R[K] extends { readonly path: string } ? K : never }[keyof R];

/** The member of this name; for a new name, the one that it is derived from. */
type Member<R, K> = K extends keyof R ? R[K] : R extends { readonly get: infer Get } ? Get : never;

type ShapeOf<E> = E extends { readonly '~options'?: infer O extends RestEndpointOptions }
  ? O
  : RestEndpointOptions;
