import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import { runIsolated } from '../util/runIsolated.ts';
import { Rendering } from './Rendering.ts';
import { serializeDelta } from './serialize.ts';
import { END, stateScript } from './stateScript.ts';

/**
 * Inserts a controller's data between the parts of a page. A part is the HTML that React wrote at once, which
 * consists of whole elements. Data comes before the HTML that was rendered from it, so that it is available when that
 * HTML hydrates; only the first part, which starts the document, comes before its data.
 *
 * It reads the state when a part is complete instead of listening to the controller: so no cleanup is needed, however
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

  /** A part of the page, with the data that it needs. */
  around<Html>(part: readonly Html[]): (Html | string)[] {
    const text = this.text();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (text === undefined) return [...part];
    return isFirst ? [...part, stateScript(text)] : [stateScript(text), ...part];
  }

  /** The text of the next element with data; undefined if there is no new data. */
  text(): string | undefined {
    const unsent = this.#rendering.unsent();
    if (unsent === undefined) return undefined;
    let text: string | undefined;
    // A page without its data loads more slowly, but it works.
    runIsolated(() => {
      const pending = internalsOf(this.#controller)
        .core.reads.requested()
        .map(({ key }) => key);
      text = serializeDelta(unsent, this.#controller.now(), pending) + END;
    });
    return text;
  }
}
