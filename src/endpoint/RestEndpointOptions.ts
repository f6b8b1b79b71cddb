import type { EndpointOptions } from './EndpointOptions.ts';
import type { AsyncFunction } from './endpointTypes.ts';
import type { Content } from './readResponse.ts';

/** Any text. Constants stay what they are where a type parameter is inferred from them, so that a path has parameters. */
export type AnyText = '' | (string & {});

/** HTTP methods, and others that a server may know. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {});

/**
 * The options of a `RestEndpoint`: those of every endpoint, what is requested, and the steps of a request. Functions
 * are called with `this` = the endpoint.
 */
export interface RestEndpointOptions extends EndpointOptions {
  /**
   * The path, as a pattern: `:name`, `:"any name"`, optional `{/:name}`, wildcard `*name`, and a backslash before a
   * character that stands for itself. `\\?page=:page` makes a query parameter a named one.
   */
  readonly path: AnyText;
  /** Comes before the path. Default: none, so that the path is relative to the page. */
  readonly urlPrefix?: string | undefined;
  /** Default: GET, and POST where `body` is given. */
  readonly method?: Method | undefined;
  /**
   * The type of the query parameters, as a value that is never read: `{} as { page: number }`, an example of them
   * (`{ page: 0 }`), or a constant: `const filter: { by?: string } = {}`. Undefined: none.
   */
  readonly searchParams?: unknown;
  /** The type of the body, as a value that is never read: `{} as NewArticle`, or `{ title: '' }`. Undefined: none. */
  readonly body?: unknown;
  /** Options for `fetch`: headers, credentials, cache, … */
  readonly requestInit?: RequestInit | undefined;
  /** Aborts every request of this endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** How the response's body is read. Default: JSON or text by its content type, null when empty. */
  readonly content?: Content | undefined;
  /** The parameter that names a page. */
  readonly paginationField?: AnyText | undefined;
  /**
   * The path of one item of a list, to which `move` sends. The parameter that it ends with is the field that names an
   * item: what is created has its temporary pk there until the server answers. Default: the list's own.
   */
  readonly movePath?: AnyText | undefined;
  /** Runs a whole request. */
  readonly fetch?: AsyncFunction | undefined;
  /** The URL for some parameters. */
  url?(params?: Readonly<Record<string, unknown>>): string;
  /** Writes the query string, without its question mark. */
  searchToString?(searchParams: Readonly<Record<string, unknown>>): string;
  /** The headers of a request. */
  getHeaders?(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  /** The options for `fetch`. */
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  /** Sends the request. */
  fetchResponse?(url: string, init: RequestInit): Promise<Response>;
  /** Reads the response's body. */
  parseResponse?(response: Response): Promise<unknown>;
  /** Changes what was read, before anything is stored. Its type is that of the endpoint's own result. */
  process?(value: unknown, ...args: readonly unknown[]): unknown;
}
