import { describe, HoldfastError } from '../util/errors.ts';

/** What a `NetworkError` tells. */
export interface NetworkErrorDetails {
  /** The HTTP status; 0 when the API did not answer: the connection failed, or a login page came with a status of 200. */
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The response, for its headers; undefined when the connection failed. */
  readonly response?: Response | undefined;
  /** The body of the error response: parsed where it is JSON, else its text; undefined where there is none. */
  readonly body?: unknown;
  /** Whether the API itself answered. Default: where there is a status. */
  readonly isFromApi?: boolean;
  /** What `fetch` rejected with when the connection failed. */
  readonly cause?: unknown;
}

/**
 * A request that the server did not answer with success, or did not answer at all (`status` 0). A request that was
 * aborted is none: it rejects with the reason of its signal.
 *
 * @example
 * try {
 *   await controller.fetch(ArticleResource.create, { title: '' });
 * } catch (error) {
 *   if (error instanceof NetworkError && error.status === 422)
 *     alert(JSON.stringify(error.body));
 * }
 */
export class NetworkError extends HoldfastError {
  override readonly name: string = 'NetworkError';
  /** The HTTP status; 0 when the API did not answer: the connection failed, or a login page came with a status of 200. */
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The response, for its headers and its own status; undefined when the connection failed. */
  readonly response: Response | undefined;
  /** The body of the error response: parsed where it is JSON, else its text; undefined where there is none. */
  readonly body: unknown;
  /**
   * Whether the API itself answered. False when the connection failed, and when a proxy, a captive portal or a login page
   * answered in its place: HTML where JSON is expected.
   */
  readonly isFromApi: boolean;

  /**
   * @param reason - the message, or the response that was not ok, from which the details are taken
   * @param details - required with a message
   */
  constructor(reason: Response, details?: Partial<NetworkErrorDetails>);
  constructor(reason: string, details: NetworkErrorDetails);
  constructor(reason: Response | string, given: Partial<NetworkErrorDetails> = {}) {
    const details =
      typeof reason === 'string'
        ? given
        : { status: reason.status, url: reason.url, response: reason, ...given };
    const { status = 0, url = '', method = 'GET', response, body } = details;
    const message =
      typeof reason === 'string'
        ? reason
        : `${given.method ?? ''} ${url} was answered with ${statusLine(reason)}`.trim();
    super('HF_NETWORK', message, details);
    this.status = status;
    this.url = url;
    this.method = method;
    this.response = response;
    this.body = body;
    this.isFromApi = details.isFromApi ?? status !== 0;
  }

  override toJSON(): object {
    return { ...super.toJSON(), response: undefined };
  }
}

/** Status and reason phrase of a response. */
export function statusLine({ status, statusText }: Response): string {
  return `${status} ${statusText}`.trim();
}

/** Names a request in errors: method, URL, and the endpoint where it has a name of its own. */
export function nameRequest(method: string, url: string, source: string): string {
  return source.startsWith(`${method} `) ? `${method} ${url}` : `${method} ${url} (${source})`;
}

/** The error for a web page that came in place of the API's answer. */
export function notTheApi(
  request: string,
  response: Response,
  details: Omit<NetworkErrorDetails, 'status'> & { readonly status?: number },
): NetworkError {
  return new NetworkError(
    `${request} was answered with ${statusLine(response)} by a web page in place of the API: a proxy, a captive portal, a login page, or a wrong address; see error.body, or set \`content: 'text'\` if HTML is meant`,
    { status: 0, response, ...details, isFromApi: false },
  );
}

/** Whether something was rejected because a signal was aborted, rather than by the network. */
export function isAbort(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted === true) return true;
  // In tests and frames its class exists more than once.
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  return name === 'AbortError' || name === 'TimeoutError';
}

/** The message of what was thrown, with its cause's: `fetch` hides the reason in there. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
