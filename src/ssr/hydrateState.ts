import { partsOf, type Controller } from '../controller/Controller.ts';
import { Hydration } from './Hydration.ts';
import { parseState } from './StateText.ts';

/**
 * Merges what `serialize` returned on a server into a controller that is already in use. Data that the controller has
 * in a newer version stays. Merging the same text again changes nothing, and a text from before a `reset` is ignored,
 * so it may be called while React renders: the merged data can be read at once, and mounted components are notified
 * in a microtask.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` when it is not the text of `serialize`
 * @example
 * const answer = await fetch('/dashboard/state');
 * hydrateState(controller, await answer.text());
 */
export function hydrateState(controller: Controller, state: string): void {
  const { core } = partsOf(controller);
  const data = parseState(state);
  if (typeof document === 'undefined') {
    // A server reads its own clock, or that of another server: there is nothing to correct.
    controller.apply(data.restored(0), { origin: 'network', type: 'hydrate' });
    return;
  }
  const former = core.serverReads instanceof Hydration ? core.serverReads : undefined;
  const hydration = former?.isOpen === true ? former : new Hydration(controller, former);
  core.serverReads = hydration;
  core.delivery.later(() => hydration.takeRendered(data));
}
