import { describe, HoldfastError } from '../../util/errors.ts';

/** The details of a `NetworkError`. */
export interface NetworkErrorDetails {
  /**
   * The HTTP status; 0 if the API did not answer: the connection failed, or a login page arrived with a status of
   * 200.
   */
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The response, for its headers; undefined if the connection failed. */
  readonly response?: Response | undefined;
  /** The body of the error response: parsed if it is JSON, else its text; undefined if there is none. */
  readonly body?: unknown;
  /** Whether the API itself answered. Default: true if there is a status. */
  readonly isFromApi?: boolean;
  /** Default: `HF_NETWORK`. `HF_SHAPE` if a read with a schema gets a web page with a status of 2xx. */
  readonly code?: 'HF_NETWORK' | 'HF_SHAPE' | undefined;
  /** The rejection of `fetch` when the connection failed. */
  readonly cause?: unknown;
}

/**
 * A request that failed with an error status, or without any response (`status` 0). An aborted request does not throw
 * it: it rejects with the reason of its signal.
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
  /**
   * The HTTP status; 0 if the API did not answer: the connection failed, or a login page arrived with a status of
   * 200.
   */
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The response, for its headers and its own status; undefined if the connection failed. */
  readonly response: Response | undefined;
  /** The body of the error response: parsed if it is JSON, else its text; undefined if there is none. */
  readonly body: unknown;
  /**
   * Whether the API itself answered. False if the connection failed, or if a proxy, a captive portal or a login page
   * answered in its place: HTML where JSON is expected.
   */
  readonly isFromApi: boolean;

  /**
   * @param reason - the message, or the response that was not ok, which provides the details
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
    super(details.code ?? 'HF_NETWORK', message, details);
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
export function statusLine({
  status,
  statusText = '',
}: Pick<Response, 'status'> & Partial<Response>): string {
  return `${status} ${statusText}`.trim();
}

/** Names a request in errors: method, URL, and the endpoint if it has its own name. */
export function nameRequest(method: string, url: string, source: string): string {
  return source.startsWith(`${method} `) ? `${method} ${url}` : `${method} ${url} (${source})`;
}

/** The error for a web page in place of the API's response. */
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

/** The message of an error, with that of its cause: `fetch` puts the reason there. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
