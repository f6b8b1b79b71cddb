import type { Controller, Plugin } from '../controller/Controller.ts';

/** When `refetchOn` fetches. */
export interface RefetchOnOptions {
  /** When the network is back. Default: true. */
  readonly reconnect?: boolean;
  /** When the page is seen again. Default: true. */
  readonly focus?: boolean;
}

/**
 * Fetches what is on screen and stale, each read once, when the network is back or the page is seen again.
 *
 * @example
 * const controller = new Controller({ plugins: [refetchOn({ focus: false })] });
 */
export function refetchOn({ reconnect = true, focus = true }: RefetchOnOptions = {}): Plugin {
  let stop: (() => void) | undefined;
  return {
    name: 'refetchOn',
    get isTaken() {
      return stop !== undefined;
    },
    start(controller) {
      const { environment } = controller;
      let { isOnline, isVisible } = environment;
      stop = environment.subscribe(() => {
        const isBack = environment.isOnline && !isOnline;
        const isSeen = environment.isVisible && !isVisible;
        ({ isOnline, isVisible } = environment);
        // By then whoever else listens knows of it too, such as what tells which errors are out of date.
        if ((reconnect && isBack) || (focus && isSeen && isOnline)) queueMicrotask(() => refetch(controller));
      });
    },
    stop() {
      stop?.();
    },
  };
}

function refetch(controller: Controller): void {
  for (const { endpoint, args, isStale } of controller.mountedReads()) {
    // What fails is kept for the readers.
    if (isStale) controller.fetch(endpoint, ...args).catch(() => undefined);
  }
}
