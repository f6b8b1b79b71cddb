import { errorStatus, isUnanswered, mergeRequestInit, type EndpointInterface } from 'holdfast';
import type { Entry } from '../queue/Entry.ts';
import type { OutboxOptions } from '../OutboxOptions.ts';

type FetchResponse = (url: string, init: RequestInit) => Promise<Response>;

/** Members of every `Endpoint`, but not of every custom endpoint. */
export interface ExtendableEndpoint extends EndpointInterface {
  readonly method?: string;
  readonly requestInit?: RequestInit;
  readonly fetchResponse?: FetchResponse;
  readonly extend?: (options: {
    readonly requestInit?: RequestInit;
    readonly signal?: AbortSignal;
    readonly fetchResponse?: FetchResponse;
  }) => EndpointInterface;
}

/** What an attempt adds to the request of an entry. */
interface AttemptOptions {
  /** What the session adds, such as a token. */
  readonly init: RequestInit | undefined;
  /** The name of the idempotency header; undefined for none. */
  readonly header: string | undefined;
  readonly signal: AbortSignal;
  /** Called with each response, before it is parsed. */
  readonly onResponse: (response: Response) => void;
}

/** A signal that follows several. Safari before 17.4 and Chromium before 116 have no `AbortSignal.any`. */
function anyOf(signals: AbortSignal[]): AbortSignal {
  // It adds no listeners, which would pile up if the app passes one signal to all attempts.
  if (typeof AbortSignal.any === 'function') return AbortSignal.any(signals);
  const first = new AbortController();
  for (const signal of signals) {
    const abort = (): void => first.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return first.signal;
}

/**
 * The endpoint that sends an entry: with the headers of its session, its idempotency key, and a signal. A signal of the
 * caller applies only while `fetch` is pending: one that has timed out would end all later attempts.
 */
export function requestOf(
  { record, waiter }: Entry,
  endpoint: ExtendableEndpoint,
  { init, header, signal: ofAttempt, onResponse }: AttemptOptions,
): ExtendableEndpoint {
  const given = mergeRequestInit(endpoint.requestInit, init);
  const ofCaller = waiter && (endpoint.signal ?? endpoint.requestInit?.signal);
  const others = [ofCaller, init?.signal].flatMap((other) => other ?? []);
  const signal = others.length === 0 ? ofAttempt : anyOf([ofAttempt, ...others]);
  const requestInit: RequestInit = {
    ...(header === undefined
      ? given
      : mergeRequestInit(given, { headers: { [header]: record.idempotencyKey } })),
    signal,
  };
  const { fetchResponse } = endpoint;
  return (
    endpoint.extend?.({
      requestInit,
      signal,
      ...(fetchResponse && {
        async fetchResponse(...request) {
          const response = await fetchResponse.apply(this, request);
          onResponse(response);
          return response;
        },
      }),
    }) ?? endpoint
  );
}

/** The endpoint, answered as a server does that has just deleted the entity; undefined if it cannot be extended. */
export function answeredAsDeleted(endpoint: ExtendableEndpoint): EndpointInterface | undefined {
  return endpoint.extend?.({
    fetchResponse: () => Promise.resolve(new Response(null, { status: 204 })),
  });
}

/**
 * Whether a deletion has failed because there is nothing left to delete: the server says so (410), or does not know the
 * entity (404), and an earlier attempt, perhaps of a page that has ended, may have deleted it.
 */
export function isAlreadyDeleted(
  { record, mutation }: Entry,
  { method }: ExtendableEndpoint,
  error: unknown,
): boolean {
  const status = errorStatus(error);
  if (method !== 'DELETE' || isUnanswered(error)) return false;
  return status === 410 || (status === 404 && (record.attempts > 0 || mutation?.isRepeated === true));
}

/** The name of the idempotency header; undefined for none. */
export function headerOf({ idempotencyHeader = 'Idempotency-Key' }: OutboxOptions): string | undefined {
  return idempotencyHeader === false ? undefined : idempotencyHeader;
}
