import type { EndpointArgs, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Bivariant } from '../endpoint/endpointTypes.ts';
import type { ArraySchema } from '../schema/ArraySchema.ts';
import type { Delete } from '../schema/Delete.ts';
import type { Collection, CollectionSchema } from '../schema/collection/Collection.ts';
import type { CollectionChange } from '../schema/collection/CollectionChange.ts';
import type { BodyOf, EntityBody } from '../schema/entity/EntityBody.ts';
import type { Row } from '../schema/entity/Row.ts';
import type { AnyArg, QueryArgs } from '../schema/query/queryArgs.ts';
import type { Denormalize, EntityClass } from '../schema/Schema.ts';
import type { EntityOrUnion, Union, UnionMembers } from '../schema/Union.ts';
import type { Values } from '../schema/Values.ts';
import type { ExpiryStatus } from '../store/expiry.ts';

/** The args of a read: the endpoint's own, or null to turn it off. */
export type ReadArgs<E extends EndpointInterface> = EndpointArgs<E> | readonly [null];

/** The args of an endpoint and one more, also if args are optional. */
export type ArgsAnd<Args extends readonly unknown[], Last> = number extends Args['length']
  ? [...Args, Last]
  : Args extends readonly []
    ? [last: Last]
    : Args extends readonly [infer First, ...infer Rest]
      ? [First, ...ArgsAnd<Rest, Last>]
      : Args extends readonly [(infer First)?, ...infer Rest]
        ? [last: Last] | [First, ...ArgsAnd<Rest, Last>]
        : never;

/** What `getResponse` returns. */
export interface CachedResponse<Data> {
  /** The denormalized data; undefined if there is none to show. */
  readonly data: Data | undefined;
  readonly expiryStatus: ExpiryStatus;
  /** When it becomes stale, in ms since the epoch. */
  readonly expiresAt: number;
  /** When the latest response or error arrived, in ms since the epoch; 0 before that. */
  readonly receivedAt: number;
  /** Whether a request is in flight. */
  readonly refreshing: boolean;
}

/** What `set` changes: an entity, a collection or a change of one, or several entities. */
export type SetTarget =
  | EntityClass
  | Collection<CollectionSchema>
  | CollectionChange<unknown>
  | EntitiesToSet;

/** The args that identify the target, and the value. */
export type SetArgs<S> = S extends EntityClass
  ? readonly [...args: QueryArgs<S>, value: SetValue<S>]
  : readonly [
      ...args: AnyArg[],
      value: S extends Collection<infer C>
        ? CollectionValue<C>
        : S extends CollectionChange<infer Output>
          ? EntityBody<Output> | readonly EntityBody<Output>[]
          : BodyOf<S>,
    ];

/** What `set` takes for an entity: some of its fields, or a recipe. */
export type SetValue<E extends EntityClass> =
  | EntityBody<Denormalize<E>, E['schema']>
  | Bivariant<[draft: Row<Denormalize<E>, E['schema']>], Row<Denormalize<E>, E['schema']> | undefined | void>;

/** What `set` takes for a collection: its members, or a function that returns them. */
export type CollectionValue<C extends CollectionSchema> =
  | BodyOf<C>
  | Bivariant<[present: Denormalize<C> | undefined], BodyOf<C>>;

/** A schema of entities, also deleted ones, that `set` identifies by their values. */
export type EntitiesToSet =
  | readonly Identified[]
  | ArraySchema<Identified>
  | Values<Identified>
  | Union<UnionMembers>
  | Delete<EntityOrUnion>;

type Identified = EntityOrUnion | Delete<EntityOrUnion>;
