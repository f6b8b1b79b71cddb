import type { Controller, Plugin } from '../controller/Controller.ts';
import type { PluginRequest } from '../controller/plugins/Plugin.ts';
import { onReconnect } from '../controller/Environment.ts';
import { MAX_DELAY } from '../controller/schedule.ts';
import { errorStatus } from '../util/errorStatus.ts';
import { backoff, retryAfter, type BackoffOptions } from './backoff.ts';

/** Options of `retry`. */
export interface RetryOptions {
  /** The maximum number of attempts, including the first. Default: 3. */
  readonly attempts?: number;
  /**
   * The delay after the nth attempt, counting from 1, in ms; a server's `Retry-After` may make it longer. Default: a
   * second, doubled each time up to half a minute, less a random part of up to a half.
   */
  readonly delay?: (attempt: number, error: unknown) => number;
  /**
   * Whether to retry after an error; may be asynchronous. Default: reads are retried if the connection failed or the
   * status is 408, 429 or at least 500. A mutation that is retried may be executed twice, unless the server prevents it.
   */
  readonly when?: (error: unknown, request: PluginRequest) => boolean | Promise<boolean>;
  /** A number from 0 to 1, for the default delay. Default: `Math.random`. */
  readonly random?: () => number;
}

const BACKOFF: BackoffOptions = { first: 1_000, longest: 30_000 };

/**
 * Retries requests that failed for a transient reason, after a delay. Pauses while offline. Requests that are waiting
 * when the controller is reset or stopped fail with the error they had; those whose signal is aborted, with its reason.
 *
 * @example
 * const controller = new Controller({ plugins: [retry({ attempts: 5 })] });
 */
export function retry({
  attempts = 3,
  random = Math.random,
  delay,
  when = isTransient,
}: RetryOptions = {}): Plugin {
  /** For each waiting request, the function that resumes it or gives up. */
  const waiting = new Set<(shouldContinue: boolean) => void>();
  let controller: Controller | undefined;
  /** Counts resets and stops: requests from before one are not repeated. */
  let epoch = 0;
  const giveUp = (): void => {
    epoch += 1;
    for (const resume of waiting) resume(false);
  };
  const delayAfter = (attempt: number, error: unknown): number => {
    const own = delay?.(attempt, error) ?? NaN;
    // Untyped code may return no number. Without a delay, requests would follow each other at once.
    return own >= 0 ? own : backoff(attempt, BACKOFF, random());
  };
  const wait = (ms: number, signal: AbortSignal | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      if (controller === undefined) {
        resolve(false);
        return;
      }
      const { environment } = controller;
      let unsubscribe: (() => void) | undefined;
      const resume = (shouldContinue: boolean): void => {
        cancel();
        clearTimeout(alive);
        unsubscribe?.();
        signal?.removeEventListener('abort', abort);
        waiting.delete(resume);
        resolve(shouldContinue);
      };
      const abort = (): void => resume(false);
      signal?.addEventListener('abort', abort);
      waiting.add(resume);
      // The app awaits this request, and the controller's timers do not keep a Node process alive. This one is longer, so
      // that it does not end first.
      const alive = setTimeout(() => undefined, Math.min(ms + 1_000, MAX_DELAY));
      const cancel = controller.schedule(() => {
        clearTimeout(alive);
        if (environment.isOnline) resume(true);
        else unsubscribe = onReconnect(environment, () => resume(true));
      }, ms);
    });
  return {
    name: 'retry',
    get isAttached() {
      return controller !== undefined;
    },
    start(started) {
      controller = started;
    },
    async request(request, next) {
      const begun = epoch;
      const { signal } = request.endpoint;
      for (let attempt = 1; ; attempt++) {
        try {
          return await next(request);
        } catch (error) {
          const mayRepeat = (): boolean => begun === epoch && signal?.aborted !== true;
          const { response } = Object(error) as { readonly response?: unknown }; // read by name
          const atLeast = retryAfter(response, controller?.now() ?? 0);
          if (
            attempt < attempts &&
            mayRepeat() &&
            (await when(error, request)) &&
            mayRepeat() &&
            (await wait(Math.max(delayAfter(attempt, error), atLeast), signal))
          )
            continue;
          // Signals of older versions of React Native have neither `throwIfAborted` nor a reason.
          if (signal?.aborted === true) throw signal.reason ?? error;
          throw error;
        }
      }
    },
    reset() {
      giveUp();
      return Promise.resolve();
    },
    stop() {
      giveUp();
    },
  };
}

function isTransient(error: unknown, { endpoint }: PluginRequest): boolean {
  const status = errorStatus(error);
  if (endpoint.sideEffect === true || status === undefined) return false;
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
