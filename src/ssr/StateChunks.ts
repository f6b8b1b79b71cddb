import type { Controller } from '../controller/Controller.ts';
import type { State } from '../store/State.ts';
import { isolated } from '../util/isolated.ts';
import { serializeChanges } from './serialize.ts';
import { stateScript } from './stateScript.ts';

/**
 * Puts a controller's data between the parts of a page, each part being what React wrote in one go: whole elements.
 * Data comes before the HTML that was rendered from it, so that it is there when that hydrates; only the first part,
 * which begins the document, comes before its data.
 *
 * It looks at the state when a part is ready instead of listening to the controller: nothing is left to undo, however
 * the response ends.
 */
export class StateChunks {
  readonly #controller: Controller;
  #sent: State | undefined;

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** A part of the page with the data that it needs. */
  around<Html>(part: readonly Html[]): (Html | string)[] {
    const isFirst = this.#sent === undefined;
    const data = this.#data();
    if (data === undefined) return [...part];
    return isFirst ? [...part, data] : [data, ...part];
  }

  /** The first is sent even when empty: the page waits for it. */
  #data(): string | undefined {
    const state = this.#controller.getState();
    if (state === this.#sent) return undefined;
    let script: string | undefined;
    // A page without its data is a slower page, but a page.
    isolated(() => {
      script = stateScript(serializeChanges(state, this.#sent, this.#controller.now()));
    });
    this.#sent = state;
    return script;
  }
}
