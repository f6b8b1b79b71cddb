import { partsOf, type Controller } from '../controller/Controller.ts';
import { isolated } from '../util/isolated.ts';
import { Rendering } from './Rendering.ts';
import { serializeBrought } from './serialize.ts';
import { END, stateScript } from './stateScript.ts';

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
  readonly #rendering: Rendering;
  #isFirst = true;

  constructor(controller: Controller) {
    this.#controller = controller;
    this.#rendering = Rendering.of(controller);
  }

  /** A part of the page with the data that it needs. */
  around<Html>(part: readonly Html[]): (Html | string)[] {
    const text = this.text();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (text === undefined) return [...part];
    return isFirst ? [...part, stateScript(text)] : [stateScript(text), ...part];
  }

  /** The text of the next element with data; undefined when there is nothing new. */
  text(): string | undefined {
    const unsent = this.#rendering.unsent();
    if (unsent === undefined) return undefined;
    let text: string | undefined;
    // A page without its data is a slower page, but a page.
    isolated(() => {
      const pending = partsOf(this.#controller).core.inFlight.begun();
      text = serializeBrought(unsent, this.#controller.now(), pending) + END;
    });
    return text;
  }
}
