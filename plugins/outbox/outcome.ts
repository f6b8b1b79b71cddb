/** What a failed attempt means for its entry. */
export type Outcome =
  | { readonly kind: 'retry'; readonly after: number | undefined }
  | { readonly kind: 'conflict'; readonly response: Response | undefined }
  | { readonly kind: 'refused' };

/** What the app is told of why an entry failed. Plain data, so that it can be stored. */
export interface Failure {
  /** The HTTP status; undefined where the server was not asked, or its answer did not fit. */
  readonly status?: number;
  readonly message: string;
}

/** Timeouts and limits of the server pass by themselves. */
const PASSING = new Set([0, 408, 425, 429]);

/**
 * Whether to try again. Without a status, a `TypeError` is what `fetch` throws when there is no connection, and a
 * `TimeoutError` what `AbortSignal.timeout` makes of a slow one; anything else was thrown by code, and would be again.
 *
 * @param now - in ms since the epoch
 */
export function outcomeOf(error: unknown, now: number): Outcome {
  const { status, response, name } = details(error);
  if (status === undefined)
    return name === 'TypeError' || name === 'TimeoutError'
      ? { kind: 'retry', after: undefined }
      : { kind: 'refused' };
  if (PASSING.has(status) || status >= 500) return { kind: 'retry', after: retryAfter(response, now) };
  return status === 409 || status === 412 ? { kind: 'conflict', response } : { kind: 'refused' };
}

/** What to keep of an error. */
export function failureOf(error: unknown): Failure {
  const { status } = details(error);
  const message = error instanceof Error ? error.message : String(error);
  return status === undefined ? { message } : { status, message };
}

function details(error: unknown): {
  readonly name: unknown;
  readonly status: number | undefined;
  readonly response: Response | undefined;
} {
  const { name, status, response } = (typeof error === 'object' && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >; // read by name
  return {
    name,
    status: typeof status === 'number' ? status : undefined,
    response: typeof response === 'object' && response !== null ? (response as Response) : undefined, // as NetworkError has it
  };
}

/** What `Retry-After` says, seconds or a date, in ms from now. */
function retryAfter(response: Response | undefined, now: number): number | undefined {
  const value = (response as Partial<Response> | undefined)?.headers?.get('Retry-After')?.trim(); // an error of the app's own may have anything there
  if (!value) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
