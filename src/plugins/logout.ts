import type { Controller, Plugin } from '../controller/Controller.ts';
import type { Unsent } from '../controller/plugins/Plugin.ts';
import { errorStatus } from '../util/errorStatus.ts';
import { runIsolated } from '../util/runIsolated.ts';

/** Options of `logout`. */
export interface LogoutOptions {
  /**
   * The status of an error that means that the user is no longer logged in, or a predicate for the error, which may be
   * asynchronous. Default: 401.
   */
  readonly when?: number | ((error: unknown) => boolean | Promise<boolean>);
  /**
   * What to do with mutations that have not reached the server: the outbox keeps them and sends them once the same
   * user has signed in again, or they are discarded. Default: `'keep'`.
   */
  readonly unsent?: Unsent;
  /** Called with the error once all data has been deleted: the place to show the login page. */
  readonly onLogout?: (error: unknown) => void;
}

/**
 * Deletes all data when the server reports that the user is not logged in, like `controller.reset()`, except for
 * mutations that have not reached the server. The caller of the failed request gets the error first. However many
 * requests are rejected, this happens once, until another request has succeeded.
 *
 * @example
 * const controller = new Controller({
 *   plugins: [logout({ onLogout: () => location.assign('/login') })],
 * });
 */
export function logout({ when = 401, unsent = 'keep', onLogout }: LogoutOptions = {}): Plugin {
  const isRefusal = typeof when === 'number' ? (error: unknown) => errorStatus(error) === when : when;
  let controller: Controller | undefined;
  /** The newest request, and the newest one at the last reset: requests that started before it are ignored. */
  let newest = 0;
  let newestAtReset = 0;
  let isLoggedOut = false;
  /** What was refused since the last login. A reset requests it again, while others succeed without a login. */
  const refused = new Set<string>();
  const logOut = async (error: unknown): Promise<void> => {
    // A plugin that fails to delete its data reports that itself.
    await controller?.reset({ unsent }).catch(() => undefined);
    runIsolated(() => onLogout?.(error));
  };
  return {
    name: 'logout',
    get isAttached() {
      return controller !== undefined;
    },
    start(started) {
      controller = started;
    },
    // Also called for the app's own resets, and those of other tabs.
    reset() {
      newestAtReset = newest;
      return Promise.resolve();
    },
    stop() {
      newestAtReset = Infinity; // the next user has another controller
    },
    async request(request, next) {
      const { order, key } = request;
      newest = Math.max(newest, order);
      try {
        const response = await next(request);
        // Somebody has logged in.
        if (refused.has(key)) refused.clear();
        if (order > newestAtReset) isLoggedOut = false;
        return response;
      } catch (error) {
        const isRefused = await isRefusal(error);
        if (isRefused && !isLoggedOut && order > newestAtReset && !refused.has(key)) {
          isLoggedOut = true;
          // The error must reach the caller before the reset aborts pending requests.
          controller?.schedule(() => void logOut(error), 0);
        }
        if (isRefused) refused.add(key);
        throw error;
      }
    },
  };
}
