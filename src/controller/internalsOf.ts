import type { ControllerInternals } from './ControllerInternals.ts';
import type { Fetcher } from './requests/Fetcher.ts';

interface Internals {
  readonly core: ControllerInternals;
  readonly fetcher: Fetcher;
}

// Kept here, so that what needs the internals of a controller does not import its class. Weak, so that a controller
// can be collected.
const byController = new WeakMap<object, Internals>();

/** Registers the internals of a controller, once, in its constructor. */
export function setInternals(controller: object, internals: Internals): void {
  byController.set(controller, internals);
}

/**
 * The internals of a controller, for modules of this package outside of its class.
 *
 * @throws TypeError for any other object, such as a controller of another copy of the package
 */
export function internalsOf(controller: object): Internals {
  const internals = byController.get(controller);
  if (internals === undefined) throw new TypeError('HF_TWO_COPIES');
  return internals;
}
