/**
 * Runs something later, once.
 *
 * @param delay - in ms
 * @returns cancels it
 */
export type Schedule = (run: () => void, delay: number) => () => void;

/** Longer delays would make `setTimeout` run at once. */
const LONGEST = 2 ** 31 - 1;

/** `setTimeout`, which in Node does not keep the process alive. */
export const scheduleByTimer: Schedule = (run, delay) => {
  const timer = setTimeout(run, Math.min(delay, LONGEST));
  // A number in browsers, an object in Node.
  (timer as { readonly unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
};
