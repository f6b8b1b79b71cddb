import { errorStatus, isUnanswered, retryAfter } from 'holdfast';

/**
 * Why an attempt failed:
 *
 * - `no-connection`: no response
 * - `timeout`: no response in time
 * - `server-down`: 5xx, 408 or 425
 * - `rate-limited`: 429
 * - `web-page`: a page of a captive portal or a proxy in place of the API's response
 * - `needs-auth`: 401, a status of `pauseOn`, or `init()` threw
 * - `blocked`: the browser or a proxy blocks this request, or the server has an error, while it responds to others
 * - `conflict`: 409 or 412
 * - `too-large`: 413
 * - `rejected`: any other 4xx
 * - `error`: code of the app threw, such as the schema of the response
 */
export type FailureReason =
  | 'no-connection'
  | 'timeout'
  | 'server-down'
  | 'rate-limited'
  | 'web-page'
  | 'needs-auth'
  | 'blocked'
  | 'conflict'
  | 'too-large'
  | 'rejected'
  | 'error';

/** Why an attempt failed, and what follows. */
export interface AttemptOutcome {
  readonly reason: FailureReason;
  /** Whether it is retried after a delay. */
  readonly isTransient: boolean;
  /** The server's `Retry-After` in ms; 0 if there is none. */
  readonly after: number;
  readonly response: Response | undefined;
}

/** Why an attempt failed. Plain data, so that it can be stored. */
export interface Failure {
  readonly reason: FailureReason;
  /** The HTTP status; undefined if no request was sent, or the response did not match its schema. */
  readonly status?: number;
  readonly message: string;
  /**
   * The parsed error body, such as field errors: `body` of the `NetworkError`. Omitted if it is longer than 16,384
   * characters.
   */
  readonly body?: unknown;
}

/** What passes when the server is back. */
export const OUTAGES: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'no-connection',
  'timeout',
  'server-down',
  'web-page',
]);

const REASONS: Readonly<Partial<Record<number, FailureReason>>> = {
  401: 'needs-auth',
  408: 'server-down',
  409: 'conflict',
  412: 'conflict',
  413: 'too-large',
  425: 'server-down',
  429: 'rate-limited',
};

/**
 * Statuses that are about the request, even with a web page: nginx sends one for a body that is too large, Express for
 * any error that the server's code throws.
 */
const OF_REQUEST: readonly number[] = [401, 413, 415, 422];

/** The longest error body that is kept, in characters: each attempt of each tab writes it. */
const LONGEST_BODY = 16_384;

/** Options that affect the classification. */
export interface Classification {
  /** Statuses besides 401 that mean that the request is not authorized. */
  readonly pauseOn?: readonly number[] | undefined;
  /** Whether the server had responded with success when the error was thrown. */
  readonly hasResponse?: boolean;
}

/**
 * How engines say that code has used a value in a way that it does not allow, as in "Cannot read properties of
 * undefined". Failures of `fetch` are also TypeErrors, in words that each engine and system language chooses.
 */
const MISUSE =
  /\bis (?:undefined|null|not (?:an? |iterable))|\bof (?:undefined|null)\b|\bcan(?:no|')t (?:access|add|assign|convert|define|delete|destructure|set)\b/;

/** Names and codes of a timeout: those of `fetch`, and of axios. */
const TIMEOUTS = /\b(?:TimeoutError|ECONNABORTED|ETIMEDOUT)\b/;

/** How engines say that `JSON.stringify` cannot encode a body, as in "Do not know how to serialize a BigInt". */
const UNSENDABLE = /\b(?:BigInt|circular|cyclic)\b/;

/**
 * Classifies a failed attempt.
 *
 * @param now - in ms since the epoch
 */
export function classifyFailure(error: unknown, now: number, options: Classification = {}): AttemptOutcome {
  const found = details(error);
  const { response } = found;
  const reason = reasonOf(error, found, options);
  return {
    reason,
    isTransient: reason === 'rate-limited' || OUTAGES.has(reason),
    after: retryAfter(response, now),
    response,
  };
}

/**
 * Without a status, `fetch` throws a `TypeError` if there is no connection, and `AbortSignal.timeout` a
 * `TimeoutError`; other HTTP clients wrap these, or have codes of their own. Anything else was thrown by code and would
 * be thrown again. So would be a `TypeError` of the app's own code for a response; if the request were repeated, the
 * server might execute it again.
 */
function reasonOf(
  error: unknown,
  { status, response, name, code, cause, isFromApi, message }: ErrorDetails,
  { pauseOn = [], hasResponse = false }: Classification,
): FailureReason {
  if (name === 'NotSignedIn') return 'needs-auth';
  if (!status && TIMEOUTS.test([name, code, cause?.name].join())) return 'timeout';
  if (status === undefined) {
    if ((hasResponse && MISUSE.test(message)) || UNSENDABLE.test(message)) return 'error';
    return isUnanswered(error) || code === 'HF_STOPPED' ? 'no-connection' : 'error';
  }
  // An HTML page of a proxy, a captive portal or a login says nothing about the mutation.
  const isPage = isFromApi === false && !OF_REQUEST.includes(status);
  if (isPage) return status === 0 && response === undefined ? 'no-connection' : 'web-page';
  // Untyped code may pass a single status.
  if ([pauseOn].flat().includes(status)) return 'needs-auth';
  if (status === 0 && response === undefined) return 'no-connection';
  return REASONS[status] ?? (status === 0 || status >= 500 ? 'server-down' : 'rejected');
}

/** The part of an error that is stored. */
export function failureOf(error: unknown, reason: FailureReason): Failure {
  const { status, body, isFromApi } = details(error);
  const message = messageOf(error);
  const kept = isFromApi === false ? undefined : keptBody(body);
  return {
    reason,
    ...(status !== undefined && { status }),
    message,
    ...(kept !== undefined && { body: kept }),
  };
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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

/** What an error may say of its cause, whatever was thrown. */
interface ErrorDetails {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause: { readonly name?: unknown; readonly isFromApi?: unknown } | undefined;
  readonly status: number | undefined;
  readonly response: Response | undefined;
  readonly body?: unknown;
  readonly isFromApi?: unknown;
  readonly message: string;
}

function details(error: unknown): ErrorDetails {
  const { name, code, cause, response, body, isFromApi, message } = Object(error) as Record<string, unknown> &
    Pick<ErrorDetails, 'cause'>; // read by name
  const found =
    typeof response === 'object' && response !== null ? (response as { readonly data?: unknown }) : undefined;
  return {
    name,
    code,
    cause,
    body: body ?? found?.data, // where axios has it
    // A plugin of the app may have wrapped the NetworkError in an error of its own.
    isFromApi: isFromApi ?? cause?.isFromApi,
    message: String(message),
    status: errorStatus(error),
    response: found as Response | undefined, // as NetworkError has it
  };
}
