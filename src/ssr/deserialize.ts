import type { InitialState } from '../controller/Controller.ts';
import { Hydration } from './Hydration.ts';
import { parseState } from './StateText.ts';

/**
 * Parses the text of `serialize` as a controller's initial state. Its hooks hydrate from it, and fetch nothing that
 * is still fresh.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` if the text was not created by `serialize`
 * @example
 * const text = document.getElementById('state')?.textContent ?? '';
 * const controller = new Controller({ initialState: deserialize(text) });
 * hydrateRoot(document, <App controller={controller} />);
 */
export function deserialize(text: string): InitialState {
  const data = parseState(text);
  return {
    open(controller) {
      const hydration = new Hydration(controller);
      hydration.take(data);
      return hydration.reads;
    },
  };
}
