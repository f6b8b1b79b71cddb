/** The members of an error that say what became of a request, whichever HTTP client has thrown it. */
interface ClientError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly response?: { readonly status?: unknown } | null;
  readonly cause?: unknown;
  readonly isFromApi?: unknown;
}

/** Codes of axios, and of Node, for a request without a response; the name of a timeout of `fetch`, ky and ofetch. */
const NO_RESPONSE = /ERR_NETWORK|ECONN|ETIMEDOUT|TimeoutError/;

/**
 * Whether the API did not respond: there was no connection, or an HTML page came instead. Without a connection,
 * `fetch` itself throws a `TypeError`.
 */
export function isUnanswered(error: unknown): boolean {
  return (
    errorStatus(error) === 0 ||
    layersOf(error).some(({ name, isFromApi }) => name === 'TypeError' || isFromApi === false)
  );
}

/**
 * The HTTP status of an error of any HTTP client: its `status`, or that of its `response` or `cause`; 0 if there was no
 * connection, or no response in time, undefined if it has none.
 *
 * @example
 * logout({ when: (error) => [401, 419].includes(errorStatus(error) ?? 0) });
 */
export function errorStatus(error: unknown): number | undefined {
  return layersOf(error).flatMap(ownStatus)[0];
}

function ownStatus({ status, response, code, name }: ClientError): number | readonly [] {
  const found = status ?? response?.status;
  if (typeof found === 'number') return found;
  return NO_RESPONSE.test([code, name].join()) ? 0 : [];
}

/**
 * An error and what it wraps. Those of this library say themselves what has failed: the cause may be of another
 * request.
 */
function layersOf(error: unknown): readonly ClientError[] {
  const outer = Object(error) as ClientError; // read by name
  return String(outer.code).startsWith('HF_') ? [outer] : [outer, Object(outer.cause) as ClientError];
}
