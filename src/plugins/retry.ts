import type { Controller, Plugin } from '../controller/Controller.ts';
import type { PluginRequest } from '../controller/Plugin.ts';
import { whenBackOnline } from '../controller/whenBackOnline.ts';
import { NetworkError } from '../endpoint/NetworkError.ts';
import { errorStatus } from '../store/expiry.ts';
import { backoff, type Waits } from './backoff.ts';

/** How `retry` tries again. */
export interface RetryOptions {
  /** How often a request is made at most, the first time included. Default: 3. */
  readonly attempts?: number;
  /**
   * How long to wait after the attempt of this number, from 1, in ms; a server's `Retry-After` may make it longer.
   * Default: a second, doubled each time up to half a minute, of which up to a half is left out at random.
   */
  readonly delay?: (attempt: number, error: unknown) => number;
  /**
   * Whether to try again after an error. Default: for reads, where there was no connection or the status is 408, 429
   * or 500 and above. A mutation that is tried again may be done twice, unless the server knows better.
   */
  readonly when?: (error: unknown, request: PluginRequest) => boolean;
  /** A number from 0 to 1, for the default delay. Default: `Math.random`. */
  readonly random?: () => number;
}

const WAITS: Waits = { first: 1_000, longest: 30_000 };

/** The longest `Retry-After` that is obeyed, in ms. */
const LONGEST_WAIT = 3_600_000;

/**
 * Makes requests that failed for a passing reason again, after a while. Waits while offline. What is waiting when the
 * controller is reset or stopped fails with the error it had.
 *
 * @example
 * const controller = new Controller({ plugins: [retry({ attempts: 5 })] });
 */
export function retry({
  attempts = 3,
  random = Math.random,
  delay = (attempt) => backoff(attempt, WAITS, random()),
  when = isPassing,
}: RetryOptions = {}): Plugin {
  /** What lets each one that waits go on, or give up. */
  const waiting = new Set<(goesOn: boolean) => void>();
  let controller: Controller | undefined;
  let isStopped = false;
  const giveUp = (): void => {
    for (const go of waiting) go(false);
  };
  const wait = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      if (controller === undefined || isStopped) {
        resolve(false);
        return;
      }
      const { environment } = controller;
      let unsubscribe: (() => void) | undefined;
      const go = (goesOn: boolean): void => {
        cancel();
        unsubscribe?.();
        waiting.delete(go);
        resolve(goesOn);
      };
      waiting.add(go);
      const cancel = controller.schedule(() => {
        if (environment.isOnline) go(true);
        else unsubscribe = whenBackOnline(environment, () => go(true));
      }, ms);
    });
  return {
    name: 'retry',
    get isTaken() {
      return controller !== undefined;
    },
    start(started) {
      controller = started;
    },
    async request(request, next) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await next(request);
        } catch (error) {
          if (attempt >= attempts || !when(error, request)) throw error;
          const now = controller?.now() ?? 0;
          if (!(await wait(Math.max(delay(attempt, error), retryAfter(error, now))))) throw error;
        }
      }
    },
    reset() {
      giveUp();
      return Promise.resolve();
    },
    stop() {
      isStopped = true;
      giveUp();
    },
  };
}

function isPassing(error: unknown, { endpoint }: PluginRequest): boolean {
  const status = errorStatus(error);
  if (endpoint.sideEffect === true || status === undefined) return false;
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

/** How long the server wants one to wait, in ms. */
function retryAfter(error: unknown, now: number): number {
  const header = error instanceof NetworkError ? error.response?.headers.get('Retry-After') : undefined;
  if (typeof header !== 'string' || header === '') return 0;
  const seconds = Number(header);
  // Seconds, or a date.
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000;
  return wait > 0 ? Math.min(wait, LONGEST_WAIT) : 0;
}
