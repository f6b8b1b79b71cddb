import type { EndpointArgs, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { ArraySchema } from '../schema/ArraySchema.ts';
import type { Row } from '../schema/Row.ts';
import type { Denormalize, EntityClass } from '../schema/Schema.ts';
import type { EntityOrUnion, Union, UnionMembers } from '../schema/Union.ts';
import type { Values } from '../schema/Values.ts';
import type { ExpiryStatus } from '../store/expiry.ts';

/** The args of a read: those of the endpoint, or null for no read at all. */
export type ReadArgs<E extends EndpointInterface> = EndpointArgs<E> | readonly [null];

/** The args of an endpoint and one thing more, also where args are optional. */
export type ArgsAnd<Args extends readonly unknown[], Last> = number extends Args['length']
  ? [...Args, Last]
  : Args extends readonly []
    ? [last: Last]
    : Args extends readonly [infer First, ...infer Rest]
      ? [First, ...ArgsAnd<Rest, Last>]
      : Args extends readonly [(infer First)?, ...infer Rest]
        ? [last: Last] | [First, ...ArgsAnd<Rest, Last>]
        : never;

/** What `getResponse` tells of a read. */
export interface ResponseReading<Data> {
  /** The joined data; undefined when there is none to show. */
  readonly data: Data | undefined;
  readonly expiryStatus: ExpiryStatus;
  /** When it becomes stale, in ms since the epoch. */
  readonly expiresAt: number;
  /** When the newest response or error arrived, in ms since the epoch; 0 before there is one. */
  readonly receivedAt: number;
  /** Whether a request for it is under way. */
  readonly refreshing: boolean;
}

/** What `set` takes: some fields of the entity, or a recipe over its row. */
export type SetValue<E extends EntityClass> =
  | Partial<Denormalize<E>>
  | Readonly<Record<string, unknown>>
  | ((draft: Row<Denormalize<E>>) => Row<Denormalize<E>> | undefined | void);

/** What `set` takes for a collection: its members, or a function that makes them. */
export type CollectionValue<Members> =
  readonly unknown[] | Readonly<Record<string, unknown>> | ((present: Members | undefined) => unknown);

/** Several entities, or one of several kinds, that `set` finds by their values. */
export type SeveralEntities =
  readonly EntityOrUnion[] | ArraySchema<EntityOrUnion> | Values<EntityOrUnion> | Union<UnionMembers>;
