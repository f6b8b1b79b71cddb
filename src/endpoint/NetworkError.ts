import { describe, HoldfastError } from '../util/errors.ts';

/** What a `NetworkError` tells. */
export interface NetworkErrorDetails {
  /** The HTTP status; 0 when the connection failed. */
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The response, its body not read yet; undefined when the connection failed. */
  readonly response?: Response | undefined;
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
 *     alert(await error.response?.text());
 * }
 */
export class NetworkError extends HoldfastError {
  override readonly name: string = 'NetworkError';
  /** The HTTP status; 0 when the connection failed. */
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The response, its body not read yet (`clone()` it to read it in several places); undefined when the connection failed. */
  readonly response: Response | undefined;

  constructor(message: string, details: NetworkErrorDetails) {
    super('HF_NETWORK', message, details);
    this.status = details.status;
    this.url = details.url;
    this.method = details.method;
    this.response = details.response;
  }
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
