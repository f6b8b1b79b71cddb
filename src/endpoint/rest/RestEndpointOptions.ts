import type { EndpointOptions } from '../EndpointOptions.ts';
import type { AsyncFunction } from '../endpointTypes.ts';
import type { Content } from '../http/readResponse.ts';
import type { HeadersInit } from '../http/requestInit.ts';
import type { StandardSchema } from '../../util/standardSchema.ts';

/**
 * Any text. Constants keep their literal types when a type parameter is inferred from them, so that a path has
 * parameters.
 */
export type AnyText = '' | (string & {});

/** HTTP methods, and any others that a server supports. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {});

/**
 * The options of a `RestEndpoint`: those of every endpoint, those of the request, and its steps. Functions are called
 * with `this` = the endpoint.
 */
export interface RestEndpointOptions extends EndpointOptions {
  /**
   * The path, as a pattern: `:name`, `:"any name"`, optional `{/:name}`, wildcard `*name`, and a backslash before a
   * literal character. `\\?page=:page` makes a query parameter a named one.
   */
  readonly path: AnyText;
  /** Prepended to the path. Default: none, so that the path is relative to the page. */
  readonly urlPrefix?: string | undefined;
  /** The HTTP method. Default: GET, or POST if `body` is given or `sideEffect` is true. */
  readonly method?: Method | undefined;
  /**
   * The type of the query parameters, as a value that is never read: `{} as { page: number }`, an example of them (`{
   * page: 0 }`), or a constant: `const filter: { by?: string } = {}`. Undefined: none.
   */
  readonly searchParams?: unknown;
  /** The type of the body, as a value that is never read: `{} as NewArticle`, or `{ title: '' }`. Undefined: none. */
  readonly body?: unknown;
  /** Options for `fetch`: headers, credentials, cache, … */
  readonly requestInit?: RequestInit | undefined;
  /** Aborts every request of this endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** How the response's body is read. Default: JSON or text by its content type, null if empty. */
  readonly content?: Content | undefined;
  /**
   * Checks the parsed response: a schema of Zod, Valibot, ArkType or any other library that implements Standard
   * Schema. What it makes of the response is passed to `process` and stored, and gives the result type. A response
   * that is not valid is `HF_SHAPE` with the path of the wrong value, and what is stored stays. Default: nothing is
   * checked beyond the shape that `schema` has.
   */
  readonly response?: StandardSchema | undefined;
  /** The parameter for the page. */
  readonly paginationField?: AnyText | undefined;
  /**
   * The path of one item of a list, for `move`. Its last parameter is the field that identifies an item: a created
   * one has its temporary pk there until the server answers. Default: the list's own path.
   */
  readonly movePath?: AnyText | undefined;
  /** Runs a whole request. */
  readonly fetch?: AsyncFunction | undefined;
  /** The URL for given parameters. */
  url?(params?: Readonly<Record<string, unknown>>): string;
  /** Builds the query string, without its question mark. */
  searchToString?(searchParams: Readonly<Record<string, unknown>>): string;
  /** The headers of a request. */
  getHeaders?(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  /** The options for `fetch`. */
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  /** Sends the request. */
  fetchResponse?(url: string, init: RequestInit): Promise<Response>;
  /** Reads the response's body. */
  parseResponse?(response: Response): Promise<unknown>;
  /** Transforms the parsed response before it is stored. Its type is the result type of the endpoint. */
  process?(value: unknown, ...args: readonly unknown[]): unknown;
}
