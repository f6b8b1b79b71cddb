import type { Controller, InitialState } from '../controller/Controller.ts';
import type { HydrationSource } from '../controller/requests/HydrationSource.ts';
import { Hydration } from './Hydration.ts';
import { parseState, type ServerData } from './StateText.ts';

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
  return new WholeState(parseState(text));
}

class WholeState implements InitialState {
  readonly #data: ServerData;

  constructor(data: ServerData) {
    this.#data = data;
  }

  open(controller: Controller): HydrationSource | undefined {
    const hydration = new Hydration(controller);
    hydration.take(this.#data);
    return hydration.reads;
  }
}
