import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import { Hydration } from './Hydration.ts';
import { parseState } from './StateText.ts';

/**
 * Merges text that `serialize` returned on a server into a controller that is already in use. Newer data in the
 * controller stays. Merging the same text again changes nothing, and text from before a `reset` is ignored, so it may
 * be called during a React render: the merged data can be read at once, and mounted components are notified in a
 * microtask.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` if the text was not created by `serialize`
 * @example
 * const answer = await fetch('/dashboard/state');
 * hydrateState(controller, await answer.text());
 */
export function hydrateState(controller: Controller, state: string): void {
  const { core } = internalsOf(controller);
  const data = parseState(state);
  if (typeof document === 'undefined') {
    // A server uses its own clock, or that of another server: no correction is needed.
    controller.apply(data.restored(0), { origin: 'network', type: 'hydrate' });
    return;
  }
  const previous = core.hydration instanceof Hydration ? core.hydration : undefined;
  const hydration = previous?.isOpen === true ? previous : new Hydration(controller, previous);
  core.hydration = hydration;
  core.notifier.notifyInMicrotask(() => hydration.takeRendered(data));
}
