import { retryAfter } from 'holdfast';

/** What a failed attempt means for its entry. */
export type AttemptOutcome =
  | {
      readonly kind: 'retry';
      /** The server's `Retry-After` in ms; 0 if there is none. */
      readonly after: number;
      /** What came instead of an API response: nothing, or an HTML page. */
      readonly instead?: 'nothing' | 'page' | undefined;
    }
  /** The request is not authorized. */
  | { readonly kind: 'needs-auth' }
  | { readonly kind: 'conflict'; readonly response: Response | undefined }
  | { readonly kind: 'refused' };

/** Why an attempt failed. Plain data, so that it can be stored. */
export interface Failure {
  /** The HTTP status; undefined if no request was sent, or the response did not match its schema. */
  readonly status?: number;
  readonly message: string;
  /**
   * The parsed error body, such as field errors: `body` of the `NetworkError`. Omitted if it is longer than 16,384
   * characters.
   */
  readonly body?: unknown;
}

/** Timeouts and rate limits are temporary. */
const TRANSIENT = new Set([0, 408, 425, 429]);

/** The longest error body that is kept, in characters: each attempt of each tab writes it. */
const LONGEST_BODY = 16_384;

/** Options that affect the classification. */
export interface Classification {
  /** Statuses besides 401 that mean that the request is not authorized. */
  readonly pauseOn?: readonly number[];
}

/**
 * Classifies a failed attempt. Without a status, `fetch` throws a `TypeError` if there is no connection, and
 * `AbortSignal.timeout` a `TimeoutError`; anything else was thrown by code and would be thrown again.
 *
 * @param now - in ms since the epoch
 */
export function classifyFailure(
  error: unknown,
  now: number,
  { pauseOn = [] }: Classification = {},
): AttemptOutcome {
  const { status, response, name, isFromApi } = details(error);
  if (status === undefined)
    return name === 'TypeError' || name === 'TimeoutError'
      ? { kind: 'retry', after: 0, instead: name === 'TypeError' ? 'nothing' : undefined }
      : { kind: 'refused' };
  const isPage = isFromApi === false;
  if (status === 401 || (pauseOn.includes(status) && !isPage)) return { kind: 'needs-auth' };
  // An HTML page of a proxy, a captive portal or a login says nothing about the mutation.
  if (isPage || TRANSIENT.has(status) || status >= 500)
    return {
      kind: 'retry',
      after: retryAfter(response, now),
      instead: status === 0 && response === undefined ? 'nothing' : isPage ? 'page' : undefined,
    };
  return status === 409 || status === 412 ? { kind: 'conflict', response } : { kind: 'refused' };
}

/** The part of an error that is stored. */
export function failureOf(error: unknown): Failure {
  const { status, body, isFromApi } = details(error);
  const message = error instanceof Error ? error.message : String(error);
  const kept = isFromApi === false ? undefined : keptBody(body);
  return { ...(status !== undefined && { status }), message, ...(kept !== undefined && { body: kept }) };
}

/** The storable part of a body, whatever a custom error contains. */
function keptBody(body: unknown): unknown {
  try {
    const text = JSON.stringify(body) as string | undefined; // undefined for values without JSON
    return text === undefined || text.length > LONGEST_BODY ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function details(error: unknown): {
  readonly name: unknown;
  readonly status: number | undefined;
  readonly response: Response | undefined;
  readonly body: unknown;
  readonly isFromApi: unknown;
} {
  const { name, status, response, body, isFromApi } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Readonly<Record<string, unknown>>; // read by name
  return {
    name,
    body,
    isFromApi,
    status: typeof status === 'number' ? status : undefined,
    response: typeof response === 'object' && response !== null ? (response as Response) : undefined, // as NetworkError has it
  };
}
