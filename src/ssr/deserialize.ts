import type { Controller, InitialState } from '../controller/Controller.ts';
import type { ServerReads } from '../controller/ServerReads.ts';
import { Hydration } from './Hydration.ts';
import { parseState, type ServerData } from './StateText.ts';

/**
 * Reads what `serialize` gave, for a controller to begin with. Its hooks hydrate from it, and ask for nothing that is
 * still fresh.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` when it is no such text
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

  open(controller: Controller): ServerReads | undefined {
    const hydration = new Hydration(controller);
    hydration.take(this.#data);
    return hydration.reads;
  }
}
