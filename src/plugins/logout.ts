import type { Controller, Plugin } from '../controller/Controller.ts';
import type { Unsent } from '../controller/Plugin.ts';
import { errorStatus } from '../store/expiry.ts';

/** When `logout` resets, and what it does then. */
export interface LogoutOptions {
  /** The status of an error that means that nobody is logged in any more, or a test of the error. Default: 401. */
  readonly when?: number | ((error: unknown) => boolean);
  /**
   * What becomes of mutations that have not reached the server: the outbox keeps them, to be sent once the same user has
   * signed in, or they are discarded. Default: `'keep'`.
   */
  readonly unsent?: Unsent;
  /** Called once everything has been forgotten, with the error: the place to show the login page. */
  readonly onLogout?: (error: unknown) => void;
}

/**
 * Forgets everything when the server says that nobody is logged in, as `controller.reset()` does, but for mutations that
 * have not reached the server. Whoever asked gets the error first. However many requests are refused, that is once, until one has succeeded again.
 *
 * @example
 * const controller = new Controller({
 *   plugins: [logout({ onLogout: () => location.assign('/login') })],
 * });
 */
export function logout({ when = 401, unsent = 'keep', onLogout }: LogoutOptions = {}): Plugin {
  const isRefusal = typeof when === 'number' ? (error: unknown) => errorStatus(error) === when : when;
  let controller: Controller | undefined;
  /** The newest request, and the newest at the last log-out: what began before that tells nothing new. */
  let newest = 0;
  let newestThen = 0;
  let isOut = false;
  const leave = async (error: unknown): Promise<void> => {
    newestThen = newest;
    try {
      await controller?.reset({ unsent });
    } finally {
      onLogout?.(error);
    }
  };
  return {
    name: 'logout',
    get isTaken() {
      return controller !== undefined;
    },
    start(started) {
      controller = started;
    },
    async request(request, next) {
      const { order } = request;
      newest = Math.max(newest, order);
      try {
        const response = await next(request);
        if (order > newestThen) isOut = false;
        return response;
      } catch (error) {
        if (!isOut && order > newestThen && isRefusal(error)) {
          isOut = true;
          // The error must reach whoever asked before the reset drops what is under way.
          controller?.schedule(() => void leave(error).catch(() => undefined), 0);
        }
        throw error;
      }
    },
  };
}
