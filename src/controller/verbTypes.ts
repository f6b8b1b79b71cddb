import type { EndpointArgs, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { ArraySchema } from '../schema/ArraySchema.ts';
import type { Row } from '../schema/entity/Row.ts';
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

/** What `set` takes for an entity: some of its fields, or a recipe. */
export type SetValue<E extends EntityClass> =
  | Partial<Denormalize<E>>
  | Readonly<Record<string, unknown>>
  | ((draft: Row<Denormalize<E>>) => Row<Denormalize<E>> | undefined | void);

/** What `set` takes for a collection: its members, or a function that returns them. */
export type CollectionValue<Members> =
  readonly unknown[] | Readonly<Record<string, unknown>> | ((present: Members | undefined) => unknown);

/** A schema of several entities that `set` identifies by their values. */
export type EntitiesToSet =
  readonly EntityOrUnion[] | ArraySchema<EntityOrUnion> | Values<EntityOrUnion> | Union<UnionMembers>;
