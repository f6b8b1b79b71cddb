/**
 * The delay without `requestIdleCallback`, in ms, so that several changes are handled together. Safari lacks it
 * (https://webkit.org/b/164193).
 */
const FALLBACK_DELAY = 20;

/**
 * Background work waits at most this long for its turn, in ms. A page that posts messages all the time never runs
 * background tasks (https://wicg.github.io/scheduling-apis/#scheduling-tasks-and-continuations); one turn holds the main
 * thread for up to 5 ms, so such a page still keeps half of the time.
 */
const MAX_BACKGROUND_DELAY = 5;

/** Resolves when the main thread is idle, after `timeout` ms at the latest. */
export function whenIdle(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, Math.min(FALLBACK_DELAY, timeout));
  });
}

/** Yields to the main thread; resolves after the other pending tasks. */
export function yieldToMain(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler }; // not in every browser, nor in every lib.dom
  return new Promise((resolve) => {
    if (scheduler === undefined) setTimeout(resolve, 0);
    else scheduler.postTask(resolve).catch(resolve);
  });
}

/**
 * Yields to the main thread; resolves when there is nothing more important to do. Unlike idle time, which is short in
 * each frame, this suits work of many steps.
 */
export function yieldInBackground(): Promise<void> {
  return new Promise((resolve) => {
    const { scheduler } = globalThis as { readonly scheduler?: Scheduler }; // not in every browser, nor in every lib.dom
    if (scheduler === undefined) {
      setTimeout(resolve, 0);
      return;
    }
    const timer = setTimeout(resolve, MAX_BACKGROUND_DELAY);
    const go = (): void => {
      clearTimeout(timer);
      resolve();
    };
    scheduler.postTask(go, { priority: 'background' }).catch(go);
  });
}

/** The used part of the Prioritized Task Scheduling API. */
interface Scheduler {
  postTask(task: () => void, options?: { readonly priority: 'background' }): Promise<unknown>;
}
