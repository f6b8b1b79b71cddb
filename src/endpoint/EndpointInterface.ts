import type { Schema } from '../schema/Schema.ts';
import type { EndpointError, ErrorPolicy, ListTarget } from './EndpointOptions.ts';
import type { Bivariant } from './endpointTypes.ts';
import type { Snapshot } from './Snapshot.ts';

export type { EndpointArgs, EndpointData, NoMutation } from './endpointTypes.ts';

/**
 * The part of an endpoint that a controller uses: any `Endpoint` or `RestEndpoint`, whatever its arguments.
 *
 * The arguments are unknown here, so functions that take an endpoint from a user type them by `EndpointArgs<E>`.
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
  readonly path?: string;
  readonly urlPrefix?: string | undefined;
  /** The field that identifies an item in its path, such as `slug`. */
  readonly itemParam?: string | undefined;
  readonly renames?: boolean | undefined;
  /** The members of the first argument that identify the requested data. Absent: all of them. */
  readonly pathParams?: ReadonlySet<string> | undefined;
  readonly appendTo?: ListTarget | readonly ListTarget[] | undefined;
  readonly ownList?: ListTarget | undefined;
  /** The endpoint that `bind` was called on; the controller uses it with these args. */
  readonly bound?: { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] };
  key(...args: readonly unknown[]): string;
  /** Where a response is stored, if not at `key`: for a page, at the key of its list. */
  resultKey?(...args: readonly unknown[]): string;
  testKey(key: string): boolean;
  errorPolicy?(error: EndpointError): ErrorPolicy;
  getOptimisticResponse?(snapshot: Snapshot, ...args: readonly unknown[]): unknown;
  update?(value: unknown, ...args: readonly unknown[]): Readonly<Record<string, (old: never) => unknown>>;
}

/** Whether it is an endpoint, not a schema. */
export function isEndpoint(source: EndpointInterface | Schema): source is EndpointInterface {
  return typeof source === 'function' && 'testKey' in source;
}
