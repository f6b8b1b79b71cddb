import type { Controller, Plugin } from '../controller/Controller.ts';
import { onEnvironmentChange } from '../controller/Environment.ts';

/** Options of `refetchOn`. */
export interface RefetchOnOptions {
  /** Fetch on reconnect. Default: true. */
  readonly reconnect?: boolean;
  /** Fetch when the page becomes visible. Default: true. */
  readonly focus?: boolean;
}

/**
 * Fetches mounted reads that are stale, each once, when the network reconnects or the page becomes visible.
 *
 * @example
 * const controller = new Controller({ plugins: [refetchOn({ focus: false })] });
 */
export function refetchOn({ reconnect = true, focus = true }: RefetchOnOptions = {}): Plugin {
  let stop: (() => void) | undefined;
  return {
    name: 'refetchOn',
    get isAttached() {
      return stop !== undefined;
    },
    start(controller) {
      const { environment } = controller;
      stop = onEnvironmentChange(environment, ({ isReconnect, isReturn }) => {
        // Deferred, so that other listeners run first, such as the one that expires errors.
        if ((reconnect && isReconnect) || (focus && isReturn && environment.isOnline))
          queueMicrotask(() => refetch(controller));
      });
    },
    stop() {
      stop?.();
    },
  };
}

function refetch(controller: Controller): void {
  for (const { endpoint, args, isStale } of controller.mountedReads()) {
    // Errors are stored for the readers.
    if (isStale) controller.fetch(endpoint, ...args).catch(() => undefined);
  }
}
