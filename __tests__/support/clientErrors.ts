/**
 * Errors with the members that other HTTP clients gave theirs, as observed against a server that responded, dropped
 * the connection, or was not there: axios 1.21.1 (all three adapters), ky 1.14.3, ofetch 1.5.1, wretch 2.11.1,
 * got 14.6.6, superagent 10.4.2, graphql-request 7.4.0, and `HttpErrorResponse` of Angular.
 */

/** A rejection of one client. */
export interface ClientError {
  readonly client: string;
  readonly error: unknown;
}

const named = (name: string, message: string, members: object = {}): Error =>
  Object.assign(new Error(message), { name, ...members });

/** As `fetch` rejects in Chromium. */
const fetchFailed = (): TypeError => new TypeError('Failed to fetch');

/** The headers of axios: an object with `get`. */
const axiosHeaders = (headers: Readonly<Record<string, string>>) => ({
  ...headers,
  get: (name: string) => headers[name.toLowerCase()],
});

/** What each client throws when there is no connection. */
export function noConnection(): ClientError[] {
  const axios = (name: string, message: string, code: string, members: object = {}) =>
    named(name, message, { isAxiosError: true, code, config: {}, request: {}, ...members });
  return [
    { client: 'axios with XMLHttpRequest', error: axios('AxiosError', 'Network Error', 'ERR_NETWORK') },
    {
      client: 'axios with fetch',
      error: axios('AxiosError', 'Network Error', 'ERR_NETWORK', { cause: fetchFailed() }),
    },
    { client: 'axios in Node', error: axios('Error', 'connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED') },
    { client: 'axios in Node, connection lost', error: axios('Error', 'socket hang up', 'ECONNRESET') },
    { client: 'ky', error: fetchFailed() },
    {
      client: 'ofetch',
      error: named('FetchError', '[POST] "/notes": <no response> Failed to fetch', { cause: fetchFailed() }),
    },
    { client: 'wretch', error: fetchFailed() },
    { client: 'graphql-request', error: fetchFailed() },
    { client: 'superagent in Node', error: named('Error', 'socket hang up', { code: 'ECONNRESET' }) },
    {
      client: 'Angular',
      error: { name: 'HttpErrorResponse', status: 0, ok: false, message: 'Unknown Error' },
    },
    {
      client: 'an error of the app with that of axios as its cause',
      error: new Error('Not saved', { cause: axios('AxiosError', 'Network Error', 'ERR_NETWORK') }),
    },
  ];
}

/** What each client throws when there is no response in time. */
export function timedOut(): ClientError[] {
  const late = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  return [
    { client: 'axios', error: named('AxiosError', 'timeout of 200ms exceeded', { code: 'ECONNABORTED' }) },
    {
      client: 'axios with fetch',
      error: named('AxiosError', 'timeout of 200ms exceeded', { code: 'ETIMEDOUT' }),
    },
    { client: 'ky', error: named('TimeoutError', 'Request timed out: POST /notes', { request: {} }) },
    { client: 'ofetch', error: named('FetchError', '<no response> [TimeoutError]', { cause: late() }) },
    { client: 'got', error: named('TimeoutError', "Timeout awaiting 'request'", { code: 'ETIMEDOUT' }) },
    { client: 'superagent', error: named('Error', 'Timeout of 200ms exceeded', { code: 'ECONNABORTED' }) },
  ];
}

/** What each client throws for an error response. */
export function answered(
  status: number,
  body: unknown = { message: 'No' },
  headers: Readonly<Record<string, string>> = {},
): ClientError[] {
  const response = () => Response.json(body, { status, headers });
  const lowerCase = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return [
    {
      client: 'axios',
      error: named('AxiosError', `Request failed with status code ${status}`, {
        code: status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
        status,
        response: { status, data: body, headers: axiosHeaders(lowerCase) },
      }),
    },
    { client: 'ky', error: named('HTTPError', `Request failed with ${status}`, { response: response() }) },
    {
      client: 'ofetch',
      error: named('FetchError', `${status}`, {
        status,
        statusCode: status,
        data: body,
        response: response(),
      }),
    },
    {
      client: 'wretch',
      error: named('Error', 'No', { status, response: response(), cause: new Error('No') }),
    },
    {
      client: 'graphql-request',
      error: named('Error', `GraphQL Error (Code: ${status})`, {
        request: {},
        response: { status, headers: new Headers(headers), body: JSON.stringify(body) },
      }),
    },
  ];
}
