/** What a failed attempt means for its entry. */
export type Outcome =
  | {
      readonly kind: 'retry';
      /** How long the server wants one to wait, in ms. */
      readonly after: number | undefined;
      /** What came in place of an answer of the API: nothing, or a web page. */
      readonly instead?: 'nothing' | 'page' | undefined;
    }
  /** The server wants to know who is asking. */
  | { readonly kind: 'needs-auth' }
  | { readonly kind: 'conflict'; readonly response: Response | undefined }
  | { readonly kind: 'refused' };

/** Why an attempt failed. Plain data, so that it can be stored. */
export interface Failure {
  /** The HTTP status; undefined where the server was not asked, or its answer did not fit. */
  readonly status?: number;
  readonly message: string;
  /**
   * What the API said about it, such as the errors of fields: `body` of the `NetworkError` as JSON has it. Left out where it
   * is longer than 16,384 characters.
   */
  readonly body?: unknown;
}

/** Timeouts and limits of the server pass by themselves. */
const PASSING = new Set([0, 408, 425, 429]);

/** The longest `Retry-After` that is obeyed, in ms: a mistake in a header must not keep a mutation from being sent. */
const LONGEST_WAIT = 3_600_000;

/** The longest body of an error that is kept, in characters: each attempt of each tab writes it. */
const LONGEST_BODY = 16_384;

/** What of the options says how to classify a failure. */
export interface Classification {
  /** Statuses that mean, besides 401, that the server wants to know who is asking. */
  readonly pauseOn?: readonly number[];
}

/**
 * Whether to try again. Without a status, a `TypeError` is what `fetch` throws when there is no connection, and a
 * `TimeoutError` what `AbortSignal.timeout` makes of a slow one; anything else was thrown by code, and would be again.
 *
 * @param now - in ms since the epoch
 */
export function outcomeOf(error: unknown, now: number, { pauseOn = [] }: Classification = {}): Outcome {
  const { status, response, name, isFromApi } = details(error);
  if (status === undefined)
    return name === 'TypeError' || name === 'TimeoutError'
      ? { kind: 'retry', after: undefined, instead: name === 'TypeError' ? 'nothing' : undefined }
      : { kind: 'refused' };
  const isPage = isFromApi === false;
  if (status === 401 || (pauseOn.includes(status) && !isPage)) return { kind: 'needs-auth' };
  // What a proxy, a portal or a login page answers says nothing of the mutation.
  if (isPage || PASSING.has(status) || status >= 500)
    return {
      kind: 'retry',
      after: retryAfter(response, now),
      instead: status === 0 && response === undefined ? 'nothing' : isPage ? 'page' : undefined,
    };
  return status === 409 || status === 412 ? { kind: 'conflict', response } : { kind: 'refused' };
}

/** What to keep of an error. */
export function failureOf(error: unknown): Failure {
  const { status, body, isFromApi } = details(error);
  const message = error instanceof Error ? error.message : String(error);
  const kept = isFromApi === false ? undefined : keptBody(body);
  return { ...(status !== undefined && { status }), message, ...(kept !== undefined && { body: kept }) };
}

/** What can be stored of a body, whatever an error of the app's own has there. */
function keptBody(body: unknown): unknown {
  try {
    const text = JSON.stringify(body) as string | undefined; // undefined for what JSON does not have
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

/** What `Retry-After` says, seconds or a date, in ms from now; undefined where it says nothing usable. */
function retryAfter(response: Response | undefined, now: number): number | undefined {
  const value = (response as Partial<Response> | undefined)?.headers?.get('Retry-After')?.trim(); // an error of the app's own may have anything there
  if (!value) return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1_000;
  return wait > 0 ? Math.min(wait, LONGEST_WAIT) : undefined;
}
