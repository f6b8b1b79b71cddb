import type { Schema } from '../schema/Schema.ts';
import type { EndpointError, ErrorPolicy, ListTarget } from './EndpointOptions.ts';
import type { Bivariant } from './endpointTypes.ts';
import type { Snapshot } from './Snapshot.ts';

export type { EndpointArgs, EndpointData } from './endpointTypes.ts';

/**
 * What a controller needs of an endpoint: any `Endpoint` or `RestEndpoint`, whatever its arguments.
 *
 * The arguments are unknown here, so whoever takes an endpoint from a user types them by `EndpointArgs<E>`.
 */
export interface EndpointInterface extends Bivariant<readonly unknown[], Promise<unknown>> {
  readonly name: string;
  readonly schema?: Schema;
  readonly sideEffect?: boolean | undefined;
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
  readonly invalidIfStale?: boolean | undefined;
  readonly pollFrequency?: number | undefined;
  readonly timeout?: number | undefined;
  /** Aborts its requests. */
  readonly signal?: AbortSignal | undefined;
  readonly extra?: unknown;
  /** The field by which the path of one item names it, such as `slug`. */
  readonly itemParam?: string | undefined;
  readonly renames?: boolean | undefined;
  /** Of the members of the first argument, those that name what is asked for. Absent: all of them. */
  readonly pathParams?: ReadonlySet<string> | undefined;
  readonly addsTo?: ListTarget | readonly ListTarget[] | undefined;
  readonly ownList?: ListTarget | undefined;
  /** What `bind` has made it of: all that a controller does, it does with these. */
  readonly bound?: { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] };
  key(...args: readonly unknown[]): string;
  /** Where a response is kept, if not at `key`: at that of the list that a page is of. */
  resultKey?(...args: readonly unknown[]): string;
  testKey(key: string): boolean;
  errorPolicy?(error: EndpointError): ErrorPolicy;
  getOptimisticResponse?(snapshot: Snapshot, ...args: readonly unknown[]): unknown;
  update?(value: unknown, ...args: readonly unknown[]): Readonly<Record<string, (old: never) => unknown>>;
}
