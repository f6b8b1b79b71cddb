/** Where there is no idle time to be told of, work waits this long, in ms, so that what comes together is done together. */
const PAUSE = 20;

/** What is done in the background is done after this, in ms, even if there always is something better to do. */
const PATIENCE = 50;

/** Resolves when the main thread is idle, at the latest after `timeout` ms. */
export function whenIdle(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, Math.min(PAUSE, timeout));
  });
}

/** Lets go of the main thread, and resolves when whatever else was waiting for it has been done. */
export function soon(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler }; // not in every browser, nor in every lib.dom
  return new Promise((resolve) => {
    if (scheduler === undefined) setTimeout(resolve, 0);
    else scheduler.postTask(resolve).catch(resolve);
  });
}

/**
 * Lets go of the main thread, and resolves when it has nothing better to do. Unlike idle time, of which there is little
 * in each frame, this does not slow down work that takes many turns.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { scheduler } = globalThis as { readonly scheduler?: Scheduler }; // not in every browser, nor in every lib.dom
    if (scheduler === undefined) {
      setTimeout(resolve, 0);
      return;
    }
    const timer = setTimeout(resolve, PATIENCE);
    const go = (): void => {
      clearTimeout(timer);
      resolve();
    };
    scheduler.postTask(go, { priority: 'background' }).catch(go);
  });
}

/** The part of the Prioritized Task Scheduling API that is used. */
interface Scheduler {
  postTask(task: () => void, options?: { readonly priority: 'background' }): Promise<unknown>;
}
