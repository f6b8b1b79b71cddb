/**
 * Runs a function once, after a delay.
 *
 * @param delay - in ms
 * @returns a function that cancels it
 */
export type Schedule = (run: () => void, delay: number) => () => void;

/**
 * `setTimeout` runs at once for longer delays: it takes a signed 32-bit number
 * (https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#dom-settimeout).
 */
export const MAX_DELAY = 2 ** 31 - 1;

/** `setTimeout`, which does not keep a Node process alive. */
export const scheduleByTimer: Schedule = (run, delay) => {
  const timer = setTimeout(run, Math.min(delay, MAX_DELAY));
  // A number in browsers, an object in Node.
  (timer as { readonly unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
};
